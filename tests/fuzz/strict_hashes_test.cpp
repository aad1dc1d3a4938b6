// The CPU's bits in strict mode, as hashes: written to the file that SINTER_STRICT_HASHES names,
// for the GPU test to compare with on another machine; and the same in a second run here.
#include <doctest/doctest.h>

#include <fstream>

#include "support/options.h"
#include "tests/support/device_run.h"

using namespace sinter;

TEST_CASE("strict results on the CPU are the same in every run, and can be written down") {
  using support::Option;
  const std::string path = support::option_text(Option::StrictHashes);
  const auto first = static_cast<std::uint64_t>(support::option_integer(Option::FuzzSeed));
  const std::uint64_t count = path.empty() ? 20 : 300;
  CompileOptions options;
  options.mode = Mode::Strict;
  std::string text;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto random = tests::make_random_graph(seed);
    const auto inputs = tests::inputs_of(random);
    CAPTURE(tests::describe(random));

    const auto outputs = tests::run_on_device(random.graph, inputs, Device::cpu(), options);
    const std::string hash = tests::hash_outputs(random.graph, outputs);

    if (seed % 10 == 0) {
      const auto again = tests::run_on_device(random.graph, inputs, Device::cpu(), options);
      CHECK(tests::hash_outputs(random.graph, again) == hash);
    }
    text += std::to_string(seed) + " " + hash + "\n";
  }
  if (!path.empty()) CHECK((std::ofstream(path) << text).good());
}
