// Programs that do nothing but what is measured: multiply-adds, products in tensor cores, reads and writes.
#pragma once

#include <string>
#include <vector>

#include "codegen/program.h"
#include "runtime/profile/arithmetic.h"

namespace sinter::runtime {

/// A program that reads the tensor "data" (kProbeDataBytes of `dtype`, random numbers in [-1, 1)) and computes
/// in registers or shared memory. What it computes is of no use; it writes the tensor "out" (as many bytes)
/// only where the sums come out as one number that they do not come out as.
struct ArithmeticProbe {
  Arithmetic arithmetic = Arithmetic::F32;
  std::string how;  // "fma", "mma.sync", "wgmma", "BLAS"
  ir::DType dtype = ir::DType::F32;
  codegen::Program program;
  double flops = 0;  // of a launch; two for each multiply-add
};
inline constexpr std::int64_t kProbeDataBytes = std::int64_t{8} << 20;

/// Every way that the target has, perhaps several for one kind of arithmetic.
std::vector<ArithmeticProbe> arithmetic_probes(const codegen::Target& target);

/// Reads the tensor "from" and writes the tensor "to", in vectors of 16 bytes (GPU) or 32 (CPU) and nothing
/// else; each part of the run has the same share of reads and writes. Bytes are rounded down to whole vectors.
/// `each`: vectors of a thread (GPU) or blocks of so many KiB (CPU).
codegen::Program copy_probe(const codegen::Target& target, std::int64_t bytes_read,
                            std::int64_t bytes_written, int each);
/// Values of `each` that are worth a try: which one is fastest depends on device and bytes.
std::vector<int> copy_probe_sizes(const codegen::Target& target);

/// How the two backends do it.
std::vector<ArithmeticProbe> cuda_arithmetic_probes(const codegen::Target& target);
std::vector<ArithmeticProbe> cpu_arithmetic_probes(const codegen::Target& target);
codegen::Program cuda_copy_probe(std::int64_t bytes_read, std::int64_t bytes_written, int each);
codegen::Program cpu_copy_probe(std::int64_t bytes_read, std::int64_t bytes_written, int each);

}  // namespace sinter::runtime
