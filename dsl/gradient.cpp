// See gradient.h; the work is done on Graphs, in ir/differentiate/.
#include "sinter/gradient.h"

#include "dsl/composite.h"
#include "ir/differentiate/gradient.h"
#include "support/check.h"
#include "support/counted.h"

namespace sinter {

namespace {

using dsl::to_value;

/// The trace of all of them.
std::shared_ptr<dsl::Trace> trace_of(const std::vector<Tensor>& results,
                                     const std::vector<Tensor>& wrt,
                                     const std::vector<Tensor>& cotangents,
                                     const SourceLocation& location) {
  if (results.empty() || wrt.empty()) {
    support::throw_user_at(location, "gradients of {} by {}; one of each is needed",
                           support::counted(results.size(), "result"),
                           support::counted(wrt.size(), "tensor"));
  }
  for (const std::vector<Tensor>* tensors : {&results, &wrt, &cotangents}) {
    for (const Tensor& tensor : *tensors) dsl::check_current(tensor.trace(), location);
  }
  return results[0].trace();
}

ir::Value ones_for(ir::Graph& graph, std::size_t index, ir::Value result,
                   const SourceLocation& location) {
  const ir::Type type = graph.type(result);
  if (type.shape.empty()) return graph.add_constant(ir::make_literal(type.dtype, 1), location);
  support::throw_user_at(location,
                         "result {} is {}: without a cotangent of that type it must have rank 0",
                         index, ir::to_string(type));
}

void check_cotangent(const ir::Graph& graph, std::size_t index, ir::Value cotangent,
                     ir::Value result, const SourceLocation& location) {
  if (graph.type(cotangent) == graph.type(result)) return;
  support::throw_user_at(location, "cotangent {} is {}; {} is needed, the type of the result",
                         index, ir::to_string(graph.type(cotangent)),
                         ir::to_string(graph.type(result)));
}

}  // namespace

Operator gradient(const Operator& op, const GradientOptions& options) {
  Operator result;
  result.name = op.name + "_gradient";
  result.parameters = op.parameters;
  result.host_scalars = op.host_scalars;
  result.location = op.location;
  result.derive = [op, options](const std::vector<TensorSpec>& specs) {
    return ir::make_gradient(op.trace(specs), {options.wrt, options.with_results}, op.location);
  };
  return result;
}

Operator gradient(const Operator& op, const std::vector<std::string>& wrt) {
  return gradient(op, GradientOptions{.wrt = wrt});
}

std::vector<Tensor> gradients(const std::vector<Tensor>& results, const std::vector<Tensor>& wrt,
                              const std::vector<Tensor>& cotangents, const char* file, int line) {
  const SourceLocation location{file, line};
  const std::shared_ptr<dsl::Trace> trace = trace_of(results, wrt, cotangents, location);
  if (!cotangents.empty() && cotangents.size() != results.size()) {
    support::throw_user_at(location, "{} of {}; as many or none are needed",
                           support::counted(cotangents.size(), "cotangent"),
                           support::counted(results.size(), "result"));
  }
  std::vector<ir::Value> of;
  std::vector<ir::Value> by;
  std::vector<ir::Value> seeds;
  for (const Tensor& tensor : wrt) by.push_back(to_value(tensor));
  for (std::size_t i = 0; i < results.size(); ++i) {
    of.push_back(to_value(results[i]));
    if (cotangents.empty()) {
      seeds.push_back(ones_for(trace->graph, i, of[i], location));
    } else {
      seeds.push_back(to_value(cotangents[i]));
      check_cotangent(trace->graph, i, seeds[i], of[i], location);
    }
  }
  std::vector<Tensor> made;
  for (const ir::Value value : ir::add_gradients(trace->graph, of, seeds, by, location)) {
    made.emplace_back(trace, value.node, value.result);
  }
  return made;
}

Tensor stop_gradient(const Operand& a) { return dsl::add_composite(ir::Op::StopGradient, {&a}); }

}  // namespace sinter
