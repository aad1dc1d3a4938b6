// The table of definitions, and what stands around each: narrow floats and types.
#include "ir/define/composite.h"

#include <algorithm>
#include <set>

#include "ir/infer_rules.h"
#include "ir/rewrite_graph.h"
#include "support/check.h"

namespace sinter::ir {

#define SINTER_PRIMITIVE(...)
#define SINTER_COMPOSITE(Name, ...) \
  template <>                       \
  Exprs define<Op::Name>(const Call& call);
#include "ir/ops.def"
#undef SINTER_COMPOSITE
#undef SINTER_PRIMITIVE

namespace {

using Definition = Exprs (*)(const Call&);

Definition definition_of(Op op) {
  switch (op) {
#define SINTER_PRIMITIVE(...)
#define SINTER_COMPOSITE(Name, ...) \
  case Op::Name:                    \
    return &define<Op::Name>;
#include "ir/ops.def"
#undef SINTER_COMPOSITE
#undef SINTER_PRIMITIVE
    default: support::throw_internal("{} has no definition", to_string(op));
  }
}

/// Whether narrow floats stay narrow inside of it.
bool is_exact(Op op) {
  switch (op) {
#define SINTER_PRIMITIVE(...)
#define SINTER_COMPOSITE(...)
#define SINTER_EXACT_COMPOSITE(Name, ...) case Op::Name:
#include "ir/ops.def"
#undef SINTER_EXACT_COMPOSITE
#undef SINTER_COMPOSITE
#undef SINTER_PRIMITIVE
    return true;
    default: return false;
  }
}

/// Whether f32 and narrow floats may stand beside each other.
bool is_mixed(Op op) {
  switch (op) {
#define SINTER_PRIMITIVE(...)
#define SINTER_COMPOSITE(...)
#define SINTER_MIXED_COMPOSITE(Name, ...) case Op::Name:
#include "ir/ops.def"
#undef SINTER_MIXED_COMPOSITE
#undef SINTER_COMPOSITE
#undef SINTER_PRIMITIVE
    return true;
    default: return false;
  }
}

bool is_composite(Op op) { return info(op).op_class == OpClass::Composite; }

/// Definitions see narrow floats as f32: that two operands differ before is only seen here. Operators
/// that name the type of their result (quantize, dequantize) convert, and check their own.
void check_widened_alike(const Call& call) {
  const bool mixed = is_mixed(call.op());
  const auto counted = [&](std::size_t i) {
    return mixed ? compute_dtype(call.given(i).dtype) : call.given(i).dtype;
  };
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!is_float(call.given(i).dtype)) continue;
    if (!first) first = i;
    if (counted(i) != counted(*first)) call.refuse_dtypes(*first, i);
  }
}

/// The cast that makes two operands one dtype and loses nothing, where there is one: of integers to floats,
/// narrow to wide, and of two narrow floats of one width to f32.
std::string cast_advice(std::size_t a, DType dtype_a, std::size_t b, DType dtype_b) {
  const auto rank = [](DType dtype) { return bits(dtype) + (is_float(dtype) ? 1000 : 0); };
  if (rank(dtype_a) == rank(dtype_b) && is_float(dtype_a)) {
    return fmt::format("cast both to {}", to_string(DType::F32));
  }
  const bool is_first_wide = rank(dtype_a) >= rank(dtype_b);
  return fmt::format("cast operand {} to {}", is_first_wide ? b : a,
                     to_string(is_first_wide ? dtype_a : dtype_b));
}

/// The definition's results. Its own operators' complaints are told as the composite's.
Exprs apply_definition(const Call& call) {
  const std::string name(to_string(call.op()));
  try {
    return definition_of(call.op())(call);
  } catch (const UserError& error) {
    std::string_view text = error.what();
    const std::string bare = UserError("", error.location()).what();
    text.remove_prefix(bare.size());
    if (text.starts_with(name + ": ")) throw;
    throw UserError(fmt::format("{}: {}", name, text), error.location());
  }
}

