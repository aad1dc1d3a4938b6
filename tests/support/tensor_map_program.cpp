// One tile a block, one copy a tile. PTX ISA: cp.async.bulk.tensor, mbarrier. A swizzle of 128 bytes
// exchanges the 16-byte pieces of a 128-byte row: piece number xor row modulo 8.
#include "tests/support/tensor_map_program.h"

namespace sinter::tests {
namespace {

constexpr const char* kSource = R"(
struct alignas(64) TensorMap {
  unsigned long long words[16];
};

extern "C" __global__ void __launch_bounds__(128)
copy_tiles(const __grid_constant__ TensorMap x, float* y) {
  __shared__ __align__(1024) float tile[64 * 32];
  __shared__ __align__(8) unsigned long long barrier;
  const unsigned tile_at = (unsigned)__cvta_generic_to_shared(tile);
  const unsigned barrier_at = (unsigned)__cvta_generic_to_shared(&barrier);
  const int first_column = blockIdx.x * 32;
  const int first_row = blockIdx.y * 64;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier_at) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 ::"r"(barrier_at), "r"(64 * 32 * 4) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1, {%2, %3}], [%4];"
        ::"r"(tile_at), "l"(&x), "r"(first_column), "r"(first_row), "r"(barrier_at)
        : "memory");
  }
  asm volatile(
      "{\n"
      ".reg .pred is_done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 is_done, [%0], 0;\n"
      "@!is_done bra again;\n"
      "}" ::"r"(barrier_at) : "memory");
  const long long columns = (long long)gridDim.x * 32;
  for (int i = threadIdx.x; i < 64 * 32; i += 128) {
    const int row = i / 32;
    const int column = i % 32;
    const int piece = column / 4 ^ (row & SWIZZLE_MASK);
    y[(first_row + row) * columns + first_column + column] =
        tile[row * 32 + piece * 4 + column % 4];
  }
}
)";

}  // namespace

codegen::Program make_tensor_map_program(int swizzle_bytes, bool is_nan_outside) {
  const ir::IndexExpr rows = ir::IndexExpr::size("rows");
  const ir::IndexExpr columns = ir::IndexExpr::size("columns");
  codegen::Argument x{.kind = codegen::ArgumentKind::TensorMap, .param = "x"};
  x.tensor_map.dtype = ir::DType::F32;
  x.tensor_map.extents = {columns, rows};
  x.tensor_map.strides = {{.factor = 1, .dimension = 0}};
  x.tensor_map.box = {kTileColumns, kTileRows};
  x.tensor_map.swizzle_bytes = swizzle_bytes;
  x.tensor_map.l2_promotion_bytes = 128;
  x.tensor_map.is_nan_outside = is_nan_outside;

  codegen::Entry entry;
  entry.symbol = "copy_tiles";
  entry.launch.grid[0] = ir::floor_div(columns + (kTileColumns - 1), kTileColumns);
  entry.launch.grid[1] = ir::floor_div(rows + (kTileRows - 1), kTileRows);
  entry.launch.block[0] = 128;
  entry.arguments = {x, {.param = "y"}};

  codegen::Program program;
  program.backend = codegen::Backend::Cuda;
  const std::string mask = swizzle_bytes == 128 ? "7" : "0";
  program.sources.push_back(
      {"copy_tiles.cu", "cuda", "#define SWIZZLE_MASK " + mask + "\n" + kSource});
  program.entries.push_back(entry);
  return program;
}

}  // namespace sinter::tests
