// Running a planned operator: bind, check, allocate intermediates, launch.
#include <future>

#include "ir/define/composite.h"
#include "runtime/aliasing.h"
#include "runtime/bind.h"
#include "runtime/executable_impl.h"
#include "runtime/pipeline.h"
#include "support/check.h"

namespace sinter::runtime {

namespace {

constexpr std::size_t kAlignment = 256;

std::size_t align_up(std::size_t size_bytes) {
  return (size_bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::vector<std::vector<std::int64_t>> extents_of(std::span<const TensorView> views) {
  std::vector<std::vector<std::int64_t>> extents;
  for (const TensorView& view : views) extents.push_back(view.shape);
  return extents;
}

std::size_t element_count(const std::vector<std::int64_t>& extents) {
  std::size_t count = 1;
  for (const std::int64_t extent : extents) count *= static_cast<std::size_t>(extent);
  return count;
}

// Names of the plan's tensors in one call, and where the intermediates lie in the arena.
struct CallTensors {
  std::map<std::string, ir::BoundTensor> bound;
  std::map<std::string, std::size_t> offsets;
  std::size_t arena_bytes = 0;
};

void place_intermediates(const codegen::Plan& plan,
                         const std::map<std::string, std::int64_t>& sizes, CallTensors& call) {
  for (const codegen::PlannedTensor& tensor : plan.intermediates) {
    ir::BoundTensor bound;
    bound.param = tensor.name;
    bound.extents = evaluate_shape(tensor.type.shape, sizes);
    bound.strides = ir::contiguous_strides(bound.extents);
    call.offsets[tensor.name] = call.arena_bytes;
    call.arena_bytes += align_up(element_count(bound.extents) * size_bytes(tensor.type.dtype));
    call.bound[tensor.name] = std::move(bound);
  }
}

ir::CallFacts facts_of(const ir::Kernel& kernel, const CallTensors& call,
                       const std::map<std::string, std::int64_t>& sizes) {
  ir::CallFacts facts;
  facts.sizes = sizes;
  for (const ir::KernelParam& param : kernel.params()) {
    const auto found = call.bound.find(param.name);
    support::check(found != call.bound.end(), "tensor {} of kernel {} is not bound", param.name,
                   kernel.name());
    facts.tensors.push_back(found->second);
  }
  return facts;
}

std::size_t workspace_size(const codegen::Workspace& workspace,
                           const std::map<std::string, std::int64_t>& sizes) {
  return align_up(static_cast<std::size_t>(ir::evaluate(workspace.size_bytes, {sizes, {}, {}})));
}

}  // namespace

ExecutableImpl::ExecutableImpl(ir::Graph graph, const Device& device, const CompileOptions& options)
    : graph_(std::move(graph)),
      primitives_(ir::decompose(graph_)),
      conditions_(ir::conditions_of(primitives_)),
      normalized_(normalize_for(graph_, options)),
      plan_(plan_for(normalized_, device.impl().target(), options)),
      sizes_(options.sizes),
      device_(device),
      arena_(device.impl()) {
  for (const codegen::PlannedKernel& planned : plan_.kernels) {
    kernels_.push_back(std::make_unique<KernelVariants>(planned, device.impl(), options.sizes));
  }
}

void ExecutableImpl::compile_first_variants() {
  std::vector<std::future<void>> pending;
  for (const auto& kernel : kernels_) {
    pending.push_back(std::async(std::launch::async, [&kernel] { kernel->at(0); }));
  }
  for (std::future<void>& one : pending) one.wait();
  for (std::future<void>& one : pending) one.get();
}

std::map<std::string, std::int64_t> ExecutableImpl::bind(std::span<const TensorView> inputs) const {
  auto sizes = bind_sizes(graph_, extents_of(inputs));
  ir::check_conditions(primitives_, conditions_, sizes);
  return sizes;
}

void ExecutableImpl::run(const Stream& stream, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs) {
  const auto sizes = bind(inputs);
  if (outputs.size() != graph_.outputs().size()) {
    support::throw_user("{} has {} outputs; {} were given", graph_.name(), graph_.outputs().size(),
                        outputs.size());
  }
  if (!(stream.device() == device_)) {
    support::throw_user("the stream belongs to {}; the operator was compiled for {}",
                        stream.device().id(), device_.id());
  }
  CallTensors call;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ir::NodeId id = graph_.parameters()[i];
    const std::string& name = graph_.parameter_name(id);
    const DType dtype = graph_.type({id, 0}).dtype;
    if (graph_.is_host_scalar(id)) {
      check_host_scalar(inputs[i], dtype, "input " + name);
    } else {
      check_view(inputs[i], dtype, device_, "input " + name);
    }
    call.bound[name] = to_bound_tensor(name, inputs[i]);
  }
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const ir::Type& type = graph_.type(graph_.outputs()[o]);
    const std::string role = fmt::format("output {}", o);
    check_view(outputs[o], type.dtype, device_, role);
    check_output(outputs[o], evaluate_shape(type.shape, sizes), role);
    call.bound[plan_.outputs[o]] = to_bound_tensor(plan_.outputs[o], outputs[o]);
  }
  check_aliasing(graph_, plan_, inputs, outputs);
  place_intermediates(plan_, sizes, call);