/// Results of the composite on values of `graph`, computed by its definition.
std::vector<Value> expand(Graph& graph, const InferInput& input,
                          const std::vector<Value>& operands) {
  Exprs wide;
  DType narrow = DType::F32;  // that the results take
  bool has_float = false;
  const bool widens = !is_exact(input.op);
  for (const Value operand : operands) {
    const Expr expr(graph, operand, input.location);
    const DType dtype = expr.dtype();
    if (!has_float && widens && is_narrow_float(dtype)) narrow = dtype;
    has_float = has_float || is_float(dtype);
    wide.push_back(widens && is_narrow_float(dtype) ? cast(expr, DType::F32) : expr);
  }
  const AttributeValue* named = input.attributes.find(AttributeName::DType);
  if (widens && named) {
    const DType dtype = std::get<DType>(*named);
    narrow = is_narrow_float(dtype) ? dtype : DType::F32;
  }
  std::vector<Value> results;
  const Call call(input.op, input.types, std::move(wide), input.attributes, input.location);
  if (!named) check_widened_alike(call);
  for (const Expr& result : apply_definition(call)) {
    if (narrow == DType::F32 || result.dtype() != DType::F32 || result.is_f32_result()) {
      results.push_back(result.value());
      continue;
    }
    results.push_back(make_node(Op::Cast, {result},
                                {{AttributeName::DType, narrow}, {AttributeName::Implicit, true}})
                          .value());
  }
  return results;
}

/// One round: definitions may hold composites again.
Graph expand_once(const Graph& graph) {
  GraphRewriter rewriter(graph);
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    const Node& node = graph.node(id);
    if (!is_composite(node.op)) {
      rewriter.copy(id, rewrite_functions(node.attributes, decompose));
      continue;
    }
    const std::vector<Value> results = expand_definition(
        rewriter.graph(), node.op, rewriter.mapped(node.operands), node.attributes, node.location);
    for (std::uint32_t r = 0; r < results.size(); ++r) rewriter.map({id, r}, results[r]);
  }
  return rewriter.finish();
}

bool has_composite(const Graph& graph) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), [](const Node& node) {
    const AttributeValue* reducer = node.attributes.find(AttributeName::Reducer);
    const auto function = reducer ? std::get<Reducer>(*reducer).function : nullptr;
    return is_composite(node.op) || (function && has_composite(*function));
  });
}

}  // namespace

void Call::fail_with(const std::string& text) const {
  support::throw_user_at(location_, "{}: {}", to_string(op_), text);
}

void Call::refuse_dtypes(std::size_t a, std::size_t b) const {
  fail("operands of one dtype are needed; given {} and {}: {}", to_string(given(a)),
       to_string(given(b)), cast_advice(a, given(a).dtype, b, given(b).dtype));
}

bool Call::has_mixed_floats() const {
  const auto differs = [&](const Type& type) {
    return is_float(type.dtype) && type.dtype != given(0).dtype;
  };
  return std::any_of(given_.begin(), given_.end(), differs);
}

void Call::need_operands(std::size_t least, std::size_t most) const {
  if (size() >= least && size() <= most) return;
  fail("it takes {} to {} operands; given {}", least, most, size());
}

void Call::need_integers(std::size_t index) const {
  const Type& type = operands_.at(index).type();
  if (!is_integer(type.dtype))
    fail("integer indices are needed; given {}", to_string(given(index)));
}

void Call::need_one_dtype(std::size_t except) const {
  for (std::size_t i = 1; i < operands_.size(); ++i) {
    if (i != except && operands_[i].dtype() != operands_[0].dtype()) refuse_dtypes(0, i);
  }
}

std::int64_t Call::axis() const {
  const auto axis = attributes_.get<std::int64_t>(AttributeName::Axis);
  if (axis < 0 || axis >= static_cast<std::int64_t>(operands_.at(0).rank())) {
    fail("there is no axis {} in {}", axis, to_string(given(0)));
  }
  return axis;
}

Integers Call::axes() const {
  const auto& axes = attributes_.get<Integers>(AttributeName::Axes);
  std::set<std::int64_t> seen;
  for (const std::int64_t axis : axes) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(operands_.at(0).rank())) {
      fail("there is no axis {} in {}", axis, to_string(given(0)));
    }
    if (!seen.insert(axis).second) fail("it names axis {} twice", axis);
  }
  return axes;
}

std::vector<Type> infer_composite(const InferInput& input) {
  Graph graph("definition");
  std::vector<Value> operands;
  for (const Type& type : input.types) {
    operands.push_back(graph.add_parameter(fmt::format("p{}", operands.size()), type));
  }
  std::vector<Type> results;
  for (const Value result : expand(graph, input, operands)) results.push_back(graph.type(result));
  return results;
}

std::vector<Value> expand_definition(Graph& graph, Op op, const std::vector<Value>& operands,
                                     const Attributes& attributes, const SourceLocation& location) {
  std::vector<Type> types;
  for (const Value operand : operands) types.push_back(graph.type(operand));
  return expand(graph, {op, types, attributes, location}, operands);
}

Graph decompose(const Graph& graph) {
  Graph result = graph;
  while (has_composite(result)) result = expand_once(result);
  return result;
}

}  // namespace sinter::ir
