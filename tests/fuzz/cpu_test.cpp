// Random graphs on the CPU: fused and unfused against the reference, strict mode twice the same.
// SINTER_FUZZ_SEED and SINTER_FUZZ_COUNT choose which and how many.
#include <doctest/doctest.h>

#include "ir/differentiate/gradient.h"
#include "support/options.h"
#include "tests/support/device_run.h"

using namespace sinter;

namespace {

struct Seeds {
  std::uint64_t first;
  std::uint64_t count;
};

Seeds seeds(std::uint64_t count) {
  using support::Option;
  const bool is_given = !support::option_text(Option::FuzzCount).empty();
  return {
      static_cast<std::uint64_t>(support::option_integer(Option::FuzzSeed)),
      is_given ? static_cast<std::uint64_t>(support::option_integer(Option::FuzzCount)) : count};
}

void check_against_reference(const CompileOptions& options, std::uint64_t count) {
  const Device device = Device::cpu();
  const Seeds range = seeds(count);
  std::int64_t vacuous = 0;
  for (std::uint64_t seed = range.first; seed < range.first + range.count; ++seed) {
    const auto random = tests::make_random_graph(seed);
    const auto inputs = tests::inputs_of(random);
    CAPTURE(tests::describe(random));

    const std::string trouble =
        tests::check_on_device(random.graph, inputs, device, options, &vacuous);
    CHECK_MESSAGE(trouble.empty(), trouble);
  }
  MESSAGE(range.count, " graphs, ", vacuous, " outputs with vacuous bounds");
}

}  // namespace

TEST_CASE("fused graphs agree with the reference on the CPU") { check_against_reference({}, 300); }

TEST_CASE("unfused graphs agree with the reference on the CPU") {
  CompileOptions options;
  options.fuse = false;
  check_against_reference(options, 100);
}

TEST_CASE("graphs that round each operator agree with a reference that does") {
  CompileOptions options;
  options.rounding = Rounding::Each;
  check_against_reference(options, 60);
}

TEST_CASE("gradients of random graphs agree with the reference on the CPU") {
  tests::RandomGraphOptions options;
  options.most_nodes = 6;
  options.most_elements = 300;  // a gathered read goes back as a sum over pairs
  options.most_products = 3000;
  options.functions = false;
  options.dtypes = {DType::F32, DType::F32, DType::BF16, DType::F64};
  const Seeds range = seeds(120);
  std::int64_t vacuous = 0;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = range.first; seed < range.first + range.count; ++seed) {
    tests::RandomGraph random = tests::make_random_graph(seed, options);
    try {
      random.graph = ir::make_gradient(random.graph, {}, {});
    } catch (const UserError&) {
      continue;  // nothing floating, or bits
    }
    const auto inputs = tests::inputs_of(random);
    CAPTURE(tests::describe(random));

    const std::string trouble =
        tests::check_on_device(random.graph, inputs, Device::cpu(), {}, &vacuous);

    CHECK_MESSAGE(trouble.empty(), trouble);
    ++compared;
  }
  CHECK(compared > range.count / 4);
}

TEST_CASE("strict mode gives the same bits fused and unfused") {
  const Device device = Device::cpu();
  const Seeds range = seeds(60);
  CompileOptions fused;
  fused.mode = Mode::Strict;
  CompileOptions unfused = fused;
  unfused.fuse = false;
  for (std::uint64_t seed = range.first; seed < range.first + range.count; ++seed) {
    const auto random = tests::make_random_graph(seed);
    const auto inputs = tests::inputs_of(random);
    CAPTURE(tests::describe(random));

    const auto a = tests::run_on_device(random.graph, inputs, device, fused);
    const auto b = tests::run_on_device(random.graph, inputs, device, unfused);

    CHECK(tests::hash_outputs(random.graph, a) == tests::hash_outputs(random.graph, b));
  }
}
