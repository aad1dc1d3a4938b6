// The CUDA schedule that takes what no other takes: pointwise kernels, and kernels with at most one
// reduction, contraction or scan. One thread an output element, walking the folded axes in ascending
// order with the last fastest (which is the order of strict mode, the same as on the CPU); outside
// strict mode, where outputs are few, a warp or a block an element.
//
//   config   team: threads an output element, 1, 32 or `threads`; threads: a block
#pragma once

#include "codegen/schedule.h"

namespace sinter::codegen::cuda {

/// Why no CUDA schedule can serve this GPU: it is too old; nullopt where it is not.
std::optional<std::string> refuse_arch(const Target& target);
/// Whether blocks can form clusters that read each other's shared memory.
bool has_clusters(const Target& target);

std::optional<std::string> refuses_generic(const ir::Kernel& kernel, const Target& target);
std::vector<ir::Facts> classes_generic(const ir::Kernel& kernel);
std::vector<Candidate> candidates_generic(const ir::Kernel& kernel, const ir::Facts& facts,
                                          const Target& target,
                                          const std::map<std::string, std::int64_t>& sizes);
Program emit_generic(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
                     const Target& target);

}  // namespace sinter::codegen::cuda
