// Which loops the nests of memory-bound kernels have: read off their text.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/llvm/softmax_text.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

std::string text_of(const std::string& schedule, const std::string& kernel_text,
                    std::size_t facts) {
  const ir::Kernel kernel = ir::parse_kernel(kernel_text);
  codegen::Target target = codegen::make_cpu_target();
  target.vector_bytes = 32;
  const ir::Facts dense = cpu_schedule(schedule).classes(kernel).at(facts);
  return cpu_program(kernel, schedule, dense, target).sources.at(0).text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kTurned = R"(kernel turned {
  axis i: m
  axis j: n
  in x: f32[n, m]
  out y: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [j, i]}
  store(%0) {param: y, map: [i, j]}
})";

const std::string kColumns = R"(kernel columns {
  axis i: m
  axis j: n
  in x: f32[m, n]
  out y: f32[n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (j) = reduce(%0) {axes: [i], reducer: add}
  store(%1) {param: y, map: [j]}
})";

const std::string kRunning = R"(kernel running {
  mode strict
  axis i: m
  axis j: n
  in x: f32[m, n]
  out y: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i, j) = scan(%0) {axis: j, reducer: add}
  store(%1) {param: y, map: [i, j]}
})";

const std::string kLimits = R"(kernel limits {
  axis i: n
  in x: f32[n]
  out y: f32[n]
  %0: f32 (i) = load() {param: x, map: [i]}
  %1: f32 = constant() {value: 2.0: f32}
  %2: f32 (i) = minimum(%0, %1)
  store(%2) {param: y, map: [i]}
})";

}  // namespace

TEST_CASE("a transposed operand moves as squares of 8 by 8, where its strides are known") {
  const std::string dense = text_of("generic", kTurned, 0);
  const std::string unknown = text_of("generic", kTurned, 2);

  CHECK(contains(dense, "%turned"));
  CHECK(contains(dense, "load <8 x float>"));
  CHECK(contains(dense, "@llvm.prefetch"));
  CHECK_FALSE(contains(unknown, "%turned"));
}

TEST_CASE("running sums along rows have a row a lane and go through squares, also in strict mode") {
  const std::string text = text_of("generic", kRunning, 0);

  CHECK(contains(text, "%turned"));
  CHECK(contains(text, "store <8 x float>"));
}

TEST_CASE("accumulators of wide columns wait in memory while a block of rows is read") {
  const std::string text = text_of("generic", kColumns, 0);

  CHECK(contains(text, "alloca [1024 x float]"));
  CHECK(contains(text, "rows.loop"));
}

TEST_CASE("while results of a row are written, the next row is fetched") {
  CHECK(contains(text_of("rows", kSoftmax, 0), "@llvm.prefetch"));
}

TEST_CASE(
    "exponentials of narrow floats are kept for the stores, where a row is known to be short") {
  const auto softmax = [](const std::string& dtype, const std::string& n) {
    return "kernel exponentials {\n  axis i: m\n  axis j: " + n + "\n  in x: " + dtype + "[m, " +
           n + "]\n  out y: " + dtype + "[m, " + n + "]\n  %0: " + dtype +
           " (i, j) = load() {param: x, map: [i, j]}\n  %1: f32 (i, j) = cast(%0) {dtype: f32}\n"
           "  %2: f32 (i, j) = exp(%1)\n  %3: f32 (i) = reduce(%2) {axes: [j], reducer: add}\n"
           "  %4: f32 (i, j) = div(%2, %3)\n  %5: " +
           dtype + " (i, j) = cast(%4) {dtype: " + dtype +
           "}\n  store(%5) {param: y, map: [i, j]}\n}";
  };

  CHECK(contains(text_of("rows", softmax("bf16", "4096"), 0), "alloca [4096 x float]"));
  CHECK_FALSE(contains(text_of("rows", softmax("bf16", "n"), 0), "alloca ["));
  CHECK_FALSE(contains(text_of("rows", softmax("bf16", "100000"), 0), "alloca ["));
  CHECK_FALSE(contains(text_of("rows", softmax("f32", "4096"), 0), "alloca ["));
}

TEST_CASE("a minimum with a constant is one comparison and one selection") {
  const std::string text = text_of("generic", kLimits, 0);

  CHECK(contains(text, "fcmp olt"));
  CHECK_FALSE(contains(text, "fcmp uno"));
}

}  // namespace sinter::tests
