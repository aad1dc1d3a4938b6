// One evaluator for both uses. Dense: every node is filled in order and dropped after its last use.
// Sampled: elements are asked for and remembered, nothing else is computed.
#include "reference/evaluate.h"
#include "reference/functions.h"

#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "ir/conditions.h"
#include "ir/define/composite.h"
#include "reference/fold.h"
#include "reference/node_plan.h"
#include "reference/rounding.h"
#include "reference/scalar.h"
#include "support/check.h"

namespace sinter::reference {

using ir::AttributeName;
using ir::DType;
using ir::NodeId;
using ir::Op;
using ir::OpClass;
using ir::Value;

namespace {

/// Remembered elements per value before they are forgotten: 64 bytes each, so about 64 MiB.
constexpr std::size_t kMemoLimit = std::size_t{1} << 20;

struct Memo {
  std::vector<Element> dense;  // all elements, or empty
  std::unordered_map<std::int64_t, Element> sparse;
};

class Evaluator {
 public:
  Evaluator(const ir::Graph& graph, std::span<const HostTensor> inputs,
            const std::vector<Value>& outputs, const EvaluateOptions& options)
      : graph_(graph), inputs_(inputs), options_(options), input_of_(graph.nodes().size()) {
    std::vector<std::vector<std::int64_t>> extents;
    for (const HostTensor& input : inputs) extents.push_back(input.extents);
    const ir::Sizes sizes = ir::bind_sizes(graph, extents);
    ir::check_conditions(graph, ir::conditions_of(graph), sizes);
    plans_ = plan_nodes(graph, sizes, outputs);
    forms_ = find_narrow_forms(graph, options.round_each);
    for (std::size_t p = 0; p < inputs.size(); ++p) {
      const NodeId id = graph.parameters()[p];
      input_of_[id] = p;
      const DType needed = graph.node(id).results[0].dtype;
      if (inputs[p].dtype == needed) continue;
      support::throw_user("input {} is {}, the operator needs {}", graph.parameter_name(id),
                          to_string(inputs[p].dtype), to_string(needed));
    }
    for (const ir::Node& node : graph.nodes()) memos_.emplace_back(node.results.size());
  }

  const Extents& extents(Value value) const { return plans_[value.node].extents[value.result]; }
  std::int64_t visits() const { return visits_; }

  /// Fills every needed node, in order.
  void fill_all() {
    for (NodeId id = 0; id < plans_.size(); ++id) {
      if (plans_[id].is_needed()) fill(id);
      for (const Value operand : graph_.node(id).operands) {
        if (plans_[id].is_needed() && plans_[operand.node].last_use == id) {
          memos_[operand.node].assign(memos_[operand.node].size(), {});
        }
      }
    }
  }

  /// Element `flat` of `value`, as its consumers see it.
  Element at(Value value, std::int64_t flat) {
    ++visits_;
    Memo& memo = memos_[value.node][value.result];
    if (!memo.dense.empty()) return memo.dense[static_cast<std::size_t>(flat)];
    const ir::Node& node = graph_.node(value);
    if (ir::info(node.op).op_class == OpClass::Leaf) return evaluate_leaf(value.node, flat);
    if (const auto found = memo.sparse.find(flat); found != memo.sparse.end()) return found->second;
    if (node.op == Op::Scan) return remember_line(value, flat);
    std::vector<Element> results(node.results.size());
    evaluate_element(value.node, flat, results);
    for (std::uint32_t r = 0; r < results.size(); ++r) remember({value.node, r}, flat, results[r]);
    return results[value.result];
  }

