// Composites become their definitions.
#include "ir/define/composite.h"

#include <doctest/doctest.h>

#include "tests/ir/gradient_check.h"
#include "tests/support/graph_text_check.h"

namespace sinter::tests {

namespace {

ir::Graph decompose(const ir::Graph& graph, const codegen::NormalizeOptions&) {
  return ir::decompose(graph);
}

}  // namespace

TEST_CASE("a mean is a sum divided by the number of elements") {
  check_pass(&decompose, R"((%x: f32[m, n, 4]) {
  %0: f32[m] = mean(%x) {axes: [1, 2]}
  return %0
})",
             R"((%x: f32[m, n, 4]) {
  %0: f32[m] = sum(%x) {axes: [1, 2]}
  %1: i64 = size() {shape: [4*n]}
  %2: f32 = cast(%1) {dtype: f32}
  %3: f32[m] = broadcast(%2) {shape: [m]}
  %4: f32[m] = div(%0, %3)
  return %4
})");
}

TEST_CASE("the mean of a whole tensor has rank 0") {
  check_pass(&decompose, R"((%x: f64[n]) {
  %0: f64 = mean(%x) {axes: [0]}
  return %0
})",
             R"((%x: f64[n]) {
  %0: f64 = sum(%x) {axes: [0]}
  %1: i64 = size() {shape: [n]}
  %2: f64 = cast(%1) {dtype: f64}
  %3: f64 = div(%0, %2)
  return %3
})");
}

TEST_CASE("a mean in a named type sums and divides in it") {
  check_pass(&decompose, R"((%x: f32[4]) {
  %0: f64 = mean(%x) {dtype: f64, axes: [0]}
  return %0
})",
             R"((%x: f32[4]) {
  %0: f64 = sum(%x) {dtype: f64, axes: [0]}
  %1: i64 = size() {shape: [4]}
  %2: f64 = cast(%1) {dtype: f64}
  %3: f64 = div(%0, %2)
  return %3
})");
}

TEST_CASE("avg_pool counts padding too, unless include_pad is false") {
  const auto pooled = [](const std::string& more) {
    return evaluate_numbers(
        graph_of("(%x: f64[2]) {\n  %0: f64[2] = avg_pool(%x) {axes: [0], step: "
                 "[1], window: [2], pad_low: [1]" +
                 more + "}\n  return %0\n}"),
        {{2, 4}});
  };

  CHECK(pooled("") == Numbers{{1, 3}});
  CHECK(pooled(", include_pad: true") == Numbers{{1, 3}});
  CHECK(pooled(", include_pad: false") == Numbers{{2, 3}});
}

}  // namespace sinter::tests
