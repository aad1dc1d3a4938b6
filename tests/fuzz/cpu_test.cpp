// The first fuzz cases on the CPU; the program fuzz runs as many as one likes.
#include <doctest/doctest.h>

#include "ir/differentiate/gradient.h"
#include "tests/support/device_run.h"
#include "tests/support/fuzz_loop.h"
#include "tests/support/fuzz_workers.h"

using namespace sinter;

TEST_CASE("graphs agree with the reference on the CPU, fused and unfused") {
  tests::check_fuzz_cases(Device::cpu(), false, 200);
}

TEST_CASE("gradients of random graphs agree with the reference on the CPU") {
  constexpr std::uint64_t kGradients = 120;
  tests::RandomGraphOptions options;
  options.most_nodes = 6;
  options.most_elements = 300;  // a gathered read goes back as a sum over pairs
  options.most_products = 3000;
  options.functions = false;
  options.dtypes = {DType::F32, DType::F32, DType::BF16, DType::F64};
  tests::CheckCounts counts;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= kGradients; ++seed) {
    tests::RandomGraph random = tests::make_random_graph(seed, options);
    try {
      random.graph = ir::make_gradient(random.graph, {}, {});
    } catch (const UserError&) {
      continue;  // nothing floating, or bits
    }
    const auto inputs = tests::inputs_of(random);
    CAPTURE(tests::describe(random));

    const std::string trouble =
        tests::check_on_device(random.graph, inputs, Device::cpu(), {}, &counts);

    CHECK_MESSAGE(trouble.empty(), trouble);
    ++compared;
  }
  CHECK(compared > kGradients / 4);
}

TEST_CASE("strict mode gives the same bits fused and unfused") {
  tests::check_fuzz_cases(Device::cpu(), true, 60);
}

// Fused, the norm reads x at the axes of the result, whose order is not that of the group's dimensions.
TEST_CASE("strict folds over several axes keep their order when fused") {
  const tests::FuzzCase fuzz = tests::parse_fuzz_case(
      "seed 966\nsize m 1\nsize n 1\n"
      "input x1 contiguous integers\ninput x2 contiguous integers\ninput x3 contiguous integers\n"
      "graph g(%x1: f64[1, 4, 5], %x2: f64[4], %x3: f64[4]) {\n"
      "  %0: f64[1, 4, 5] = group_norm(%x1, %x2, %x3) {count: 2}\n  return %0\n}\n");
  CHECK(tests::trouble_of(fuzz, {.strict = true}) == "");
}

TEST_CASE("a maximum of nothing in a type without infinity begins at minus infinity all the same") {
  const tests::FuzzCase fuzz = tests::parse_fuzz_case(
      "seed 1273\nsize m 1\nsize n 1\n"
      "input x4 contiguous integers\ninput x5 contiguous integers\n"
      "graph g(%x4: f8e4m3[0, 1], %x5: f8e4m3 {host: true}) {\n"
      "  %0: f8e4m3[1] = max(%x4) {axes: [0]}\n"
      "  %1: f8e4m3[1] = trunc_div(%0, %x5)\n  return %1\n}\n");
  CHECK(tests::trouble_of(fuzz, {}) == "");
}
