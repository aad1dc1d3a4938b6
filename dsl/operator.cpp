// Tracing an operator's body.
#include <cxxabi.h>

#include <algorithm>
#include <new>

#include "dsl/trace.h"
#include "ir/conditions.h"
#include "sinter/op.h"
#include "sinter/tensor.h"
#include "support/check.h"
#include "support/counted.h"

namespace sinter {

namespace {

ir::Value add_parameter(ir::Graph& graph, const Operator& op, std::size_t index,
                        const TensorSpec& spec) {
  const std::string& name = op.parameters[index];
  const ir::Type type{spec.dtype, dsl::to_shape(spec.shape)};
  const bool is_scalar = std::ranges::count(op.host_scalars, name) > 0;
  if (spec.constant_bits && !is_scalar) {
    support::throw_user_at(op.location, "parameter {} of {} is a Tensor; only a Scalar is constant",
                           name, op.name);
  }
  if (!is_scalar) return graph.add_parameter(name, type, op.location);
  if (!type.shape.empty()) {
    support::throw_user_at(op.location, "parameter {} of {} is a Scalar, of rank 0; {} was given",
                           name, op.name, ir::to_string(type));
  }
  if (spec.constant_bits) {
    return graph.add_constant({spec.dtype, *spec.constant_bits}, op.location);
  }
  return graph.add_host_scalar(name, spec.dtype, op.location);
}

[[noreturn]] void refuse_count(const Operator& op, const std::vector<std::string>& parameters,
                               std::size_t given) {
  support::throw_user_at(op.location, "{} has {} ({}); given {}", op.name,
                         support::counted(parameters.size(), "parameter"),
                         fmt::join(parameters, ", "), support::counted(given, "type"));
}

/// Types beyond those of op.parameters must be what follows from them.
ir::Graph trace_derived(const Operator& op, const std::vector<TensorSpec>& specs) {
  const std::size_t given = op.parameters.size();
  ir::Graph graph = op.derive({specs.begin(), specs.begin() + static_cast<std::ptrdiff_t>(given)});
  const std::vector<ir::NodeId>& ids = graph.parameters();
  if (specs.size() != given && specs.size() != ids.size()) {
    std::vector<std::string> names;
    for (const ir::NodeId id : ids) names.push_back(graph.parameter_name(id));
    refuse_count(op, names, specs.size());
  }
  for (std::size_t i = given; i < specs.size(); ++i) {
    const ir::Type type{specs[i].dtype, dsl::to_shape(specs[i].shape)};
    const ir::Type& needed = graph.type({ids[i], 0});
    if (type == needed) continue;
    support::throw_user_at(op.location, "parameter {} of {} is {}; {} was given",
                           graph.parameter_name(ids[i]), op.name, ir::to_string(needed),
                           ir::to_string(type));
  }
  ir::check_sizes_are_known(graph);
  return graph;
}

// What the body throws beside Sinter's own errors is the user's, like a mistake in it.
std::vector<Tensor> run_body(const Operator& op, const std::vector<Tensor>& arguments) {
  try {
    return op.body(arguments);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const abi::__forced_unwind&) {  // the thread is being cancelled
    throw;
  } catch (const std::exception& error) {
    support::throw_user_at(op.location, "the body of {} throws: {}", op.name, error.what());
  } catch (...) {
    support::throw_user_at(op.location, "the body of {} throws what is no std::exception", op.name);
  }
}

}  // namespace

DType Tensor::dtype() const { return trace_->graph.type({node_, result_}).dtype; }

std::vector<Dim> Tensor::shape() const {
  std::vector<Dim> dims;
  for (const ir::Dim& dim : trace_->graph.type({node_, result_}).shape) dims.emplace_back(dim);
  return dims;
}

int Tensor::rank() const {
  return static_cast<int>(trace_->graph.type({node_, result_}).shape.size());
}

TensorSpec constant(DType dtype, const Operand& literal) {
  return {dtype, {}, dsl::literal_of(literal, dtype, "constant").bits};
}

ir::Graph Operator::trace(const std::vector<TensorSpec>& specs) const {
  if (derive && specs.size() >= parameters.size()) return trace_derived(*this, specs);
  if (specs.size() != parameters.size()) {
    refuse_count(*this, parameters, specs.size());
  }
  const auto trace = std::make_shared<dsl::Trace>(name, "operator " + name);
  std::vector<Tensor> arguments;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const ir::Value value = add_parameter(trace->graph, *this, i, specs[i]);
    arguments.emplace_back(trace, value.node, value.result);
  }
  std::vector<ir::Value> outputs;
  {
    const dsl::TraceScope scope(trace);
    for (const Tensor& tensor : run_body(*this, arguments)) {
      if (tensor.trace() != trace) {
        const bool is_again = tensor.trace()->owner == trace->owner;
        support::throw_user_at(location,
                               "{} returns a tensor of {}{}; it is valid only inside the body that "
                               "made it",
                               name, is_again ? "an earlier trace of " : "", tensor.trace()->owner);
      }
      outputs.push_back(dsl::to_value(tensor));
    }
  }
  if (outputs.empty()) {
    support::throw_user_at(location, "{} returns nothing; at least one tensor is needed", name);
  }
  trace->graph.set_outputs(std::move(outputs));
  ir::check_sizes_are_known(trace->graph);
  return trace->graph;
}

}  // namespace sinter
