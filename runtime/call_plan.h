// What all calls of a planned operator share, worked out once: the places of sizes and tensors, and
// their expressions. A call then compares no names and builds no maps.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codegen/plan/plan.h"
#include "ir/bind_sizes.h"
#include "ir/flat_conditions.h"
#include "ir/flat_facts.h"
#include "ir/graph.h"
#include "runtime/aliasing.h"
#include "runtime/bind.h"
#include "runtime/tensor_layouts.h"
#include "sinter/tensor_view.h"

namespace sinter::runtime {

/// Start of intermediates and workspaces in the arena.
inline constexpr std::size_t kArenaAlignment = 256;
std::size_t align_up(std::size_t size_bytes);

struct Variant;
class LayoutVariants;

/// `layout`: whose kernel it is, which sees the call's tensors in other orders; null: as they are.
struct Launch {
  const Variant* variant = nullptr;
  const LayoutVariants* layout = nullptr;
};

/// Memory of one call, to be used again by later ones. Tensors: inputs, outputs, intermediates.
struct CallFrame {
  std::vector<std::int64_t> sizes;
  std::vector<ir::TensorLayout> tensors;
  std::vector<std::int64_t> numbers;  // extents and strides that no view holds
  std::vector<std::size_t> offsets;   // of intermediates in the arena
  std::size_t arena_bytes = 0;
  std::vector<Launch> launches;  // in order
  codegen::DimensionOrders orders;
  SeenTensors seen;  // by the kernels of one layout
  std::vector<void*> workspaces;
};

class CallPlan {
 public:
  CallPlan(const ir::Graph& graph, const codegen::Plan& plan, DevicePlace place);

  const ir::CallNames& names() const { return names_; }
  /// What each call's sizes are checked for.
  const std::vector<ir::Condition>& conditions() const { return conditions_; }
  /// Sizes from the inputs' extents, for which every condition of the graph holds; UserError as
  /// ir::bind_sizes and ir::check_conditions.
  void bind_sizes(std::span<const TensorView> inputs, CallFrame& frame) const;
  /// Checks inputs and outputs and puts their layouts into the frame, whose sizes are bound. UserError
  /// names the tensor.
  void bind_tensors(std::span<const TensorView> inputs, std::span<const TensorView> outputs,
                    CallFrame& frame) const;
  /// Places the intermediates, from offset 0 of the arena on; their addresses are not set yet.
  void place_intermediates(CallFrame& frame) const;
  /// Sets the intermediates' addresses.
  void set_arena(std::byte* arena, CallFrame& frame) const;
  /// Extents of each output.
  std::vector<std::vector<std::int64_t>> output_extents(const CallFrame& frame) const;

 private:
  struct Tensor {
    std::string role;  // "input x", for messages
    ir::DType dtype = ir::DType::F32;
    bool is_host_scalar = false;
    std::vector<ir::FlatExpr> extents;
  };
  struct Step {
    ir::SizeStep step;
    ir::FlatExpr rest;
  };

  Tensor make_tensor(std::string role, const ir::Type& type) const;
  bool try_bind_sizes(std::span<const TensorView> inputs, CallFrame& frame) const;
  std::span<const std::int64_t> evaluate_extents(const Tensor& tensor, CallFrame& frame) const;
  ir::TensorLayout layout_of(const TensorView& view, CallFrame& frame) const;

  ir::Graph graph_;
  DevicePlace place_;
  ir::CallNames names_;
  std::size_t known_sizes_ = 0;  // the first of names_.sizes are those that inputs determine
  std::vector<Step> steps_;      // one for each of them
  std::vector<ir::Condition> conditions_;
  ir::FlatConditions flat_conditions_;
  std::vector<Tensor> inputs_, outputs_, intermediates_;
  AliasRules alias_rules_;
  std::size_t number_count_ = 0;  // most numbers that a call puts into its frame
};

}  // namespace sinter::runtime
