#include "runtime/slots.h"

#include <algorithm>
#include <cstring>

#include "support/check.h"

namespace sinter::runtime {

SlotSource SlotFinder::find_tensor(const std::string& symbol, const std::string& name) const {
  const auto place = std::find(names_.tensors.begin(), names_.tensors.end(), name);
  support::check(place != names_.tensors.end(), "{}: no tensor is bound to '{}'", symbol, name);
  return {.kind = SlotKind::Tensor,
          .index = static_cast<std::size_t>(place - names_.tensors.begin())};
}

SlotSource SlotFinder::find_address(const std::string& symbol, const std::string& name) const {
  if (name == codegen::kPanelA) return {.kind = SlotKind::PanelA};
  if (name == codegen::kPanelC) return {.kind = SlotKind::PanelC};
  for (std::size_t i = 0; i < workspaces_.size(); ++i) {
    if (workspaces_[i].name == name) return {.kind = SlotKind::Workspace, .index = i};
  }
  return find_tensor(symbol, name);
}

SlotSource SlotFinder::find(const codegen::Entry& entry, const codegen::Argument& argument) const {
  switch (argument.kind) {
    case codegen::ArgumentKind::Pointer: return find_tensor(entry.symbol, argument.param);
    case codegen::ArgumentKind::Size:
      return {.kind = SlotKind::Size, .expr = flatten(argument.expr)};
    case codegen::ArgumentKind::Stride: {
      SlotSource source = find_tensor(entry.symbol, argument.param);
      source.kind = SlotKind::Stride;
      source.dimension = static_cast<std::size_t>(argument.dimension);
      return source;
    }
    case codegen::ArgumentKind::Workspace: {
      SlotSource source = find_address(entry.symbol, argument.param);
      support::check(source.kind != SlotKind::Tensor, "{}: workspace '{}' is not bound",
                     entry.symbol, argument.param);
      return source;
    }
    case codegen::ArgumentKind::Scalar: {
      SlotSource source = find_tensor(entry.symbol, argument.param);
      source.kind = SlotKind::Scalar;
      source.dtype = argument.dtype;
      return source;
    }
    case codegen::ArgumentKind::TensorMap: break;
  }
  support::throw_internal("{} wants a tensor map where there are none", entry.symbol);
}

std::vector<SlotSource> SlotFinder::find_all(const codegen::Entry& entry) const {
  std::vector<SlotSource> sources;
  for (const codegen::Argument& argument : entry.arguments) {
    sources.push_back(find(entry, argument));
  }
  return sources;
}

namespace {

/// The driver copies the first bytes of the slot, as many as the parameter's type has.
std::uint64_t read_scalar(std::uint64_t address, DType dtype) {
  std::uint64_t slot = 0;
  std::memcpy(&slot, reinterpret_cast<const void*>(address), size_bytes(dtype));
  return slot;
}

}  // namespace

std::uint64_t slot_value(const SlotSource& source, const CallArguments& call,
                         const PanelAddresses& panels) {
  switch (source.kind) {
    case SlotKind::Tensor: return call.tensors[source.index].address;
    case SlotKind::Workspace: return reinterpret_cast<std::uint64_t>(call.workspaces[source.index]);
    case SlotKind::Size: return static_cast<std::uint64_t>(source.expr.evaluate(call.sizes));
    case SlotKind::Stride:
      return static_cast<std::uint64_t>(call.tensors[source.index].strides[source.dimension]);
    case SlotKind::PanelA: return panels.a;
    case SlotKind::PanelC: return panels.c;
    case SlotKind::Scalar: return read_scalar(call.tensors[source.index].address, source.dtype);
    case SlotKind::TensorMap: return 0;
  }
  support::throw_internal("slot kind {} does not exist", static_cast<int>(source.kind));
}

void fill_slots(std::span<const SlotSource> sources, const CallArguments& call, SlotBuffer& slots,
                const PanelAddresses& panels) {
  slots.resize(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    slots[i] = slot_value(sources[i], call, panels);
  }
}

}  // namespace sinter::runtime
