// Types and domains of a Kernel's nodes, by the table in kernel.h.
#include "ir/infer_kernel.h"

#include <algorithm>
#include <set>

#include "ir/attribute_rules.h"
#include "ir/graph.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

using support::check;
using support::throw_internal;

/// The node under inference, with what its errors name.
struct Site {
  const Kernel& kernel;
  NodeId id;
  Op op;
  const std::vector<Value>& operands;
  const Attributes& attributes;

  std::string text() const { return fmt::format("%{} = {}", id, to_string(op)); }
  DType dtype(std::size_t operand) const { return kernel.dtype(operands[operand]); }
};

void check_value(const Site& site, Value value) {
  check(value.node < site.id, "{} uses %{}, which does not come before it", site.text(),
        value.node);
  const std::size_t results = site.kernel.node(value).results.size();
  check(value.result < results, "{} uses result {} of %{}, which has {} results", site.text(),
        value.result, value.node, results);
}

void check_axis(const Site& site, std::int64_t axis) {
  const auto count = static_cast<std::int64_t>(site.kernel.axes().size());
  check(axis >= 0 && axis < count, "{} names axis {}, the kernel has {} axes", site.text(), axis,
        count);
}

void check_expressions(const Site& site, const Shape& expressions) {
  for (const IndexExpr& expr : expressions) {
    for (const AxisId axis : axes_of(expr)) check_axis(site, axis);
    for (const Value value : values_of(expr)) {
      check_value(site, value);
      check(is_integer(site.kernel.dtype(value)), "{} uses %{} of type {} as an index", site.text(),
            value.node, to_string(site.kernel.dtype(value)));
    }
  }
}

void check_arity(const Site& site) {
  const int arity = info(site.op).arity;
  const bool fits =
      arity < 0 ? !site.operands.empty() : site.operands.size() == static_cast<std::size_t>(arity);
  check(fits, "{} has {} operands, {} are needed", site.text(), site.operands.size(),
        arity < 0 ? "one or more" : std::to_string(arity));
}

std::set<AxisId> union_of_domains(const Site& site) {
  std::set<AxisId> axes;
  for (const Value operand : site.operands) {
    const std::vector<AxisId>& domain = site.kernel.domain(operand);
    axes.insert(domain.begin(), domain.end());
  }
  return axes;
}

std::vector<AxisId> sorted(const std::set<AxisId>& axes) { return {axes.begin(), axes.end()}; }

const KernelParam& param_of(const Site& site) {
  const auto index = site.attributes.get<std::int64_t>(AttributeName::Param);
  const auto count = static_cast<std::int64_t>(site.kernel.params().size());
  check(index >= 0 && index < count, "{} names parameter {}, the kernel has {}", site.text(), index,
        count);
  return site.kernel.params()[static_cast<std::size_t>(index)];
}

/// Constants and pointwise operators have the rules of Graphs, at rank 0.
KernelNodeType infer_scalar(const Site& site) {
  std::vector<Type> types;
  for (std::size_t i = 0; i < site.operands.size(); ++i) types.push_back({site.dtype(i), {}});
  KernelNodeType inferred;
  try {
    for (const Type& type : infer_types(site.op, types, site.attributes, {})) {
      inferred.results.push_back(type.dtype);
    }
  } catch (const UserError& error) {
    throw_internal("{}: {}", site.text(), error.what());
  }
  inferred.domain = sorted(union_of_domains(site));
  return inferred;
}

KernelNodeType infer_load(const Site& site) {
  const KernelParam& param = param_of(site);
  Shape expressions = site.attributes.get<Shape>(AttributeName::Map);
  const Shape where = site.attributes.get_or<Shape>(AttributeName::Where, {});
  expressions.insert(expressions.end(), where.begin(), where.end());
  check_expressions(site, expressions);
  return {{param.dtype}, domain_of(site.kernel, expressions)};
}

KernelNodeType infer_index(const Site& site) {
  const Shape& map = site.attributes.get<Shape>(AttributeName::Map);
  check(map.size() == 1, "{} has a map of {} expressions, one is needed", site.text(), map.size());
  check_expressions(site, map);
  return {{DType::I64}, domain_of(site.kernel, map)};
}

KernelNodeType infer_store(const Site& site) {
  const KernelParam& param = param_of(site);
  check(site.dtype(0) == param.dtype, "{} writes {} to {}, which holds {}", site.text(),
        to_string(site.dtype(0)), param.name, to_string(param.dtype));
  Shape expressions = site.attributes.get<Shape>(AttributeName::Map);
  const Shape where = site.attributes.get_or<Shape>(AttributeName::Where, {});
  expressions.insert(expressions.end(), where.begin(), where.end());
  check_expressions(site, expressions);
  std::set<AxisId> axes = union_of_domains(site);
  for (const AxisId axis : domain_of(site.kernel, expressions)) axes.insert(axis);
  return {{}, sorted(axes)};
}