 private:
  void fill(NodeId id) {
    const ir::Node& node = graph_.node(id);
    const std::int64_t count = count_elements(plans_[id].extents[0]);
    for (Memo& memo : memos_[id]) memo.dense.resize(static_cast<std::size_t>(count));
    if (count == 0) return;
    if (node.op == Op::Scan) return fill_lines(id);
    std::vector<Element> results(node.results.size());
    for (std::int64_t flat = 0; flat < count; ++flat) {
      if (ir::info(node.op).op_class == OpClass::Leaf) {
        results[0] = evaluate_leaf(id, flat);
      } else {
        evaluate_element(id, flat, results);
      }
      for (std::size_t r = 0; r < results.size(); ++r) {
        memos_[id][r].dense[static_cast<std::size_t>(flat)] = results[r];
      }
    }
  }

  void fill_lines(NodeId id) {
    const NodePlan& plan = plans_[id];
    const std::int64_t count = count_elements(plan.extents[0]);
    for (std::int64_t flat = 0; flat < count; ++flat) {
      if (flat / plan.axis_stride % plan.axis_extent != 0) continue;
      evaluate_line(id, flat, [&](std::int64_t at_flat, std::uint32_t r, const Element& element) {
        memos_[id][r].dense[static_cast<std::size_t>(at_flat)] = element;
      });
    }
  }

  Element remember_line(Value value, std::int64_t flat) {
    const NodePlan& plan = plans_[value.node];
    const std::int64_t step = flat / plan.axis_stride % plan.axis_extent;
    Element result;
    evaluate_line(value.node, flat - step * plan.axis_stride,
                  [&](std::int64_t at_flat, std::uint32_t r, const Element& element) {
                    remember({value.node, r}, at_flat, element);
                    if (at_flat == flat && r == value.result) result = element;
                  });
    return result;
  }

  void remember(Value value, std::int64_t flat, const Element& element) {
    auto& sparse = memos_[value.node][value.result].sparse;
    if (sparse.size() >= kMemoLimit) sparse.clear();
    sparse[flat] = element;
  }

  /// Narrow outputs are rounded where they are made. What moves bits only is left alone: rounding would
  /// change nothing but infinities of f8e5m2, which saturate like all that does not fit.
  Element finish(NodeId id, std::size_t result, const Element& element) const {
    if (forms_[id].moves_bits) return element;
    const DType dtype = graph_.node(id).results[result].dtype;
    const bool rounds = plans_[id].is_output[result] || options_.round_each;
    return rounds && ir::is_narrow_float(dtype) ? round_element(dtype, element) : element;
  }

  Element evaluate_leaf(NodeId id, std::int64_t flat) const {
    const ir::Node& node = graph_.node(id);
    const NodePlan& plan = plans_[id];
    if (node.op == Op::Parameter) return load_element(inputs_[input_of_[id]], flat);
    if (node.op == Op::Constant) {
      return make_literal_element(node.attributes.get<ir::Literal>(AttributeName::Value));
    }
    const std::int64_t whole =
        node.op == Op::Size ? plan.size : flat / plan.axis_stride % plan.axis_extent;
    return make_bits(wrap_to(node.results[0].dtype, static_cast<std::uint64_t>(whole)));
  }

  void evaluate_element(NodeId id, std::int64_t flat, std::span<Element> results) {
    const ir::Node& node = graph_.node(id);
    const OpClass op_class = ir::info(node.op).op_class;
    if (op_class == OpClass::View) {
      const std::int64_t source = plans_[id].operands[0].apply(plans_[id].extents[0], flat);
      results[0] = at(node.operands[0], source);
    } else if (op_class == OpClass::Movement) {
      results[0] = node.op == Op::Pad ? evaluate_pad(id, flat) : evaluate_gather(id, flat);
    } else if (op_class == OpClass::Contraction) {
      results[0] = evaluate_matmul(id, flat);
    } else if (ir::is_pointwise(node.op)) {
      results[0] = evaluate_pointwise(id, flat);
    } else {
      evaluate_reduction(id, flat, results);
    }
    for (std::size_t r = 0; r < results.size(); ++r) results[r] = finish(id, r, results[r]);
  }

