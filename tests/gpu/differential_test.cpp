// Random graphs on the GPU: against the reference, and in strict mode bit for bit against the CPU.
// A machine with a GPU need not have LLVM: the CPU's bits may come as a file of hashes, made where
// the CPU backend runs (scripts/strict_hashes) and named by SINTER_STRICT_HASHES.
#include <doctest/doctest.h>

#include <fstream>

#include "support/options.h"
#include "tests/support/device_run.h"
#include "tests/support/skip.h"

using namespace sinter;

namespace {

std::uint64_t count_or(std::uint64_t count) {
  using support::Option;
  return support::option_text(Option::FuzzCount).empty()
             ? count
             : static_cast<std::uint64_t>(support::option_integer(Option::FuzzCount));
}

CompileOptions strict_options() {
  CompileOptions options;
  options.mode = Mode::Strict;
  return options;
}

}  // namespace

TEST_CASE("graphs agree with the reference on the GPU, fused and unfused") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return tests::skip(why);
  const Device device = Device::cuda(0);
  const auto first = static_cast<std::uint64_t>(support::option_integer(support::Option::FuzzSeed));
  std::int64_t vacuous = 0;
  for (std::uint64_t seed = first; seed < first + count_or(300); ++seed) {
    const auto random = tests::make_random_graph(seed);
    const auto inputs = tests::inputs_of(random);
    CAPTURE(tests::describe(random));
    for (const bool fuse : {true, false}) {
      if (!fuse && seed % 3 != 0) continue;
      CompileOptions options;
      options.fuse = fuse;

      const std::string trouble =
          tests::check_on_device(random.graph, inputs, device, options, &vacuous);
      CHECK_MESSAGE(trouble.empty(), trouble);
    }
  }
  MESSAGE(vacuous, " outputs with vacuous bounds");
}

TEST_CASE("strict mode gives the CPU's bits on the GPU") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return tests::skip(why);
  const std::string path = support::option_text(support::Option::StrictHashes);
  if (path.empty()) return tests::skip("SINTER_STRICT_HASHES names no file");
  std::ifstream file(path);
  REQUIRE(file);
  std::uint64_t seed = 0;
  std::string expected;
  std::int64_t compared = 0;
  while (file >> seed >> expected) {
    const auto random = tests::make_random_graph(seed);
    CAPTURE(tests::describe(random));

    const auto outputs = tests::run_on_device(random.graph, tests::inputs_of(random),
                                              Device::cuda(0), strict_options());

    CHECK(tests::hash_outputs(random.graph, outputs) == expected);
    ++compared;
  }
  CHECK(compared > 0);
  MESSAGE(compared, " graphs compared bit for bit");
}
