// A recursive evaluator: every value anew at every point, but for folds, which are remembered.
#include "tests/support/kernel_interpreter.h"

#include <algorithm>
#include <limits>

#include <functional>
#include <numeric>

#include "codegen/expand/expand.h"
#include "ir/graph.h"
#include "support/check.h"

namespace sinter::tests {

using ir::AttributeName;
using ir::Literal;
using ir::Op;

namespace {

using Point = std::map<ir::AxisId, std::int64_t>;
using Sizes = std::map<std::string, std::int64_t>;

class Interpreter {
 public:
  Interpreter(const ir::Kernel& kernel, const Sizes& sizes,
              const std::map<std::string, BitsTensor>& inputs)
      : kernel_(kernel), sizes_(sizes), tensors_(inputs) {
    for (const ir::KernelParam& param : kernel.params()) {
      if (param.role != ir::ParamRole::Out) continue;
      const auto extents = extents_of(param, sizes);
      const auto count = static_cast<std::size_t>(element_count(extents));
      tensors_[param.name] = {param.dtype, extents, std::vector<std::uint64_t>(count, 0)};
    }
  }

  std::map<std::string, BitsTensor> run() {
    for (const ir::NodeId id : kernel_.stores()) {
      const ir::KernelNode& node = kernel_.node(id);
      Point point;
      loop(node.domain, 0, point, [&] { store(node, point); });
    }
    std::map<std::string, BitsTensor> outputs;
    for (const ir::KernelParam& param : kernel_.params()) {
      if (param.role == ir::ParamRole::Out) outputs[param.name] = tensors_[param.name];
    }
    return outputs;
  }

 private:
  void loop(const std::vector<ir::AxisId>& axes, std::size_t depth, Point& point,
            const std::function<void()>& body) {
    if (depth == axes.size()) return body();
    const std::int64_t extent = ir::evaluate(kernel_.axes()[axes[depth]].extent, {sizes_, {}, {}});
    for (std::int64_t i = 0; i < extent; ++i) {
      point[axes[depth]] = i;
      loop(axes, depth + 1, point, body);
    }
    point.erase(axes[depth]);
  }

  /// Values count as at most `limit` and at least -limit - 1.
  std::int64_t number(const ir::IndexExpr& expr, const Point& point,
                      std::int64_t limit = std::numeric_limits<std::int64_t>::max()) {
    ir::IndexBindings bindings{sizes_, {}, {}};
    bindings.axis = [&](ir::AxisId axis) { return point.at(axis); };
    bindings.value = [&](ir::Value value) {
      return std::clamp(ir::as_integer(evaluate(value, point)), -limit - 1, limit);
    };
    return ir::evaluate(expr, bindings);
  }

  /// Any index beyond all extents is outside; expressions of it must not overflow.
  bool holds(const ir::KernelNode& node, const Point& point) {
    constexpr std::int64_t kBeyondAll = std::int64_t{1} << 60;
    for (const ir::IndexExpr& expr : node.attributes.get_or<ir::Shape>(AttributeName::Where, {})) {
      if (number(expr, point, kBeyondAll) < 0) return false;
    }
    return true;
  }

  std::uint64_t& element(const ir::KernelNode& node, const Point& point) {
    const auto index = node.attributes.get<std::int64_t>(AttributeName::Param);
    const ir::KernelParam& param = kernel_.params()[static_cast<std::size_t>(index)];
    BitsTensor& tensor = tensors_.at(param.name);
    std::size_t offset = 0;
    const auto& map = node.attributes.get<ir::Shape>(AttributeName::Map);
    for (std::size_t d = 0; d < map.size(); ++d) {
      const std::int64_t position = number(map[d], point);
      support::check(position >= 0 && position < tensor.extents[d], "{}: index {} of dimension {}",
                     param.name, position, d);
      offset =
          offset * static_cast<std::size_t>(tensor.extents[d]) + static_cast<std::size_t>(position);
    }
    return tensor.bits.at(offset);
  }

  void store(const ir::KernelNode& node, const Point& point) {
    if (holds(node, point)) element(node, point) = evaluate(node.operands[0], point).bits;
  }

  Literal load(const ir::KernelNode& node, const Point& point) {
    const ir::DType dtype = node.results[0];
    if (holds(node, point)) return {dtype, element(node, point)};
    return node.attributes.get_or<Literal>(AttributeName::Outside, ir::make_literal(dtype, 0));
  }

  static Literal scalar(Op op, const std::vector<Literal>& operands,
                        ir::Attributes attributes = {}) {
    return codegen::evaluate_scalar(op, operands, attributes);
  }

  static Literal cast(const Literal& literal, ir::DType dtype) {
    return scalar(Op::Cast, {literal}, {{AttributeName::DType, dtype}});
  }

  static std::vector<Literal> call(const ir::Graph& function,
                                   const std::vector<Literal>& arguments) {
    std::map<ir::Value, Literal> values;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      values[{function.parameters()[i], 0}] = arguments[i];
    }
    for (ir::NodeId id = 0; id < function.nodes().size(); ++id) {
      const ir::Node& node = function.node(id);
      if (node.op == Op::Parameter) continue;
      if (node.op == Op::Constant) {
        values[{id, 0}] = node.attributes.get<Literal>(AttributeName::Value);
        continue;
      }
      std::vector<Literal> operands;
      for (const ir::Value operand : node.operands) operands.push_back(values.at(operand));
      values[{id, 0}] = scalar(node.op, operands, node.attributes);
    }
    std::vector<Literal> results;
    for (const ir::Value output : function.outputs()) results.push_back(values.at(output));
    return results;
  }