  Element evaluate_pad(NodeId id, std::int64_t flat) {
    const ir::Node& node = graph_.node(id);
    const Extents& result = plans_[id].extents[0];
    const Extents& operand = extents(node.operands[0]);
    const Extents strides = dense_strides(operand);
    std::int64_t source = 0;
    for (std::size_t d = result.size(); d-- > 0;) {
      const std::int64_t index = flat % result[d] - plans_[id].begin[d];
      flat /= result[d];
      if (index < 0 || index >= operand[d]) {
        return make_literal_element(node.attributes.get<ir::Literal>(AttributeName::Outside));
      }
      source += index * strides[d];
    }
    return at(node.operands[0], source);
  }

  Element evaluate_gather(NodeId id, std::int64_t flat) {
    const ir::Node& node = graph_.node(id);
    const Extents& operand = extents(node.operands[0]);
    const Extents strides = dense_strides(operand);
    std::int64_t source = 0;
    bool undecided = false;
    bool is_outside = false;
    for (std::size_t d = 0; d < operand.size(); ++d) {
      const Element index = at(node.operands[d + 1], flat);
      undecided = undecided || index.is_undecided();
      // An unsigned index beyond 2^63 is outside as well.
      is_outside = is_outside || index.bits >= static_cast<std::uint64_t>(operand[d]);
      if (!is_outside) source += static_cast<std::int64_t>(index.bits) * strides[d];
    }
    Element result = make_bits(0);
    if (!is_outside) result = at(node.operands[0], source);
    return undecided ? make_undecided(result) : result;
  }

  Element evaluate_pointwise(NodeId id, std::int64_t flat) {
    const ir::Node& node = graph_.node(id);
    if (node.attributes.get_or<bool>(AttributeName::Implicit, false)) {
      const std::int64_t source = plans_[id].operands[0].apply(plans_[id].extents[0], flat);
      return at(node.operands[0], source);
    }
    std::array<Element, 3> operands{};
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const std::int64_t source = plans_[id].operands[i].apply(plans_[id].extents[0], flat);
      operands[i] = at(node.operands[i], source);
    }
    if (node.op == Op::Bitcast) operands[0] = with_bits(node.operands[0], operands[0]);
    const DType dtype = graph_.type(node.operands.back()).dtype;
    const Element result = evaluate_scalar(node.op, dtype, node.results[0].dtype,
                                           std::span(operands).first(node.operands.size()));
    return forms_[id].is_rounded_later ? loosen_function(node.op, dtype, result) : result;
  }

  /// Bits exist once the value is rounded to its own dtype. What is rounded already is left alone, as in
  /// finish().
  Element with_bits(Value operand, const Element& element) const {
    const DType dtype = graph_.type(operand).dtype;
    if (!ir::is_float(dtype)) return element;
    const bool is_rounded = ir::is_narrow_float(dtype) && forms_[operand.node].is_rounded;
    return is_rounded ? element : round_element(dtype, element);
  }

  /// Calls `f` with one element of each operand, for all that result element `flat` folds.
  template <typename F>
  void for_each_folded(NodeId id, std::int64_t flat, const F& f) {
    const ir::Node& node = graph_.node(id);
    const FoldDomain& domain = plans_[id].domain;
    const std::size_t operand_count = node.operands.size();
    std::vector<std::int64_t> first(operand_count);
    for (std::size_t i = 0; i < operand_count; ++i) {
      first[i] = domain.result[i].apply(plans_[id].extents[0], flat);
    }
    std::vector<Element> elements(operand_count);
    const std::int64_t count = domain.count();
    for (std::int64_t step = 0; step < count; ++step) {
      for (std::size_t i = 0; i < operand_count; ++i) {
        std::int64_t source = first[i];
        std::int64_t rest = step;
        for (std::size_t d = domain.extents.size(); d-- > 0;) {
          source += rest % domain.extents[d] * domain.strides[i][d];
          rest /= domain.extents[d];
        }
        elements[i] = at(node.operands[i], source);
      }
      f(std::span<const Element>(elements));
    }
  }

