#include "runtime/profile/probe.h"

namespace sinter::runtime {

namespace {

bool is_cuda(const codegen::Target& target) { return target.backend == codegen::Backend::Cuda; }

}  // namespace

std::vector<ArithmeticProbe> arithmetic_probes(const codegen::Target& target) {
  return is_cuda(target) ? cuda_arithmetic_probes(target) : cpu_arithmetic_probes(target);
}

codegen::Program copy_probe(const codegen::Target& target, std::int64_t bytes_read,
                            std::int64_t bytes_written, int each) {
  return is_cuda(target) ? cuda_copy_probe(bytes_read, bytes_written, each)
                         : cpu_copy_probe(bytes_read, bytes_written, each);
}

std::vector<int> copy_probe_sizes(const codegen::Target& target) {
  return is_cuda(target) ? std::vector{1, 2, 4, 8} : std::vector{16, 256};
}

}  // namespace sinter::runtime
