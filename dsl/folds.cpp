// A combining function is traced into a Function of its own.
#include "sinter/folds.h"

#include "dsl/pool_attributes.h"
#include "ir/broadcast.h"
#include "support/check.h"
#include "support/counted.h"

namespace sinter {

namespace {

using dsl::to_value;
using ir::AttributeName;
using ir::Attributes;
using ir::Op;

CombineParts in_parts(const Combine& combine) {
  return [&combine](const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    return std::vector<Tensor>{combine(a[0], b[0])};
  };
}

/// The results of `combine` on accumulators and elements of these types, as a Function.
std::shared_ptr<const ir::Graph> trace_combine(const std::vector<DType>& dtypes,
                                               const CombineParts& combine,
                                               const SourceLocation& location) {
  const auto trace = std::make_shared<dsl::Trace>("combine", "a combining function");
  const auto parameters = [&](const char* name) {
    std::vector<Tensor> tensors;
    for (const DType dtype : dtypes) {
      const ir::Value value = trace->graph.add_parameter(fmt::format("{}{}", name, tensors.size()),
                                                         {dtype, {}}, location);
      tensors.emplace_back(trace, value.node, value.result);
    }
    return tensors;
  };
  const std::vector<Tensor> a = parameters("a");
  const std::vector<Tensor> b = parameters("b");
  const dsl::TraceScope scope(trace);
  const std::vector<Tensor> results = combine(a, b);
  if (results.size() != dtypes.size()) {
    support::throw_user_at(location, "the combining function has {}; needed: {}",
                           support::counted(results.size(), "result"), dtypes.size());
  }
  std::vector<ir::Value> outputs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].trace() != trace) {
      support::throw_user_at(location,
                             "the combining function returns a tensor of {}, from outside of it",
                             results[i].trace()->owner);
    }
    const ir::Value output = to_value(results[i]);
    if (trace->graph.type(output) != ir::Type{dtypes[i], {}}) {
      support::throw_user_at(location, "result {} of the combining function is {}; {} is needed", i,
                             ir::to_string(trace->graph.type(output)), to_string(dtypes[i]));
    }
    outputs.push_back(output);
  }
  trace->graph.set_outputs(std::move(outputs));
  return std::make_shared<const ir::Graph>(trace->graph);
}

ir::Reducer make_reducer(const std::vector<Tensor>& operands,
                         const std::vector<Operand>& identities, const CombineParts& combine,
                         const char* function, const SourceLocation& location) {
  if (operands.empty() || operands.size() != identities.size()) {
    support::throw_user_at(location, "{} needs one identity for each operand; given {} and {}",
                           function, identities.size(), operands.size());
  }
  std::vector<DType> dtypes;
  ir::Reducer reducer;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    dtypes.push_back(operands[i].dtype());
    reducer.identity.push_back(dsl::literal_of(identities[i], dtypes[i], "the identity of a fold"));
  }
  reducer.function = trace_combine(dtypes, combine, location);
  return reducer;
}

/// The operands in one shape.
std::vector<ir::Value> broadcast(const std::vector<Tensor>& operands,
                                 const SourceLocation& location) {
  const Operand first = dsl::operand_at(operands[0], location);
  ir::Shape shape;
  for (const Tensor& tensor : operands) {
    const Operand other = dsl::operand_at(tensor, location);
    dsl::trace_of({&first, &other});  // refuses another operator's
    shape = ir::broadcast_shapes(shape, dsl::shape_of(tensor), location);
  }
  std::vector<ir::Value> values;
  for (const Tensor& tensor : operands) {
    values.push_back(ir::broadcast_value(tensor.trace()->graph, to_value(tensor), shape, location));
  }
  return values;
}

std::vector<Tensor> fold(Op op, const std::vector<Tensor>& operands, Attributes attributes,
                         const SourceLocation& location) {
  const Tensor first = dsl::add_node(operands[0].trace(), op, broadcast(operands, location),
                                     std::move(attributes), location);
  std::vector<Tensor> results;
  for (std::uint32_t i = 0; i < operands.size(); ++i) results.push_back(dsl::result_of(first, i));
  return results;
}

