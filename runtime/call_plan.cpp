// Sizes first, then tensors: inputs, outputs, intermediates.
#include "runtime/call_plan.h"

#include <algorithm>

#include "ir/define/composite.h"
#include "support/check.h"
#include "support/counted.h"

namespace sinter::runtime {
namespace {

void add_sizes(const ir::Shape& shape, std::set<std::string>& names) {
  for (const ir::Dim& dim : shape) names.merge(ir::sizes_of(dim));
}

/// Every size that a call evaluates.
std::set<std::string> sizes_of(const ir::Graph& graph, const codegen::Plan& plan,
                               std::span<const ir::Condition> conditions) {
  std::set<std::string> names;
  for (const ir::Condition& condition : conditions) {
    add_sizes({condition.left, condition.right, condition.count}, names);
  }
  for (const ir::Value output : graph.outputs()) add_sizes(graph.type(output).shape, names);
  for (const codegen::PlannedTensor& tensor : plan.intermediates) {
    add_sizes(tensor.type.shape, names);
  }
  for (const codegen::PlannedKernel& planned : plan.kernels) {
    for (const ir::Axis& axis : planned.kernel.axes()) add_sizes({axis.extent}, names);
    for (const ir::KernelParam& param : planned.kernel.params()) add_sizes(param.shape, names);
    for (const ir::KernelNode& node : planned.kernel.nodes()) {
      for (const ir::Attribute& attribute : node.attributes.list()) {
        if (const auto* shape = std::get_if<ir::Shape>(&attribute.value)) add_sizes(*shape, names);
      }
    }
  }
  for (const ir::NodeId id : graph.parameters()) add_sizes(graph.type({id, 0}).shape, names);
  return names;
}

std::uint64_t address_of(const TensorView& view) {
  return reinterpret_cast<std::uint64_t>(view.data) + view.byte_offset;
}

}  // namespace

std::size_t align_up(std::size_t size_bytes) {
  return (size_bytes + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
}

CallPlan::CallPlan(const ir::Graph& graph, const codegen::Plan& plan, DevicePlace place)
    : graph_(ir::decompose(graph)),  // definitions have conditions as well
      place_(std::move(place)),
      conditions_(ir::conditions_of(graph_)),
      alias_rules_(graph, plan) {
  std::set<std::string> others = sizes_of(graph, plan, conditions_);
  const std::vector<ir::SizeStep> steps = ir::size_steps(graph);
  for (const ir::SizeStep& step : steps) {
    names_.sizes.push_back(step.name);
    others.erase(step.name);
  }
  known_sizes_ = steps.size();
  names_.sizes.insert(names_.sizes.end(), others.begin(), others.end());
  for (const ir::SizeStep& step : steps) {
    steps_.push_back({step, ir::FlatExpr(step.rest, names_.sizes)});
  }
  flat_conditions_ = ir::FlatConditions(conditions_, names_.sizes);
  for (const ir::NodeId id : graph.parameters()) {
    names_.tensors.push_back(graph.parameter_name(id));
    inputs_.push_back(make_tensor("input " + names_.tensors.back(), graph.type({id, 0})));
    inputs_.back().is_host_scalar = graph.is_host_scalar(id);
  }
  for (std::size_t o = 0; o < graph.outputs().size(); ++o) {
    names_.tensors.push_back(plan.outputs[o]);
    outputs_.push_back(make_tensor(fmt::format("output {}", o), graph.type(graph.outputs()[o])));
  }
  for (const codegen::PlannedTensor& tensor : plan.intermediates) {
    names_.tensors.push_back(tensor.name);
    intermediates_.push_back(make_tensor(tensor.name, tensor.type));
  }
  for (const auto* list : {&inputs_, &outputs_, &intermediates_}) {
    for (const Tensor& tensor : *list) number_count_ += 2 * tensor.extents.size();
  }
}

CallPlan::Tensor CallPlan::make_tensor(std::string role, const ir::Type& type) const {
  Tensor tensor;
  tensor.role = std::move(role);
  tensor.dtype = type.dtype;
  for (const ir::Dim& dim : type.shape) tensor.extents.emplace_back(dim, names_.sizes);
  return tensor;
}

bool CallPlan::try_bind_sizes(std::span<const TensorView> inputs, CallFrame& frame) const {
  if (inputs.size() != inputs_.size() || known_sizes_ < names_.sizes.size()) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].shape.size() != inputs_[i].extents.size()) return false;
    if (!ir::is_addressable(inputs[i].shape)) return false;
  }
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const ir::SizeStep& step = steps_[s].step;
    frame.sizes[s] =
        step.solve(inputs[step.input].shape[step.dimension], steps_[s].rest.evaluate(frame.sizes));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t d = 0; d < inputs[i].shape.size(); ++d) {
      if (inputs_[i].extents[d].evaluate(frame.sizes) != inputs[i].shape[d]) return false;
    }
  }
  return true;
}

