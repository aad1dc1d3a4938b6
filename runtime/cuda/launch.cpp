// Evaluation of recipes: grid, shared memory, cluster, arguments.
#include "runtime/cuda/launch.h"

#include "support/check.h"

namespace sinter::runtime {
namespace {

/// Largest grid in each dimension, on all devices (programming guide, technical specifications).
constexpr std::int64_t kMaxGrid[3] = {2147483647, 65535, 65535};

std::vector<CudaLaunchAttribute> make_attributes(const codegen::LaunchRecipe& recipe) {
  std::vector<CudaLaunchAttribute> attributes;
  if (recipe.cluster[0] * recipe.cluster[1] * recipe.cluster[2] > 1) {
    CudaLaunchAttribute cluster{.id = cu::kLaunchClusterDimension};
    for (int d = 0; d < 3; ++d) cluster.value[d] = static_cast<std::uint32_t>(recipe.cluster[d]);
    attributes.push_back(cluster);
  }
  if (recipe.dependent_launch) {
    CudaLaunchAttribute dependent{.id = cu::kLaunchProgrammaticSerialization};
    dependent.value[0] = 1;
    attributes.push_back(dependent);
  }
  return attributes;
}

}  // namespace

LaunchStep make_launch_step(const codegen::Entry& entry, const SlotFinder& finder) {
  LaunchStep step;
  step.symbol = entry.symbol;
  for (int d = 0; d < 3; ++d) {
    step.grid[d] = finder.flatten(entry.launch.grid[d]);
    step.block[d] = static_cast<std::uint32_t>(entry.launch.block[d]);
  }
  step.shared_bytes = finder.flatten(entry.launch.shared_bytes);
  step.attributes = make_attributes(entry.launch);
  for (const codegen::Argument& argument : entry.arguments) {
    if (argument.kind != codegen::ArgumentKind::TensorMap) {
      step.slots.push_back(finder.find(entry, argument));
      continue;
    }
    step.slots.push_back({.kind = SlotKind::TensorMap, .index = step.tensor_maps.size()});
    const SlotSource tensor = finder.find_address(entry.symbol, argument.param);
    step.tensor_maps.push_back(make_tensor_map_step(argument, tensor, finder));
  }
  return step;
}

PreparedLaunch prepare_launch(const LaunchStep& step, const CallArguments& call) {
  PreparedLaunch launch;
  for (int d = 0; d < 3; ++d) {
    const std::int64_t blocks = step.grid[d].evaluate(call.sizes);
    if (blocks <= 0) launch.is_empty = true;
    if (blocks > kMaxGrid[d]) {
      support::throw_runtime("{}: a grid of {} blocks in dimension {}, {} are possible",
                             step.symbol, blocks, d, kMaxGrid[d]);
    }
    launch.config.grid[d] = static_cast<std::uint32_t>(blocks);
    launch.config.block[d] = step.block[d];
  }
  if (launch.is_empty) return launch;
  launch.config.shared_bytes = static_cast<std::uint32_t>(step.shared_bytes.evaluate(call.sizes));
  fill_slots(step.slots, call, launch.arguments);
  return launch;
}

}  // namespace sinter::runtime
