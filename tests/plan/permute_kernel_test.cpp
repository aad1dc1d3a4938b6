// Kernels for tensors whose dimensions lie in another order.
#include "codegen/permute_kernel.h"

#include <doctest/doctest.h>

#include "ir/text.h"
#include "ir/verify.h"

namespace sinter::tests {
namespace {

const std::string kMaskedSoftmax = R"(kernel softmax {
  axis i: m
  axis j: n
  in x: f32[m, n]
  host alpha: f32
  out y: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j], where: [i - 2], outside: 0.0: f32}
  %1: f32 (i) = reduce(%0) {axes: [j], reducer: maximum}
  %2: f32 (i, j) = sub(%0, %1)
  %3: f32 (i, j) = exp(%2)
  %4: f32 (i) = reduce(%3) {axes: [j], reducer: add}
  %5: f32 (i, j) = div(%3, %4)
  %6: f32 = load() {param: alpha, map: []}
  %7: f32 (i, j) = mul(%5, %6)
  store(%7) {param: y, map: [i, j]}
}
)";

}  // namespace

TEST_CASE("the permuted tensors have other shapes and maps, the rest of the kernel stays") {
  const ir::Kernel kernel = ir::parse_kernel(kMaskedSoftmax);

  const ir::Kernel permuted = codegen::permute_kernel(kernel, {1, 0, 0, 1});

  std::string expected = ir::to_string(kernel);
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = expected.find(from);
    REQUIRE(at != std::string::npos);
    expected.replace(at, from.size(), to);
  };
  replace("in x: f32[m, n]", "in x: f32[n, m]");
  replace("{param: x, map: [i, j]", "{param: x, map: [j, i]");
  CHECK(ir::to_string(permuted) == expected);
  ir::verify_kernel(permuted);
}

TEST_CASE("a permutation and its inverse are the kernel itself") {
  const ir::Kernel kernel = ir::parse_kernel(R"(kernel copy {
  axis i: a
  axis j: b
  axis k: c
  in x: i8[a, b, c]
  out y: i8[c, a]
  %0: i8 (i, j, k) = load() {param: x, map: [i, j, k]}
  %1: i8 (i, k) = reduce(%0) {axes: [j], reducer: maximum}
  store(%1) {param: y, map: [k, i]}
}
)");

  const ir::Kernel permuted = codegen::permute_kernel(kernel, {2, 0, 1, 1, 0});

  CHECK(permuted.params()[0].shape ==
        ir::Shape{ir::IndexExpr::size("c"), ir::IndexExpr::size("a"), ir::IndexExpr::size("b")});
  CHECK(codegen::permute_kernel(permuted, {1, 2, 0, 1, 0}) == kernel);
  CHECK(codegen::permute_kernel(kernel, {0, 1, 2, 0, 1}) == kernel);
  CHECK_THROWS_AS(codegen::permute_kernel(kernel, {0, 1}), InternalError);
}

}  // namespace sinter::tests