void CallPlan::bind_sizes(std::span<const TensorView> inputs, CallFrame& frame) const {
  frame.sizes.assign(names_.sizes.size(), 0);
  frame.tensors.clear();
  frame.numbers.clear();
  frame.numbers.reserve(number_count_);  // spans into it stay
  if (try_bind_sizes(inputs, frame) && flat_conditions_.hold(frame.sizes)) return;
  // The same by name, for the words of the error.
  std::vector<std::vector<std::int64_t>> extents;
  for (const TensorView& view : inputs) extents.push_back(view.shape);
  ir::check_conditions(graph_, conditions_, ir::bind_sizes(graph_, extents));
  support::throw_user("the size '{}' has no value", names_.sizes.at(known_sizes_));
}

std::span<const std::int64_t> CallPlan::evaluate_extents(const Tensor& tensor,
                                                         CallFrame& frame) const {
  const std::size_t first = frame.numbers.size();
  for (const ir::FlatExpr& extent : tensor.extents) {
    frame.numbers.push_back(extent.evaluate(frame.sizes));
    if (frame.numbers.back() >= 0) continue;
    support::throw_user("dimension {} of {} is {}; a size is at least 0",
                        frame.numbers.size() - 1 - first, tensor.role, frame.numbers.back());
  }
  const std::span<const std::int64_t> extents = std::span(frame.numbers).subspan(first);
  ir::check_addressable(extents, tensor.role);
  return extents;
}

ir::TensorLayout CallPlan::layout_of(const TensorView& view, CallFrame& frame) const {
  ir::TensorLayout layout{address_of(view), view.shape, view.strides};
  if (view.strides.empty()) layout.strides = append_dense_strides(view.shape, frame.numbers);
  return layout;
}

void CallPlan::bind_tensors(std::span<const TensorView> inputs, std::span<const TensorView> outputs,
                            CallFrame& frame) const {
  if (outputs.size() != outputs_.size()) {
    support::throw_user("{} has {}; given {}", graph_.name(),
                        support::counted(outputs_.size(), "output"), outputs.size());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& tensor = inputs_[i];
    if (tensor.is_host_scalar) {
      check_host_scalar(inputs[i], tensor.dtype, tensor.role);
    } else {
      check_view(inputs[i], tensor.dtype, place_, tensor.role);
    }
    frame.tensors.push_back(layout_of(inputs[i], frame));
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    check_view(outputs[o], outputs_[o].dtype, place_, outputs_[o].role);
    const std::size_t used = frame.numbers.size();
    check_output(outputs[o], evaluate_extents(outputs_[o], frame), outputs_[o].role);
    frame.numbers.resize(used);
    frame.tensors.push_back(layout_of(outputs[o], frame));
  }
  const std::span tensors(frame.tensors);
  alias_rules_.check(tensors.first(inputs.size()), tensors.subspan(inputs.size()));
}

void CallPlan::place_intermediates(CallFrame& frame) const {
  frame.arena_bytes = 0;
  frame.offsets.clear();
  for (const Tensor& tensor : intermediates_) {
    const std::span<const std::int64_t> extents = evaluate_extents(tensor, frame);
    frame.tensors.push_back({0, extents, append_dense_strides(extents, frame.numbers)});
    std::size_t bytes = size_bytes(tensor.dtype);
    for (const std::int64_t extent : extents) bytes *= static_cast<std::size_t>(extent);
    frame.offsets.push_back(frame.arena_bytes);
    frame.arena_bytes += align_up(bytes);
  }
}

void CallPlan::set_arena(std::byte* arena, CallFrame& frame) const {
  const std::size_t first = frame.tensors.size() - intermediates_.size();
  for (std::size_t i = 0; i < intermediates_.size(); ++i) {
    frame.tensors[first + i].address = reinterpret_cast<std::uint64_t>(arena + frame.offsets[i]);
  }
}

std::vector<std::vector<std::int64_t>> CallPlan::output_extents(const CallFrame& frame) const {
  std::vector<std::vector<std::int64_t>> result;
  CallFrame copy = frame;
  for (const Tensor& tensor : outputs_) {
    copy.numbers.clear();
    const std::span<const std::int64_t> extents = evaluate_extents(tensor, copy);
    result.emplace_back(extents.begin(), extents.end());
  }
  return result;
}

}  // namespace sinter::runtime
