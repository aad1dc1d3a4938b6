#include "codegen/cuda/schedule/wgmma_tiling.h"

#include <algorithm>

namespace sinter::codegen::cuda {
namespace {

constexpr std::int64_t kSharedBytes = 227 * 1024;  // that a block may have on sm_90
constexpr std::int64_t kAlignSlack = 1024;
constexpr std::int64_t kBarrierBytes = 512;
constexpr std::int64_t kMostStages = 8;
constexpr std::int64_t kWarpgroups = 2;

}  // namespace

WgmmaTiling make_wgmma_tiling(const ir::Kernel& kernel, const WgmmaProblem& problem,
                              std::int64_t columns, std::int64_t cluster, std::int64_t stages) {
  WgmmaTiling tiling;
  tiling.columns = columns;
  tiling.cluster = cluster;
  const auto param = static_cast<std::size_t>(problem.output.param);
  tiling.output_bytes = static_cast<std::int64_t>(size_bytes(kernel.params()[param].dtype));
  tiling.chunks = columns * tiling.output_bytes / 128;
  tiling.slots = tiling.chunks == 3 ? 3 : std::min<std::int64_t>(tiling.chunks, 2);
  tiling.rounds = tiling.chunks / tiling.slots;
  tiling.stages_addend = problem.addend.has_value();
  tiling.keeps_addend = tiling.stages_addend && tiling.rounds > 1;
  tiling.a_bytes = kWgmmaRows * kWgmmaSummed * 2;
  tiling.b_bytes = columns * kWgmmaSummed * 2;
  tiling.stage_bytes = tiling.a_bytes + tiling.b_bytes;
  const std::int64_t staging = kWarpgroups * tiling.slots * kStagingBytes;
  const std::int64_t fit =
      (kSharedBytes - kAlignSlack - kBarrierBytes - staging) / tiling.stage_bytes;
  tiling.stages = stages != 0 ? stages : std::min(fit, kMostStages);
  tiling.staging_at = tiling.stages * tiling.stage_bytes;
  tiling.barriers_at = tiling.staging_at + staging;
  tiling.shared_bytes = tiling.barriers_at + kBarrierBytes + kAlignSlack;
  return tiling;
}

}  // namespace sinter::codegen::cuda