  std::vector<Literal> identities(const ir::KernelNode& node) {
    const ir::DType dtype = ir::compute_dtype(node.results[0]);
    if (node.op == Op::Contract) return {ir::make_literal(dtype, 0)};
    const auto& reducer = node.attributes.get<ir::Reducer>(AttributeName::Reducer);
    if (reducer.function) return reducer.identity;
    return {*ir::identity_of(reducer.op, dtype)};
  }

  std::vector<Literal> step(const ir::KernelNode& node, const std::vector<Literal>& accumulators,
                            const Point& point) {
    std::vector<Literal> elements;
    for (const ir::Value operand : node.operands) elements.push_back(evaluate(operand, point));
    const ir::DType dtype = accumulators[0].dtype;
    if (node.op == Op::Contract) {
      const Literal a = cast(elements[0], dtype);
      const Literal b = cast(elements[1], dtype);
      if (ir::is_float(dtype)) return {scalar(Op::Fma, {a, b, accumulators[0]})};
      return {scalar(Op::Add, {accumulators[0], scalar(Op::Mul, {a, b})})};
    }
    const auto& reducer = node.attributes.get<ir::Reducer>(AttributeName::Reducer);
    if (!reducer.function) return {scalar(reducer.op, {accumulators[0], cast(elements[0], dtype)})};
    std::vector<Literal> arguments = accumulators;
    arguments.insert(arguments.end(), elements.begin(), elements.end());
    return call(*reducer.function, arguments);
  }

  static std::vector<std::int64_t> place_of(const ir::KernelNode& node, const Point& point) {
    std::vector<std::int64_t> place;
    for (const ir::AxisId axis : node.domain) place.push_back(point.at(axis));
    return place;
  }

  Literal fold(ir::Value value, const ir::KernelNode& node, const Point& point) {
    const std::vector<std::int64_t> place = place_of(node, point);
    if (node.op == Op::Scan) {
      if (!folded_.contains({value, place})) scan_line(value.node, node, point);
      return folded_.at({value, place});
    }
    const auto [known, is_new] = folded_.try_emplace({value, place});
    if (is_new) known->second = fold_anew(value, node, point);
    return known->second;
  }

  Literal fold_anew(ir::Value value, const ir::KernelNode& node, Point point) {
    std::vector<Literal> accumulators = identities(node);
    const auto& listed = node.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes);
    std::vector<ir::AxisId> axes(listed.begin(), listed.end());
    std::sort(axes.begin(), axes.end());
    loop(axes, 0, point, [&] { accumulators = step(node, accumulators, point); });
    return cast(accumulators[value.result], node.results[value.result]);
  }

  /// All results of the scan along its axis.
  void scan_line(ir::NodeId id, const ir::KernelNode& node, Point point) {
    const auto axis =
        static_cast<ir::AxisId>(node.attributes.get<std::int64_t>(AttributeName::Axis));
    const bool reverse = node.attributes.get_or<bool>(AttributeName::Reverse, false);
    const bool exclusive = node.attributes.get_or<bool>(AttributeName::Exclusive, false);
    const std::int64_t extent = ir::evaluate(kernel_.axes()[axis].extent, {sizes_, {}, {}});
    std::vector<Literal> accumulators = identities(node);
    for (std::int64_t i = 0; i < extent; ++i) {
      point[axis] = reverse ? extent - 1 - i : i;
      const std::vector<Literal> before = accumulators;
      accumulators = step(node, accumulators, point);
      const std::vector<Literal>& here = exclusive ? before : accumulators;
      for (std::uint32_t r = 0; r < here.size(); ++r) {
        folded_[{ir::Value{id, r}, place_of(node, point)}] = cast(here[r], node.results[r]);
      }
    }
  }

  Literal evaluate(ir::Value value, const Point& point) {
    const ir::KernelNode& node = kernel_.node(value);
    switch (node.op) {
      case Op::Constant: return node.attributes.get<Literal>(AttributeName::Value);
      case Op::Load: return load(node, point);
      case Op::Index:
        return ir::make_integer_literal(
            ir::DType::I64, number(node.attributes.get<ir::Shape>(AttributeName::Map)[0], point));
      case Op::Reduce:
      case Op::Contract:
      case Op::Scan: return fold(value, node, point);
      default: break;
    }
    std::vector<Literal> operands;
    for (const ir::Value operand : node.operands) operands.push_back(evaluate(operand, point));
    return scalar(node.op, operands, node.attributes);
  }

  const ir::Kernel& kernel_;
  const Sizes& sizes_;
  std::map<std::string, BitsTensor> tensors_;
  std::map<std::pair<ir::Value, std::vector<std::int64_t>>, Literal>
      folded_;  // by result and place
};

}  // namespace

std::int64_t element_count(const std::vector<std::int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::vector<std::int64_t> extents_of(const ir::KernelParam& param, const Sizes& sizes) {
  std::vector<std::int64_t> extents;
  for (const ir::Dim& dim : param.shape) extents.push_back(ir::evaluate(dim, {sizes, {}, {}}));
  return extents;
}

std::map<std::string, BitsTensor> interpret_kernel(
    const ir::Kernel& kernel, const Sizes& sizes, const std::map<std::string, BitsTensor>& inputs) {
  return Interpreter(kernel, sizes, inputs).run();
}

}  // namespace sinter::tests