/// The operands' domain less `axes`, which it must hold, each once.
std::vector<AxisId> domain_without(const Site& site, const std::vector<std::int64_t>& axes) {
  std::set<AxisId> domain = union_of_domains(site);
  check(!axes.empty(), "{} is over no axis", site.text());
  for (const std::int64_t axis : axes) {
    check_axis(site, axis);
    check(domain.erase(static_cast<AxisId>(axis)) == 1,
          "{} is over axis {}, which its operands do not vary over (or twice)", site.text(),
          site.kernel.axes()[static_cast<std::size_t>(axis)].name);
  }
  return sorted(domain);
}

std::vector<DType> infer_function(const Site& site, const Reducer& reducer) {
  const Graph& function = *reducer.function;
  const std::size_t n = site.operands.size();
  check(function.parameters().size() == 2 * n && function.outputs().size() == n &&
            reducer.identity.size() == n,
        "{} folds {} operands by a function of {} parameters, {} outputs and {} identities",
        site.text(), n, function.parameters().size(), function.outputs().size(),
        reducer.identity.size());
  std::vector<DType> results;
  for (std::size_t i = 0; i < n; ++i) {
    const DType accumulator = function.node(function.parameters()[i]).results[0].dtype;
    const DType element = function.node(function.parameters()[n + i]).results[0].dtype;
    const DType output = function.type(function.outputs()[i]).dtype;
    check(element == site.dtype(i), "{} folds {} by a function of {}", site.text(),
          to_string(site.dtype(i)), to_string(element));
    check(output == accumulator && reducer.identity[i].dtype == accumulator,
          "{} has an accumulator of {}, from {}, which becomes {}", site.text(),
          to_string(accumulator), to_string(reducer.identity[i].dtype), to_string(output));
    results.push_back(accumulator);
  }
  return results;
}

/// Results of a fold: the accumulators of a Function, else the operand's type.
std::vector<DType> infer_reducer(const Site& site) {
  const Reducer& reducer = site.attributes.get<Reducer>(AttributeName::Reducer);
  if (reducer.function) {
    check(reducer.op == Op::None, "{} has a reducer with both an operator and a function",
          site.text());
    return infer_function(site, reducer);
  }
  check(reducer.op != Op::None, "{} has a reducer with neither operator nor function", site.text());
  check(site.operands.size() == 1 && reducer.identity.empty(),
        "{} folds {} operands by {}, which folds one, with its own identity", site.text(),
        site.operands.size(), to_string(reducer.op));
  check(accepts_dtype(reducer.op, site.dtype(0)) && identity_of(reducer.op, site.dtype(0)),
        "{} folds {} by {}, which has no identity there", site.text(), to_string(site.dtype(0)),
        to_string(reducer.op));
  return {site.dtype(0)};
}

KernelNodeType infer_reduce(const Site& site) {
  const auto& axes = site.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes);
  return {infer_reducer(site), domain_without(site, axes)};
}

KernelNodeType infer_scan(const Site& site) {
  const auto axis = site.attributes.get<std::int64_t>(AttributeName::Axis);
  domain_without(site, {axis});
  return {infer_reducer(site), sorted(union_of_domains(site))};
}

KernelNodeType infer_contract(const Site& site) {
  const DType operand = site.dtype(0);
  const DType accumulator = site.attributes.get<DType>(AttributeName::DType);
  site.attributes.get<Precision>(AttributeName::Precision);
  check(operand == site.dtype(1), "{} has operands of {} and {}", site.text(), to_string(operand),
        to_string(site.dtype(1)));
  check(accepts_dtype(Op::Contract, operand) && is_float(operand) == is_float(accumulator) &&
            accumulator != DType::Bool && bits(accumulator) >= bits(operand),
        "{} accumulates {} in {}", site.text(), to_string(operand), to_string(accumulator));
  const auto& axes = site.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes);
  return {{accumulator}, domain_without(site, axes)};
}

}  // namespace

std::vector<AxisId> domain_of(const Kernel& kernel, const Shape& expressions) {
  std::set<AxisId> axes;
  for (const IndexExpr& expr : expressions) {
    axes.merge(axes_of(expr));
    for (const Value value : values_of(expr)) {
      const std::vector<AxisId>& domain = kernel.domain(value);
      axes.insert(domain.begin(), domain.end());
    }
  }
  return sorted(axes);
}

KernelNodeType infer_kernel_node(const Kernel& kernel, NodeId id, Op op,
                                 const std::vector<Value>& operands, const Attributes& attributes) {
  const Site site{kernel, id, op, operands, attributes};
  const OpLevel level = info(op).level;
  check(level != OpLevel::Graph, "{} is an operator of Graphs", site.text());
  check_arity(site);
  for (const Value operand : operands) check_value(site, operand);
  for (const Attribute& attribute : attributes.list()) {
    check(has_attribute_type(attribute.name, attribute.value),
          "{} has attribute {}, which is not {}", site.text(), to_string(attribute.name),
          attribute_type_text(attribute.name));
  }
  if (level == OpLevel::Scalar) return infer_scalar(site);
  switch (op) {
    case Op::Load: return infer_load(site);
    case Op::Index: return infer_index(site);
    case Op::Store: return infer_store(site);
    case Op::Reduce: return infer_reduce(site);
    case Op::Scan: return infer_scan(site);
    case Op::Contract: return infer_contract(site);
    default: throw_internal("{} has no rule for kernels in infer_kernel.cpp", site.text());
  }
}

}  // namespace sinter::ir