  std::unique_ptr<Fold> make_node_fold(const ir::Node& node) const {
    const DType dtype = node.results[0].dtype;
    Op combine = ir::info(node.op).combine;
    if (const auto* reducer = node.attributes.find(AttributeName::Reducer)) {
      const auto& fold = std::get<ir::Reducer>(*reducer);
      if (fold.function) return make_function_fold(fold);
      combine = fold.op;
    }
    return make_fold(combine, dtype, options_.longest_chain);
  }

  void evaluate_reduction(NodeId id, std::int64_t flat, std::span<Element> results) {
    const ir::Node& node = graph_.node(id);
    const auto fold = make_node_fold(node);
    // A named dtype is that of the additions too: what they add is converted, which is exact or wraps. No
    // conversion where it is theirs anyway: an infinity of f8e5m2 would saturate.
    const bool is_named = node.attributes.find(AttributeName::DType) != nullptr;
    const DType from = graph_.type(node.operands[0]).dtype;
    const DType to = node.results[0].dtype;
    for_each_folded(id, flat, [&](std::span<const Element> elements) {
      if (!is_named || from == to) return fold->push(elements);
      fold->push(std::array{evaluate_scalar(Op::Cast, from, to, elements)});
    });
    fold->results(results);
  }

  /// The line of a scan that starts at element `start`, passed on as (flat, result, element).
  template <typename F>
  void evaluate_line(NodeId id, std::int64_t start, const F& f) {
    const ir::Node& node = graph_.node(id);
    const NodePlan& plan = plans_[id];
    const bool exclusive = node.attributes.get_or<bool>(AttributeName::Exclusive, false);
    const bool reverse = node.attributes.get_or<bool>(AttributeName::Reverse, false);
    const auto fold = make_node_fold(node);
    std::vector<Element> elements(node.operands.size());
    std::vector<Element> results(node.results.size());
    for (std::int64_t step = 0; step < plan.axis_extent; ++step) {
      const std::int64_t along = reverse ? plan.axis_extent - 1 - step : step;
      const std::int64_t flat = start + along * plan.axis_stride;
      for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = at(node.operands[i], flat);
      if (exclusive) fold->results(results);
      fold->push(elements);
      if (!exclusive) fold->results(results);
      for (std::uint32_t r = 0; r < results.size(); ++r) f(flat, r, finish(id, r, results[r]));
    }
  }

  Element evaluate_matmul(NodeId id, std::int64_t flat);

