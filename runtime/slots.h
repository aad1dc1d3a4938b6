// The 64-bit slots of an entry's arguments: where in a call each comes from, worked out once.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <vector>

#include "codegen/program.h"
#include "ir/flat_facts.h"
#include "runtime/device_impl.h"

namespace sinter::runtime {

enum class SlotKind : std::uint8_t {
  Tensor,     // address of tensor `index`
  Workspace,  // address of workspace `index`
  Size,       // value of `expr`
  Stride,     // stride `dimension` of tensor `index`
  PanelA,     // CPU: the panel of a BlasRecipe's operand or result
  PanelC,
  Scalar,     // CUDA: value of the host scalar `index`, in the low bytes
  TensorMap,  // CUDA: tensor map number `index` of the entry; the slot itself is not used
};

struct SlotSource {
  SlotKind kind = SlotKind::Size;
  std::size_t index = 0;
  std::size_t dimension = 0;
  DType dtype = DType::F32;  // of a scalar
  ir::FlatExpr expr;
};

/// Room for the usual number of arguments without an allocation.
using SlotBuffer = fmt::basic_memory_buffer<std::uint64_t, 32>;

/// Finds the places of one program's names. InternalError names the entry that wants what the call
/// does not bind.
class SlotFinder {
 public:
  SlotFinder(std::span<const codegen::Workspace> workspaces, const ir::CallNames& names)
      : workspaces_(workspaces), names_(names) {}

  SlotSource find(const codegen::Entry& entry, const codegen::Argument& argument) const;
  std::vector<SlotSource> find_all(const codegen::Entry& entry) const;
  /// The tensor or workspace of that name.
  SlotSource find_address(const std::string& symbol, const std::string& name) const;
  ir::FlatExpr flatten(const ir::IndexExpr& expr) const { return {expr, names_.sizes}; }
  const ir::CallNames& names() const { return names_; }

 private:
  SlotSource find_tensor(const std::string& symbol, const std::string& name) const;

  std::span<const codegen::Workspace> workspaces_;
  const ir::CallNames& names_;
};

/// Addresses of the panels in work, for a CPU entry that is called for one.
struct PanelAddresses {
  std::uint64_t a = 0;
  std::uint64_t c = 0;
};

std::uint64_t slot_value(const SlotSource& source, const CallArguments& call,
                         const PanelAddresses& panels = {});
/// One slot a source, in order.
void fill_slots(std::span<const SlotSource> sources, const CallArguments& call, SlotBuffer& slots,
                const PanelAddresses& panels = {});

}  // namespace sinter::runtime