std::vector<Tensor> reduce_at(const std::vector<Tensor>& operands, const std::vector<int>& axes,
                              const std::vector<Operand>& identities, const CombineParts& combine,
                              const SourceLocation& location) {
  ir::Reducer reducer = make_reducer(operands, identities, combine, "reduce", location);
  const ir::Value widest = broadcast(operands, location)[0];
  const Tensor shaped(operands[0].trace(), widest.node, widest.result);
  return fold(Op::Reduce, operands,
              {{AttributeName::Axes, dsl::reduced_axes(shaped, axes, location)},
               {AttributeName::Reducer, std::move(reducer)}},
              location);
}

std::vector<Tensor> scan_at(const std::vector<Tensor>& operands, int axis,
                            const std::vector<Operand>& identities, const CombineParts& combine,
                            const ScanOptions& options, const SourceLocation& location) {
  ir::Reducer reducer = make_reducer(operands, identities, combine, "scan", location);
  const ir::Value widest = broadcast(operands, location)[0];
  const Tensor shaped(operands[0].trace(), widest.node, widest.result);
  Attributes attributes{{AttributeName::Axis, dsl::normalize_axis(axis, shaped.rank(), location)},
                        {AttributeName::Reducer, std::move(reducer)}};
  if (options.exclusive) attributes.set(AttributeName::Exclusive, true);
  if (options.reverse) attributes.set(AttributeName::Reverse, true);
  return fold(Op::Scan, operands, std::move(attributes), location);
}

Tensor reduce_windows(const Operand& a, const std::vector<std::int64_t>& window,
                      ir::Reducer reducer, const PoolOptions& options) {
  Attributes attributes = dsl::pool_attributes(Op::WindowReduce, a, window, options);
  attributes.set(AttributeName::Reducer, std::move(reducer));
  return dsl::add_composite(Op::WindowReduce, {&a}, std::move(attributes));
}

}  // namespace

Tensor reduce(const Operand& a, const std::vector<int>& axes, const Operand& identity,
              const Combine& combine) {
  return reduce_at({dsl::require_tensor(a, "reduce")}, axes, {identity}, in_parts(combine),
                   a.location())[0];
}

std::vector<Tensor> reduce(const std::vector<Tensor>& operands, const std::vector<int>& axes,
                           const std::vector<Operand>& identities, const CombineParts& combine,
                           const char* file, int line) {
  return reduce_at(operands, axes, identities, combine, {file, line});
}

Tensor scan(const Operand& a, int axis, const Operand& identity, const Combine& combine,
            const ScanOptions& options) {
  return scan_at({dsl::require_tensor(a, "scan")}, axis, {identity}, in_parts(combine), options,
                 a.location())[0];
}

std::vector<Tensor> scan(const std::vector<Tensor>& operands, int axis,
                         const std::vector<Operand>& identities, const CombineParts& combine,
                         const ScanOptions& options, const char* file, int line) {
  return scan_at(operands, axis, identities, combine, options, {file, line});
}

Tensor window_reduce(const Operand& a, const std::vector<std::int64_t>& window,
                     const std::string& fold, const PoolOptions& options) {
  if (fold == "mean") return avg_pool(a, window, options);
  ir::Reducer reducer;
  if (fold == "sum") reducer.op = Op::Add;
  if (fold == "prod") reducer.op = Op::Mul;
  if (fold == "max") reducer.op = Op::Maximum;
  if (fold == "min") reducer.op = Op::Minimum;
  if (reducer.op == Op::None) {
    support::throw_user_at(a.location(), "window_reduce: '{}' is none of sum, prod, max, min, mean",
                           fold);
  }
  return reduce_windows(a, window, std::move(reducer), options);
}

Tensor window_reduce(const Operand& a, const std::vector<std::int64_t>& window,
                     const Operand& identity, const Combine& combine, const PoolOptions& options) {
  const Tensor& tensor = dsl::require_tensor(a, "window_reduce");
  return reduce_windows(
      a, window,
      make_reducer({tensor}, {identity}, in_parts(combine), "window_reduce", a.location()),
      options);
}

}  // namespace sinter
