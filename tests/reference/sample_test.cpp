// Sampling elements gives what the full evaluation gives; layouts do not matter.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "reference/evaluate.h"
#include "sinter/error.h"
#include "tests/support/random.h"
#include "tests/support/random_graph.h"
#include "tests/support/random_inputs.h"

using namespace sinter;
using reference::Element;

namespace {

bool same(const Element& a, const Element& b) {
  const bool reals = a.real == b.real || (std::isnan(a.real) && std::isnan(b.real));
  return reals && std::signbit(a.real) == std::signbit(b.real) && a.bits == b.bits &&
         a.bound == b.bound;
}

std::vector<std::int64_t> draw_indices(tests::Random& random, std::int64_t count) {
  std::vector<std::int64_t> indices;
  for (int i = 0; i < 5 && count > 0; ++i) indices.push_back(random.below(count));
  return indices;
}

}  // namespace

TEST_CASE("sampled elements equal those of the full evaluation") {
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    const auto random = tests::make_random_graph(seed);
    CAPTURE(tests::describe(random));
    const auto inputs = tests::make_inputs(random.graph, random.sizes, seed, tests::Layout::Any,
                                           tests::Values::Any);
    const auto tensors = tests::tensors_of(inputs);
    const auto full = reference::evaluate(random.graph, tensors);
    tests::Random picks(seed);

    for (std::size_t o = 0; o < full.outputs.size(); ++o) {
      const auto count = static_cast<std::int64_t>(full.outputs[o].elements.size());
      const auto indices = draw_indices(picks, count);
      const auto sample = reference::evaluate(random.graph, tensors, o, indices);
      REQUIRE(sample.extents == full.outputs[o].extents);
      for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto& expected = full.outputs[o].elements[static_cast<std::size_t>(indices[i])];
        REQUIRE(same(sample.elements[i], expected));
      }
    }
  }
}

TEST_CASE("an element of a large product is evaluated alone") {
  ir::Graph graph("large");
  const ir::Value a = graph.add_parameter("a", {ir::DType::F32, {4096, 512}});
  const ir::Value b = graph.add_parameter("b", {ir::DType::F32, {512, 4096}});
  graph.set_outputs({graph.add(ir::Op::Exp, {graph.add(ir::Op::Matmul, {a, b})})});
  // Expanded views: one element stands for all.
  const float half = 0.0625F;
  const std::vector<reference::HostTensor> tensors = {{ir::DType::F32, {4096, 512}, {0, 0}, &half},
                                                      {ir::DType::F32, {512, 4096}, {0, 0}, &half}};

  const auto sample =
      reference::evaluate(graph, tensors, 0, std::vector<std::int64_t>{0, 4096 * 4096 - 1});

  CHECK(static_cast<double>(sample.elements[1].real) == doctest::Approx(std::exp(2.0)));
  CHECK_THROWS_AS(reference::evaluate(graph, tensors, 0, std::vector<std::int64_t>{4096 * 4096}),
                  UserError);
}

TEST_CASE("every layout of the same values gives the same result") {
  ir::Graph graph("copy");
  graph.set_outputs({graph.add_parameter("x", {ir::DType::I32, {3, 4}})});
  using tests::Layout;
  for (const Layout layout :
       {Layout::Transposed, Layout::Sliced, Layout::Reversed, Layout::Misaligned}) {
    CAPTURE(tests::to_string(layout));
    const auto inputs = tests::make_inputs(graph, {}, 5, layout);
    const auto result = reference::evaluate(graph, tests::tensors_of(inputs)).outputs[0];

    for (std::int64_t flat = 0; flat < 12; ++flat) {
      const auto& tensor = inputs[0].tensor;
      const std::int64_t offset = flat / 4 * tensor.strides[0] + flat % 4 * tensor.strides[1];
      std::int32_t value = 0;
      std::memcpy(&value, static_cast<const std::int32_t*>(tensor.data) + offset, sizeof(value));
      const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
      CHECK(result.elements[static_cast<std::size_t>(flat)].bits == bits);
    }
  }
}
