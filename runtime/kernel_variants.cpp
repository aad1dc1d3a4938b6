// Variants of one kernel: generated, compiled and kept by class of Facts.
#include "runtime/kernel_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "codegen/schedule.h"
#include "runtime/call_plan.h"
#include "runtime/log.h"
#include "runtime/program_cache.h"
#include "support/check.h"

namespace sinter::runtime {

std::size_t Variant::scratch_bytes(std::span<const std::int64_t> sizes) const {
  std::size_t bytes = 0;
  for (const ir::FlatExpr& workspace : workspace_bytes) {
    bytes += align_up(static_cast<std::size_t>(workspace.evaluate(sizes)));
  }
  return bytes;
}

KernelVariants::KernelVariants(const codegen::PlannedKernel& planned, DeviceImpl& device,
                               std::map<std::string, std::int64_t> sizes,
                               const ir::CallNames& names)
    : planned_(&planned),
      device_(&device),
      sizes_(std::move(sizes)),
      names_(names),
      classes_(planned.schedule->classes(planned.kernel)),
      slots_(classes_.size()) {
  support::check(!classes_.empty() && classes_.back().list().empty(),
                 "schedule {} has no class that always holds", planned.schedule->name);
  for (const ir::Facts& facts : classes_) flat_classes_.emplace_back(facts, names);
}

std::size_t KernelVariants::class_of(std::span<const std::int64_t> sizes,
                                     std::span<const ir::TensorLayout> tensors) const {
  std::size_t index = 0;
  while (index + 1 < classes_.size() && !flat_classes_[index].hold(sizes, tensors)) ++index;
  return index;
}

const Variant& KernelVariants::take(std::size_t index, std::span<const std::int64_t> sizes,
                                    std::span<const ir::TensorLayout> tensors) {
  const Variant* ready = slots_[index].ready.load(std::memory_order_acquire);
  if (ready) return *ready;
  log_mismatches(index, sizes, tensors);
  return at(index);
}

const Variant& KernelVariants::at(std::size_t index) {
  Slot& slot = slots_.at(index);
  if (const Variant* ready = slot.ready.load(std::memory_order_acquire)) return *ready;
  const std::lock_guard lock(slot.mutex);
  if (!slot.variant) {
    slot.variant = compile(index);
    slot.ready.store(slot.variant.get(), std::memory_order_release);
  }
  return *slot.variant;
}

std::vector<const Variant*> KernelVariants::compiled() const {
  std::vector<const Variant*> variants;
  for (const Slot& slot : slots_) {
    if (const Variant* ready = slot.ready.load(std::memory_order_acquire)) {
      variants.push_back(ready);
    }
  }
  return variants;
}

std::size_t KernelVariants::scratch_bytes(std::span<const std::int64_t> sizes) const {
  std::size_t most = 0;
  for (const Variant* variant : compiled()) most = std::max(most, variant->scratch_bytes(sizes));
  return most;
}

std::unique_ptr<const Variant> KernelVariants::compile(std::size_t index) const {
  const auto start = std::chrono::steady_clock::now();
  auto variant = std::make_unique<Variant>();
  GeneratedKernel generated = generate(index);
  variant->config = std::move(generated.config);
  variant->program = std::move(generated.program);
  const int level = debug_level(planned_->kernel.name());
  if (level >= 3) {
    for (const codegen::Source& source : variant->program.sources) {
      log_info(fmt::format("{}: {}\n{}", planned_->kernel.name(), source.name, source.text));
    }
  }
  variant->loaded = program_cache().load(*device_, variant->program);
  variant->bound = variant->loaded->bind(names_);
  for (const codegen::Workspace& workspace : variant->program.workspaces) {
    variant->workspace_bytes.emplace_back(workspace.size_bytes, names_.sizes);
  }
  if (level >= 1) {
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    log_info(fmt::format("{}: class {} {} with {} in {:.1f} ms", planned_->kernel.name(), index,
                         ir::to_string(classes_[index]), codegen::to_string(variant->config),
                         taken.count()));
  }
  return variant;
}

/// Why each better class does not fit a call that needs a new variant.
void KernelVariants::log_mismatches(std::size_t index, std::span<const std::int64_t> sizes,
                                    std::span<const ir::TensorLayout> tensors) const {
  if (debug_level(planned_->kernel.name()) < 2) return;
  ir::CallFacts call;
  for (std::size_t s = 0; s < sizes.size(); ++s) call.sizes[names_.sizes[s]] = sizes[s];
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    call.tensors.push_back({names_.tensors[t],
                            tensors[t].address,
                            {tensors[t].extents.begin(), tensors[t].extents.end()},
                            {tensors[t].strides.begin(), tensors[t].strides.end()}});
  }
  for (std::size_t better = 0; better < index; ++better) {
    if (const auto mismatch = ir::find_mismatch(classes_[better], call)) {
      log_info(
          fmt::format("{}: class {} does not fit: {}", planned_->kernel.name(), better, *mismatch));
    }
  }
}

GeneratedKernel KernelVariants::generate(std::size_t index) const {
  return generate_kernel(*planned_, classes_[index], device_->target(), sizes_);
}

}  // namespace sinter::runtime
