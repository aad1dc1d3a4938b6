// Evaluation of recipes: grid, shared memory, cluster, arguments.
#include "runtime/cuda/launch.h"

#include <cstring>

#include "support/check.h"

namespace sinter::runtime {
namespace {

/// Largest grid in each dimension, on all devices (programming guide, technical specifications).
constexpr std::int64_t kMaxGrid[3] = {2147483647, 65535, 65535};

const ir::BoundTensor& find_tensor(const CallBindings& call, const codegen::Entry& entry,
                                   const std::string& param) {
  for (const ir::BoundTensor& tensor : call.facts.tensors) {
    if (tensor.param == param) return tensor;
  }
  support::throw_internal("{}: no tensor is bound to '{}'", entry.symbol, param);
}

std::uint64_t argument_value(const codegen::Argument& argument, const codegen::Entry& entry,
                             const CallBindings& call, const ir::IndexBindings& bindings) {
  switch (argument.kind) {
    case codegen::ArgumentKind::Pointer: return find_tensor(call, entry, argument.param).address;
    case codegen::ArgumentKind::Size:
      return static_cast<std::uint64_t>(ir::evaluate(argument.expr, bindings));
    case codegen::ArgumentKind::Stride: {
      const ir::BoundTensor& tensor = find_tensor(call, entry, argument.param);
      return static_cast<std::uint64_t>(
          tensor.strides.at(static_cast<std::size_t>(argument.dimension)));
    }
    case codegen::ArgumentKind::Workspace: {
      const auto found = call.workspaces.find(argument.param);
      support::check(found != call.workspaces.end(), "{}: workspace '{}' is not bound",
                     entry.symbol, argument.param);
      return reinterpret_cast<std::uint64_t>(found->second);
    }
    case codegen::ArgumentKind::Scalar: {
      // The driver copies the first bytes of the slot, as many as the parameter's type has.
      const std::uint64_t address = find_tensor(call, entry, argument.param).address;
      std::uint64_t slot = 0;
      std::memcpy(&slot, reinterpret_cast<const void*>(address), size_bytes(argument.dtype));
      return slot;
    }
    case codegen::ArgumentKind::TensorMap: break;
  }
  support::throw_internal("{}: tensor maps are not implemented", entry.symbol);
}

void add_attributes(const codegen::LaunchRecipe& recipe, PreparedLaunch& launch) {
  if (recipe.cluster[0] * recipe.cluster[1] * recipe.cluster[2] > 1) {
    CudaLaunchAttribute cluster{.id = cu::kLaunchClusterDimension};
    for (int d = 0; d < 3; ++d) cluster.value[d] = static_cast<std::uint32_t>(recipe.cluster[d]);
    launch.attributes.push_back(cluster);
  }
  if (recipe.dependent_launch) {
    CudaLaunchAttribute dependent{.id = cu::kLaunchProgrammaticSerialization};
    dependent.value[0] = 1;
    launch.attributes.push_back(dependent);
  }
}

}  // namespace

PreparedLaunch prepare_launch(const codegen::Entry& entry, const CallBindings& call) {
  const ir::IndexBindings bindings{.sizes = call.facts.sizes, .axis = {}, .value = {}};
  PreparedLaunch launch;
  for (int d = 0; d < 3; ++d) {
    const std::int64_t blocks = ir::evaluate(entry.launch.grid[d], bindings);
    if (blocks <= 0) launch.is_empty = true;
    if (blocks > kMaxGrid[d]) {
      support::throw_runtime("{}: a grid of {} blocks in dimension {}, {} are possible",
                             entry.symbol, blocks, d, kMaxGrid[d]);
    }
    launch.config.grid[d] = static_cast<std::uint32_t>(blocks);
    launch.config.block[d] = static_cast<std::uint32_t>(entry.launch.block[d]);
  }
  if (launch.is_empty) return launch;
  launch.config.shared_bytes =
      static_cast<std::uint32_t>(ir::evaluate(entry.launch.shared_bytes, bindings));
  add_attributes(entry.launch, launch);
  for (const codegen::Argument& argument : entry.arguments) {
    launch.arguments.push_back(argument_value(argument, entry, call, bindings));
  }
  return launch;
}

}  // namespace sinter::runtime
