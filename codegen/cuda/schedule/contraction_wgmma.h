// Matrix products of bf16 and f16 on sm_90a: persistent blocks of one producer warpgroup, which fetches
// tiles by TMA into a ring of shared-memory stages, and two consumer warpgroups of 64 rows each, which
// multiply them by wgmma and apply whatever follows the product. One tile of the result leaves through
// shared memory by TMA, and one tile that the epilogue reads comes in by TMA, both behind the products.
// Pairs of blocks (clusters) share the columns' operand by multicast.
//
//   config   columns: of a block's tile, 64 to 256; stages: of the ring; cluster: 1 or 2 blocks
//
// A class whose tensors the copy engine does not take falls back to the generic schedule's text.
#pragma once

#include "codegen/schedule.h"

namespace sinter::codegen::cuda {

std::optional<std::string> refuses_wgmma(const ir::Kernel& kernel, const Target& target);
std::vector<ir::Facts> classes_wgmma(const ir::Kernel& kernel);
std::vector<Candidate> candidates_wgmma(const ir::Kernel& kernel, const ir::Facts& facts,
                                        const Target& target,
                                        const std::map<std::string, std::int64_t>& sizes);
Program emit_wgmma(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
                   const Target& target);

}  // namespace sinter::codegen::cuda
