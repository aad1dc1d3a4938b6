// Which layout a call's tensors have, and what is launched for it.
#include "runtime/kernel_layouts.h"

#include <algorithm>

namespace sinter::runtime {

LayoutVariants::LayoutVariants(const ir::Kernel& kernel, codegen::DimensionOrders orders,
                               std::span<const std::size_t> tensors, DeviceImpl& device,
                               const std::map<std::string, std::int64_t>& sizes,
                               const std::vector<std::string>& size_names)
    : orders_(std::move(orders)),
      tensors_(tensors.begin(), tensors.end()),
      plan_(codegen::plan_layout(kernel, orders_, device.target(),
                                 codegen::schedules_of(device.target().backend), sizes)),
      dimensions_(orders_.size()) {
  ir::CallNames names{size_names, {}};
  for (const ir::KernelParam& param : kernel.params()) names.tensors.push_back(param.name);
  for (const codegen::PlannedTensor& tensor : plan_.intermediates) {
    names.tensors.push_back(tensor.name);
    ir::IndexExpr bytes = static_cast<std::int64_t>(size_bytes(tensor.type.dtype));
    Intermediate& intermediate = intermediates_.emplace_back();
    for (const ir::Dim& extent : tensor.type.shape) {
      bytes = bytes * extent;
      intermediate.extents.emplace_back(extent, names.sizes);
    }
    intermediate.size_bytes = {bytes, names.sizes};
    dimensions_ += tensor.type.shape.size();
  }
  for (const codegen::PlannedKernel& planned : plan_.kernels) {
    kernels_.push_back(std::make_unique<KernelVariants>(planned, device, sizes, names));
  }
}

std::size_t LayoutVariants::intermediate_bytes(std::span<const std::int64_t> sizes) const {
  std::size_t bytes = 0;
  for (const Intermediate& intermediate : intermediates_) {
    bytes += align_up(static_cast<std::size_t>(intermediate.size_bytes.evaluate(sizes)));
  }
  return bytes;
}

std::span<const ir::TensorLayout> LayoutVariants::see(CallFrame& frame, std::byte* scratch) const {
  frame.seen.clear(dimensions_);
  std::span<const std::uint8_t> rest(orders_);
  for (const std::size_t place : tensors_) {
    const ir::TensorLayout& tensor = frame.tensors[place];
    const std::size_t rank = tensor.extents.size();
    frame.seen.add_permuted(tensor, rest.first(rank));
    rest = rest.subspan(rank);
  }
  auto address = reinterpret_cast<std::uint64_t>(scratch);
  for (const Intermediate& intermediate : intermediates_) {
    frame.seen.add_dense(address, intermediate.extents, frame.sizes);
    address += align_up(static_cast<std::size_t>(intermediate.size_bytes.evaluate(frame.sizes)));
  }
  return frame.seen.list();
}

namespace {

/// Whether the facts tell how its dimensions lie, if it has several.
bool is_layout_known(const ir::Facts& facts, const ir::KernelParam& param) {
  return param.shape.size() < 2 || std::ranges::any_of(facts.list(), [&](const ir::Fact& fact) {
           return (fact.kind == ir::FactKind::Contiguous || fact.kind == ir::FactKind::Stride) &&
                  fact.param == param.name;
         });
}

}  // namespace

KernelLayouts::KernelLayouts(const codegen::PlannedKernel& planned, DeviceImpl& device,
                             std::map<std::string, std::int64_t> sizes, const ir::CallNames& names)
    : as_given_(planned, device, sizes, names),
      device_(&device),
      sizes_(std::move(sizes)),
      size_names_(names.sizes) {
  for (const ir::KernelParam& param : planned.kernel.params()) {
    tensors_.push_back(names.tensor(param.name));
  }
  for (const ir::Facts& facts : as_given_.classes()) {
    std::vector<bool>& known = is_known_.emplace_back();
    for (const ir::KernelParam& param : planned.kernel.params()) {
      known.push_back(is_layout_known(facts, param));
    }
  }
}

std::size_t KernelLayouts::find(CallFrame& frame) {
  const std::size_t facts_class = as_given_.class_of(frame.sizes, frame.tensors);
  const LayoutVariants* layout = other_layout(facts_class, frame);
  if (layout == nullptr) {
    const Variant& variant = as_given_.take(facts_class, frame.sizes, frame.tensors);
    frame.launches.push_back({&variant, nullptr});
    return variant.scratch_bytes(frame.sizes);
  }
  std::size_t scratch_bytes = 0;
  const auto tensors = layout->see(frame, nullptr);
  for (const auto& kernel : layout->kernels()) {
    const Variant& variant = kernel->find(frame.sizes, tensors);
    frame.launches.push_back({&variant, layout});
    scratch_bytes = std::max(scratch_bytes, variant.scratch_bytes(frame.sizes));
  }
  return layout->intermediate_bytes(frame.sizes) + scratch_bytes;
}

const LayoutVariants* KernelLayouts::other_layout(std::size_t facts_class, CallFrame& frame) {
  const std::vector<bool>& known = is_known_[facts_class];
  if (std::ranges::find(known, false) == known.end()) return nullptr;
  frame.orders.clear();
  bool is_other = false;
  for (std::size_t p = 0; p < tensors_.size(); ++p) {
    const std::size_t first = frame.orders.size();
    append_memory_order(frame.tensors[tensors_[p]], frame.orders);
    const bool is_permuted = !std::is_sorted(
        frame.orders.begin() + static_cast<std::ptrdiff_t>(first), frame.orders.end());
    is_other |= is_permuted && !known[p];
  }
  if (!is_other) return nullptr;
  const LayoutVariants* layout = layout_of(frame.orders);
  return layout->kernels().empty() ? nullptr : layout;
}

const LayoutVariants* KernelLayouts::layout_of(const codegen::DimensionOrders& orders) {
  std::unique_lock lock(mutex_);
  Slot& slot = layouts_[orders];  // stays where it is
  lock.unlock();
  std::call_once(slot.is_planned, [&] {
    auto variants = std::make_unique<LayoutVariants>(as_given_.planned().kernel, orders, tensors_,
                                                     *device_, sizes_, size_names_);
    lock.lock();  // for those who list all
    slot.variants = std::move(variants);
    lock.unlock();
  });
  return slot.variants.get();
}

std::size_t KernelLayouts::scratch_bytes(std::span<const std::int64_t> sizes) const {
  std::size_t most = as_given_.scratch_bytes(sizes);
  const std::lock_guard lock(mutex_);
  for (const auto& [orders, slot] : layouts_) {
    if (!slot.variants) continue;
    for (const auto& kernel : slot.variants->kernels()) {
      most =
          std::max(most, slot.variants->intermediate_bytes(sizes) + kernel->scratch_bytes(sizes));
    }
  }
  return most;
}

std::vector<const KernelVariants*> KernelLayouts::kernels() const {
  std::vector<const KernelVariants*> all = {&as_given_};
  const std::lock_guard lock(mutex_);
  for (const auto& [orders, slot] : layouts_) {
    if (!slot.variants) continue;
    for (const auto& kernel : slot.variants->kernels()) all.push_back(kernel.get());
  }
  return all;
}

}  // namespace sinter::runtime
