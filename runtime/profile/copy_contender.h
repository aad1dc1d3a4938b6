// A plain copy as a contender: what a kernel whose limit is memory is measured against.
#pragma once

#include "runtime/profile/timing.h"

namespace sinter::runtime {

/// Of several, the one that is fastest in a short pass of its own.
Contender pick_fastest(DeviceImpl& device, std::vector<Contender> contenders, Cache cache);

/// Reads and writes as many bytes in one kernel, in the fastest of a few shapes, over `rotation` sets of
/// buffers of its own. EnvironmentError where memory is short.
Contender plain_copy(DeviceImpl& device, double bytes_read, double bytes_written,
                     std::int64_t rotation, Cache cache);

/// A contender that launches a program on tensors of random bytes of its own: `bytes` of each tensor, filled as
/// elements of `dtype`.
struct ProbeTensor {
  std::string name;
  std::int64_t bytes = 0;
  ir::DType dtype = ir::DType::F32;
};
Contender probe_contender(DeviceImpl& device, const std::string& name,
                          const codegen::Program& program, const std::vector<ProbeTensor>& tensors);

}  // namespace sinter::runtime