  const ir::Graph& graph_;
  std::span<const HostTensor> inputs_;
  EvaluateOptions options_;
  std::vector<NodePlan> plans_;
  std::vector<NarrowForm> forms_;      // by node id
  std::vector<std::size_t> input_of_;  // by node id, for parameters
  std::vector<std::vector<Memo>> memos_;
  std::int64_t visits_ = 0;
};

/// What the named precision loses of each product, relative to its magnitude. Tf32 operands may be
/// truncated to 11 bits: 2^-10 each. SplitFast keeps two bf16 pieces of each operand (2^-16 each)
/// and leaves out the product of the small ones (2^-16).
Wide precision_error(DType operand, ir::Precision precision) {
  if (operand != DType::F32) return 0;
  switch (precision) {
    case ir::Precision::Ieee:
    case ir::Precision::Split: return 0;
    case ir::Precision::SplitFast: return 3 * 0x1p-16L;
    case ir::Precision::Tf32: return 2 * 0x1p-10L;
  }
  support::throw_internal("no such precision");
}

/// A product of k terms: k roundings (each product's, and k - 1 additions), and three more for the
/// last rounding and the truncation inside tensor-core accumulators. Measured on an H200, their
/// error stays below a tenth of this (notes/measuring.md).
Element Evaluator::evaluate_matmul(NodeId id, std::int64_t flat) {
  const ir::Node& node = graph_.node(id);
  const DType dtype = node.results[0].dtype;
  if (!ir::is_float(dtype)) {
    std::uint64_t sum = 0;
    bool undecided = false;
    for_each_folded(id, flat, [&](std::span<const Element> x) {
      sum += x[0].bits * x[1].bits;
      undecided = undecided || x[0].is_undecided() || x[1].is_undecided();
    });
    const Element result = make_bits(wrap_to(dtype, sum));
    return undecided ? make_undecided(result) : result;
  }
  const DType compute = ir::compute_dtype(dtype);
  const Wide least = smallest_positive(compute);
  const Wide least_normal = std::ldexp(least, ir::significand_bits(compute) - 1);
  FloatSum sum;
  for_each_folded(id, flat, [&](std::span<const Element> x) {
    const bool undecided = x[0].is_undecided() || x[1].is_undecided();
    const bool nan = x[0].is_certain_nan() || x[1].is_certain_nan();
    const Wide spread =
        undecided ? std::numeric_limits<Wide>::infinity() : product_spread(x[0], x[1]);
    // A product below the normal numbers rounds by an absolute step, each on its own.
    const Wide product = x[0].real * x[1].real;
    const Wide underflow = product != 0 && std::abs(product) < least_normal ? least : 0;
    sum.add(product, nan ? 0 : spread + underflow);
  });
  const auto precision =
      node.attributes.get_or<ir::Precision>(AttributeName::Precision, ir::Precision::Split);
  return sum.result(compute, limit_chain(sum.count(), options_.longest_chain) + 3,
                    precision_error(graph_.type(node.operands[0]).dtype, precision));
}

ReferenceOutput take_output(Evaluator& evaluator, const ir::Graph& graph, Value value,
                            std::vector<std::int64_t> indices) {
  ReferenceOutput output;
  output.dtype = graph.type(value).dtype;
  output.extents = evaluator.extents(value);
  output.elements.reserve(indices.size());
  output.visits.reserve(indices.size());
  for (const std::int64_t index : indices) {
    const std::int64_t before = evaluator.visits();
    output.elements.push_back(evaluator.at(value, index));
    output.visits.push_back(evaluator.visits() - before);
  }
  output.indices = std::move(indices);
  return output;
}

}  // namespace

ReferenceResult evaluate(const ir::Graph& operators, std::span<const HostTensor> inputs,
                         const EvaluateOptions& options) {
  const ir::Graph graph = ir::decompose(operators);
  Evaluator evaluator(graph, inputs, graph.outputs(), options);
  evaluator.fill_all();
  ReferenceResult result;
  for (const Value value : graph.outputs()) {
    std::vector<std::int64_t> all(
        static_cast<std::size_t>(count_elements(evaluator.extents(value))));
    std::iota(all.begin(), all.end(), 0);
    result.outputs.push_back(take_output(evaluator, graph, value, std::move(all)));
  }
  return result;
}

ReferenceOutput evaluate(const ir::Graph& operators, std::span<const HostTensor> inputs,
                         std::size_t output, std::span<const std::int64_t> indices,
                         const EvaluateOptions& options) {
  const ir::Graph graph = ir::decompose(operators);
  if (output >= graph.outputs().size()) {
    support::throw_user("there is no output {}, {} has {}", output, graph.name(),
                        graph.outputs().size());
  }
  const Value value = graph.outputs()[output];
  Evaluator evaluator(graph, inputs, {value}, options);
  const std::int64_t count = count_elements(evaluator.extents(value));
  for (const std::int64_t index : indices) {
    if (index >= 0 && index < count) continue;
    support::throw_user("there is no element {} in output {} of extents {}", index, output,
                        extents_text(evaluator.extents(value)));
  }
  return take_output(evaluator, graph, value, {indices.begin(), indices.end()});
}

}  // namespace sinter::reference
