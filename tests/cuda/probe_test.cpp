// The probes of GPUs compile for every architecture without local memory.
#include "runtime/profile/probe.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/cuda/cubin.h"
#include "runtime/cuda/nvrtc.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {

namespace {

void check_compiles(const codegen::Program& program, const std::string& arch) {
  const auto compiled = runtime::compile_to_cubin(program.sources.at(0), arch);
  CHECK(compiled.log == "");
  const auto resources = runtime::read_cubin_resources(compiled.cubin);
  REQUIRE(resources.size() == 1);
  CHECK(resources[0].local_bytes == 0);
  CHECK(resources[0].symbol == program.entries.at(0).symbol);
}

int count_of(const std::vector<runtime::ArithmeticProbe>& probes, const std::string& how) {
  return static_cast<int>(std::count_if(probes.begin(), probes.end(),
                                        [&](const auto& probe) { return probe.how == how; }));
}

}  // namespace

TEST_CASE("arithmetic probes compile without spills for each architecture") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  for (const std::string& arch : test_architectures()) {
    CAPTURE(arch);
    for (const auto& probe : runtime::arithmetic_probes(codegen::make_cuda_target(arch))) {
      CAPTURE(to_string(probe.arithmetic));
      CAPTURE(probe.how);
      check_compiles(probe.program, arch);
      CHECK(probe.flops > 0);
    }
  }
}

TEST_CASE("which probes an architecture has") {
  const auto ampere = runtime::arithmetic_probes(codegen::make_cuda_target("sm_80"));
  const auto hopper = runtime::arithmetic_probes(codegen::make_cuda_target("sm_90a"));
  const auto volta = runtime::arithmetic_probes(codegen::make_cuda_target("sm_70"));

  CHECK(count_of(ampere, "fma") == 2);
  CHECK(count_of(ampere, "mma.sync") == 5);  // f8 from sm_89 on
  CHECK(count_of(ampere, "wgmma") == 0);
  CHECK(count_of(hopper, "mma.sync") == 7);
  CHECK(count_of(hopper, "wgmma") == 5);
  CHECK(count_of(volta, "mma.sync") == 0);
}

TEST_CASE(
    "plain copies compile without spills, each block with the same share of reads and writes") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  for (const std::string& arch : test_architectures()) {
    const codegen::Target target = codegen::make_cuda_target(arch);
    for (const int each : runtime::copy_probe_sizes(target)) {
      const codegen::Program program = runtime::copy_probe(target, 16 << 20, 4 << 20, each);
      check_compiles(program, arch);
      const codegen::Entry& entry = program.entries.at(0);
      CHECK(entry.launch.grid[0] == ir::IndexExpr((1 << 20) / 256 / each));
      CHECK(entry.arguments.at(4).expr == ir::IndexExpr(256 * each));
      CHECK(entry.arguments.at(5).expr == ir::IndexExpr(64 * each));
    }
  }
}

}  // namespace sinter::tests
