// Softmax, norms and their kin in one kernel on the CPU.
#include <doctest/doctest.h>

#include <cmath>

#include "ir/text.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

std::string softmax_text(const std::string& mode, const std::string& axis,
                         const std::string& kept) {
  return "kernel softmax {\n  mode " + mode +
         "\n  axis i: m\n  axis j: n\n  in x: f32[m, n]\n  out y: f32[m, n]\n"
         "  %0: f32 (i, j) = load() {param: x, map: [i, j]}\n  %1: f32 (" +
         kept + ") = reduce(%0) {axes: [" + axis +
         "], reducer: maximum}\n  %2: f32 (i, j) = sub(%0, %1)\n  %3: f32 (i, j) = exp(%2)\n"
         "  %4: f32 (" +
         kept + ") = reduce(%3) {axes: [" + axis +
         "], reducer: add}\n  %5: f32 (i, j) = div(%3, %4)\n"
         "  store(%5) {param: y, map: [i, j]}\n}";
}

const CpuRun kRows = {"rows", -1, {}, true};

}  // namespace

TEST_CASE("softmax over rows and over columns") {
  for (const std::int64_t n : {1, 7, 64, 133}) {
    check_cpu_kernel(softmax_text("default", "j", "i"), {{"m", 5}, {"n", n}}, kRows, 1e-6);
    check_cpu_kernel(softmax_text("default", "i", "j"), {{"m", 5}, {"n", n}}, kRows, 1e-6);
  }
}

TEST_CASE("strict softmax is exact") {
  check_cpu_kernel(softmax_text("strict", "j", "i"), {{"m", 4}, {"n", 61}}, kRows);
  check_cpu_kernel(softmax_text("strict", "i", "j"), {{"m", 4}, {"n", 61}}, kRows);
}

TEST_CASE("trap A06: a row of -inf is NaN, other rows are not touched by it") {
  const ir::Kernel kernel = ir::parse_kernel(softmax_text("default", "j", "i"));
  BitsTensor x = random_tensor(ir::DType::F32, {2, 40}, 3);
  for (std::size_t j = 0; j < 40; ++j) x.bits[j] = ir::encode_float(ir::DType::F32, -INFINITY);

  const auto y = run_on_cpu(kernel, {{"m", 2}, {"n", 40}}, {{"x", x}}, kRows).at("y");

  CHECK(std::isnan(ir::as_double({ir::DType::F32, y.bits[0]})));
  CHECK(std::isfinite(ir::as_double({ir::DType::F32, y.bits[40]})));
}

TEST_CASE("a reduction over one axis more than the stores have, of length 1") {
  check_cpu_kernel(R"(kernel centred {
    axis i: m
    axis j: 32
    axis k: 1
    in x: f32[m, 32, 1]
    out y: f32[m, 32, 1]
    %0: f32 (i, j) = load() {param: x, map: [i, j, 0]}
    %1: f32 (i, j, k) = load() {param: x, map: [i, j, k]}
    %2: f32 (i) = reduce(%1) {axes: [j, k], reducer: maximum}
    %3: f32 (i, j, k) = sub(%1, %2)
    %4: f32 (i) = reduce(%3) {axes: [j, k], reducer: maximum}
    %5: f32 (i, j) = sub(%0, %4)
    store(%5) {param: y, map: [i, j, 0]}
  })",
                   {{"m", 5}}, kRows);
}

TEST_CASE("layer norm: two passes, a second output of the statistics") {
  check_cpu_kernel(R"(kernel layer_norm {
    axis i: m
    axis j: n
    in x: bf16[m, n]
    in g: f32[n]
    out y: bf16[m, n]
    out mean: f32[m]
    %0: bf16 (i, j) = load() {param: x, map: [i, j]}
    %1: f32 (i, j) = cast(%0) {dtype: f32}
    %2: f32 (i) = reduce(%1) {axes: [j], reducer: add}
    %c: i64 = index() {map: [n]}
    %d: f32 = cast(%c) {dtype: f32}
    %3: f32 (i) = div(%2, %d)
    %4: f32 (i, j) = sub(%1, %3)
    %5: f32 (i, j) = mul(%4, %4)
    %6: f32 (i) = reduce(%5) {axes: [j], reducer: add}
    %7: f32 (i) = div(%6, %d)
    %8: f32 = constant() {value: 1.0e-5: f32}
    %9: f32 (i) = add(%7, %8)
    %10: f32 (i) = sqrt(%9)
    %11: f32 (i, j) = div(%4, %10)
    %12: f32 (j) = load() {param: g, map: [j]}
    %13: f32 (i, j) = mul(%11, %12)
    %14: bf16 (i, j) = cast(%13) {dtype: bf16}
    store(%14) {param: y, map: [i, j]}
    store(%3) {param: mean, map: [i]}
  })",
                   {{"m", 6}, {"n", 100}}, kRows, 1e-2);
}

}  // namespace sinter::tests
