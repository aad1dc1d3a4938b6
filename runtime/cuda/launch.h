// From a launch recipe and a call's bindings to the arguments of cuLaunchKernelEx. Pure: needs no
// device.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/program.h"
#include "runtime/cuda/driver.h"
#include "runtime/device_impl.h"

namespace sinter::runtime {

/// One launch, ready to be handed to the driver.
struct PreparedLaunch {
  CudaLaunchConfig config;  // without stream and attributes
  std::vector<CudaLaunchAttribute> attributes;
  std::vector<std::uint64_t> arguments;  // one 64-bit slot each
  bool is_empty = false;                 // a dimension of the grid is 0: nothing to do
};

/// Evaluates the recipe for the call's sizes. InternalError where the call lacks a tensor or
/// workspace. Host scalars are read now, so the caller may change them after; RuntimeError where the grid is larger than any device's.
PreparedLaunch prepare_launch(const codegen::Entry& entry, const CallBindings& call);

}  // namespace sinter::runtime
