// Grids of one or two dimensions.
#include "codegen/cuda/linear_launch.h"

namespace sinter::codegen::cuda {

namespace {

constexpr std::int64_t kGridRow = std::int64_t{1} << 30;

}  // namespace

LaunchRecipe make_linear_launch(const ir::IndexExpr& blocks, std::int64_t threads, bool is_narrow) {
  LaunchRecipe launch;
  launch.grid[0] = is_narrow ? blocks : ir::min(blocks, kGridRow);
  if (!is_narrow) launch.grid[1] = ir::floor_div(blocks + (kGridRow - 1), kGridRow);
  launch.block[0] = threads;
  return launch;
}

}  // namespace sinter::codegen::cuda
