// Running a planned operator: bind, check, place intermediates, launch.
#include <algorithm>
#include <future>

#include "runtime/executable_impl.h"
#include "runtime/folds.h"
#include "runtime/pipeline.h"
#include "support/check.h"

namespace sinter::runtime {

namespace {

DevicePlace place_of(const Device& device) { return {device.kind(), device.index(), device.id()}; }

codegen::Plan edited(codegen::Plan plan, const std::function<void(codegen::Plan&)>& edit) {
  if (edit) edit(plan);
  return plan;
}

}  // namespace

ExecutableImpl::ExecutableImpl(ir::Graph graph, const Device& device, const CompileOptions& options,
                               const std::function<void(codegen::Plan&)>& edit)
    : graph_(std::move(graph)),
      normalized_(normalize_for(graph_, options)),
      plan_(edited(plan_for(normalized_, device.impl().target(), options), edit)),
      options_(options),
      device_(device),
      call_plan_(graph_, plan_, place_of(device)),
      arena_(device.impl()) {
  for (const codegen::PlannedKernel& planned : plan_.kernels) {
    kernels_.push_back(
        std::make_unique<KernelLayouts>(planned, device.impl(), options.sizes, call_plan_.names()));
  }
}

void ExecutableImpl::compile_first_variants() {
  std::vector<std::future<void>> pending;
  for (const auto& kernel : kernels_) {
    pending.push_back(std::async(std::launch::async, [&kernel] { kernel->as_given().at(0); }));
  }
  for (std::future<void>& one : pending) one.wait();
  for (std::future<void>& one : pending) one.get();
}

void ExecutableImpl::run(const Stream& stream, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs) {
  const FramePool::Lease lease(frames_);
  launch_all(stream, inputs, outputs, lease.frame());
}

void ExecutableImpl::launch_all(const Stream& stream, std::span<const TensorView> inputs,
                                std::span<const TensorView> outputs, CallFrame& frame) {
  call_plan_.bind_sizes(inputs, frame);
  if (!(stream.device() == device_)) {
    support::throw_user("the stream belongs to {}; the operator was compiled for {}",
                        stream.device().id(), device_.id());
  }
  call_plan_.bind_tensors(inputs, outputs, frame);
  call_plan_.place_intermediates(frame);
  frame.launches.clear();
  std::size_t scratch_bytes = 0;  // of one kernel at a time, after the intermediates
  for (const auto& kernel : kernels_) {
    scratch_bytes = std::max(scratch_bytes, kernel->find(frame));
  }
  const ArenaPool::Lease lease(arena_, stream.native(), frame.arena_bytes + scratch_bytes);
  call_plan_.set_arena(lease.data(), frame);
  for (const Launch& launch : frame.launches) {
    launch_one(stream, launch, lease.data() + frame.arena_bytes, frame);
  }
}

void ExecutableImpl::launch_one(const Stream& stream, const Launch& launch, std::byte* scratch,
                                CallFrame& frame) {
  const Variant& variant = *launch.variant;
  std::span<const ir::TensorLayout> tensors = frame.tensors;
  if (launch.layout != nullptr) {
    tensors = launch.layout->see(frame, scratch);
    scratch += launch.layout->intermediate_bytes(frame.sizes);
  }
  frame.workspaces.clear();
  for (std::size_t w = 0; w < variant.workspace_bytes.size(); ++w) {
    const auto bytes = static_cast<std::size_t>(variant.workspace_bytes[w].evaluate(frame.sizes));
    if (variant.program.workspaces[w].zeroed) {
      device_.impl().fill_bytes(stream.native(), scratch, 0, bytes);
    }
    frame.workspaces.push_back(scratch);
    scratch += align_up(bytes);
  }
  variant.bound->launch(stream.native(), {frame.sizes, tensors, frame.workspaces});
}

std::vector<TensorView> ExecutableImpl::output_views(std::span<const TensorView> inputs) const {
  CallFrame frame;
  call_plan_.bind_sizes(inputs, frame);
  std::vector<TensorView> views;
  for (std::vector<std::int64_t>& extents : call_plan_.output_extents(frame)) {
    TensorView view;
    view.device_kind = device_.kind();
    view.device_index = device_.index();
    view.dtype = graph_.type(graph_.outputs()[views.size()]).dtype;
    view.shape = std::move(extents);
    views.push_back(std::move(view));
  }
  return views;
}

std::size_t ExecutableImpl::workspace_bytes(std::span<const TensorView> inputs) const {
  CallFrame frame;
  call_plan_.bind_sizes(inputs, frame);
  call_plan_.place_intermediates(frame);
  std::size_t scratch_bytes = 0;
  for (const auto& kernel : kernels_) {
    scratch_bytes = std::max(scratch_bytes, kernel->scratch_bytes(frame.sizes));
  }
  return frame.arena_bytes + scratch_bytes;
}

std::int64_t ExecutableImpl::longest_chain(std::span<const TensorView> inputs) const {
  CallFrame frame;
  call_plan_.bind_sizes(inputs, frame);
  std::int64_t longest = 1;
  for (const auto& layouts : kernels_) {
    for (const KernelVariants* kernel : layouts->kernels()) {
      const std::size_t folds = count_folds(kernel->planned().kernel);
      for (const Variant* variant : kernel->compiled()) {
        const auto& accumulations = variant->program.accumulations;
        if (accumulations.size() != folds) return 0;
        for (const codegen::Accumulation& accumulation : accumulations) {
          const ir::FlatExpr chain(accumulation.longest_chain, call_plan_.names().sizes);
          longest = std::max(longest, chain.evaluate(frame.sizes));
        }
      }
    }
  }
  return longest;
}

std::string ExecutableImpl::explain() const {
  return runtime::explain(plan_, graph_, normalized_, device_.impl().target(), options_.sizes);
}

}  // namespace sinter::runtime