  std::vector<std::pair<const Variant*, CallBindings>> launches;
  std::size_t scratch_bytes = 0;  // workspaces of one kernel at a time, after the intermediates
  for (const auto& kernel : kernels_) {
    CallBindings bindings;
    bindings.facts = facts_of(kernel->planned().kernel, call, sizes);
    const Variant& variant = kernel->find(bindings.facts);
    std::size_t kernel_bytes = 0;
    for (const codegen::Workspace& workspace : variant.program.workspaces) {
      kernel_bytes += workspace_size(workspace, sizes);
    }
    scratch_bytes = std::max(scratch_bytes, kernel_bytes);
    launches.emplace_back(&variant, std::move(bindings));
  }
  const ArenaPool::Lease lease(arena_, stream.native(), call.arena_bytes + scratch_bytes);
  for (auto& [variant, bindings] : launches) {
    for (ir::BoundTensor& tensor : bindings.facts.tensors) {
      const auto offset = call.offsets.find(tensor.param);
      if (offset == call.offsets.end()) continue;
      tensor.address = reinterpret_cast<std::uint64_t>(lease.data() + offset->second);
    }
    std::size_t at = call.arena_bytes;
    for (const codegen::Workspace& workspace : variant->program.workspaces) {
      std::byte* memory = lease.data() + at;
      const std::size_t bytes = workspace_size(workspace, sizes);
      if (workspace.zeroed) device_.impl().fill_bytes(stream.native(), memory, 0, bytes);
      bindings.workspaces[workspace.name] = memory;
      at += bytes;
    }
    variant->loaded->launch(stream.native(), bindings);
  }
}

std::vector<TensorView> ExecutableImpl::output_views(std::span<const TensorView> inputs) const {
  const auto sizes = bind(inputs);
  std::vector<TensorView> views;
  for (const ir::Value output : graph_.outputs()) {
    TensorView view;
    view.device_kind = device_.kind();
    view.device_index = device_.index();
    view.dtype = graph_.type(output).dtype;
    view.shape = evaluate_shape(graph_.type(output).shape, sizes);
    views.push_back(std::move(view));
  }
  return views;
}

std::size_t ExecutableImpl::workspace_bytes(std::span<const TensorView> inputs) {
  const auto sizes = bind(inputs);
  CallTensors call;
  place_intermediates(plan_, sizes, call);
  std::size_t scratch_bytes = 0;
  for (const auto& kernel : kernels_) {
    std::size_t kernel_bytes = 0;
    for (const codegen::Workspace& workspace : kernel->generate(0).program.workspaces) {
      kernel_bytes += workspace_size(workspace, sizes);
    }
    scratch_bytes = std::max(scratch_bytes, kernel_bytes);
  }
  return call.arena_bytes + scratch_bytes;
}

std::string ExecutableImpl::explain() const {
  return runtime::explain(plan_, graph_, normalized_, device_.impl().target(), sizes_);
}

}  // namespace sinter::runtime
