// The first fuzz cases on the GPU; the program fuzz runs as many as one likes. In strict mode bit for bit
// against the CPU: a machine with a GPU need not have LLVM, so the CPU's bits may come as a file of
// hashes, made where the CPU backend runs (scripts/strict_hashes) and named by SINTER_STRICT_HASHES.
#include <doctest/doctest.h>

#include "support/options.h"
#include "tests/support/fuzz_loop.h"
#include "tests/support/skip.h"

using namespace sinter;

TEST_CASE("graphs agree with the reference on the GPU, fused and unfused") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return tests::skip(why);
  tests::check_fuzz_cases(Device::cuda(0), false, 60);
}

TEST_CASE("strict mode gives the CPU's bits on the GPU") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return tests::skip(why);
  const std::string path = support::option_text(support::Option::StrictHashes);
  if (path.empty()) return tests::skip("SINTER_STRICT_HASHES names no file");
  tests::check_fuzz_hashes(Device::cuda(0), path, 60);
}
