// Variants of one kernel: generated, compiled and kept by class of Facts.
#include "codegen/schedule.h"
#include "runtime/executable_impl.h"
#include "runtime/log.h"
#include "runtime/pipeline.h"
#include "runtime/program_cache.h"
#include "support/check.h"

namespace sinter::runtime {

KernelVariants::KernelVariants(const codegen::PlannedKernel& planned, DeviceImpl& device,
                               std::map<std::string, std::int64_t> sizes)
    : planned_(&planned),
      device_(&device),
      sizes_(std::move(sizes)),
      classes_(planned.schedule->classes(planned.kernel)) {
  support::check(!classes_.empty() && classes_.back().list().empty(),
                 "schedule {} has no class that always holds", planned.schedule->name);
}

const Variant& KernelVariants::find(const ir::CallFacts& call) {
  for (std::size_t index = 0; index + 1 < classes_.size(); ++index) {
    const auto mismatch = ir::find_mismatch(classes_[index], call);
    if (!mismatch) return at(index);
    if (debug_level(planned_->kernel.name()) >= 2) {
      logger().info("{}: class {} does not fit: {}", planned_->kernel.name(), index, *mismatch);
    }
  }
  return at(classes_.size() - 1);
}

const Variant& KernelVariants::at(std::size_t index) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Variant>& slot = variants_[index];
  if (!slot) {
    auto made = std::make_unique<Variant>(generate(index));
    made->loaded = program_cache().load(*device_, made->program);
    if (debug_level(planned_->kernel.name()) >= 1) {
      logger().info("{}: class {} {} with {}", planned_->kernel.name(), index,
                    ir::to_string(classes_[index]), codegen::to_string(made->config));
    }
    slot = std::move(made);
  }
  return *slot;
}

Variant KernelVariants::generate(std::size_t index) const {
  GeneratedKernel generated =
      generate_kernel(*planned_, classes_[index], device_->target(), sizes_);
  return {std::move(generated.config), std::move(generated.program), nullptr};
}

}  // namespace sinter::runtime
