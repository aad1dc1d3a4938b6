// The numbers of one wgmma kernel that follow from its Config: sizes and places in shared memory.
#pragma once

#include <cstdint>

#include "codegen/config.h"
#include "codegen/cuda/schedule/wgmma_problem.h"

namespace sinter::codegen::cuda {

inline constexpr std::int64_t kWgmmaRows = 128;       // of a block's tile: two warpgroups of 64
inline constexpr std::int64_t kWgmmaSummed = 64;      // of a stage: 128 bytes of 16-bit elements
inline constexpr std::int64_t kWgmmaThreads = 384;    // two consumer warpgroups and a producer
inline constexpr std::int64_t kWgmmaRegisters = 504;  // that three threads, one of each, may have
inline constexpr std::int64_t kStagingBytes = 8192;   // 64 lines of 128 bytes

/// Bytes from the 1024-aligned start of shared memory, unless it says otherwise.
struct WgmmaTiling {
  std::int64_t columns = 256;
  std::int64_t stages = 4;
  std::int64_t cluster = 2;

  std::int64_t output_bytes = 0;  // of an element
  bool stages_addend = false;     // its tiles come in through the output's slots
  std::int64_t chunks = 0;        // of 128 bytes a line: the output tile of a warpgroup
  std::int64_t slots = 0;         // staging buffers a warpgroup
  std::int64_t rounds = 0;        // chunks that go through a slot
  /// The addend's first chunks wait in registers, so that its later ones have the slots.
  bool keeps_addend = false;

  std::int64_t stage_bytes = 0, a_bytes = 0, b_bytes = 0;
  std::int64_t staging_at = 0, barriers_at = 0, shared_bytes = 0;
  std::int64_t chunk_columns() const { return 128 / output_bytes; }
};

/// `stages` 0: as many as fit.
WgmmaTiling make_wgmma_tiling(const ir::Kernel& kernel, const WgmmaProblem& problem,
                              std::int64_t columns, std::int64_t cluster, std::int64_t stages = 0);

}  // namespace sinter::codegen::cuda
