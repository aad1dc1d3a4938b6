// From a launch recipe and a call to the arguments of cuLaunchKernelEx. Pure: needs no device.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/program.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/tensor_map.h"
#include "runtime/slots.h"

namespace sinter::runtime {

/// A launch recipe whose arguments have their places in a call.
struct LaunchStep {
  std::string symbol;
  ir::FlatExpr grid[3];
  ir::FlatExpr shared_bytes;
  std::uint32_t block[3] = {1, 1, 1};
  std::vector<CudaLaunchAttribute> attributes;
  std::vector<SlotSource> slots;
  std::vector<TensorMapStep> tensor_maps;  // those that slots of kind TensorMap count
};

LaunchStep make_launch_step(const codegen::Entry& entry, const SlotFinder& finder);

/// One launch, ready to be handed to the driver but for stream, attributes and tensor maps.
struct PreparedLaunch {
  CudaLaunchConfig config;
  SlotBuffer arguments;   // one 64-bit slot each
  bool is_empty = false;  // a dimension of the grid is 0: nothing to do
};

/// Evaluates the recipe for the call's sizes. Host scalars are read now, so the caller may change
/// them after. RuntimeError where the grid is larger than any device's.
PreparedLaunch prepare_launch(const LaunchStep& step, const CallArguments& call);

}  // namespace sinter::runtime
