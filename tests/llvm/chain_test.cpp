// How long the chains of additions are that CPU programs tell of.
#include <doctest/doctest.h>

#include "codegen/schedule.h"
#include "ir/text.h"
#include "tests/llvm/softmax_text.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

using Lengths = std::vector<std::int64_t>;

const std::string kRowSum = R"(kernel row_sum {
  axis i: m
  axis j: n
  in x: f32[m, n]
  out y: f32[m]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i) = reduce(%0) {axes: [j], reducer: add}
  store(%1) {param: y, map: [i]}
})";

const std::string kTotal = R"(kernel total {
  axis i: 100000
  in x: f32[100000]
  out y: f32[]
  %0: f32 (i) = load() {param: x, map: [i]}
  %1: f32 () = reduce(%0) {axes: [i], reducer: add}
  store(%1) {param: y, map: []}
})";

const std::string kRunningSum = R"(kernel running_sum {
  axis i: m
  axis j: n
  in x: f32[m, n]
  out y: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i, j) = scan(%0) {axis: j, reducer: add}
  store(%1) {param: y, map: [i, j]}
})";

const std::string kProduct = R"(kernel product {
  axis i: m
  axis j: n
  axis k: l
  in x: f64[m, l]
  in w: f64[l, n]
  out y: f64[m, n]
  %x: f64 (i, k) = load() {param: x, map: [i, k]}
  %w: f64 (j, k) = load() {param: w, map: [k, j]}
  %p: f64 (i, j) = contract(%x, %w) {axes: [k], dtype: f64, precision: split}
  store(%p) {param: y, map: [i, j]}
})";

/// Roundings that a term of each fold goes through for m = 3, n = 1000, l = 700.
Lengths lengths_of(const codegen::Program& program) {
  Lengths lengths;
  for (const codegen::Accumulation& accumulation : program.accumulations) {
    lengths.push_back(
        ir::evaluate(accumulation.longest_chain, {.sizes = {{"m", 3}, {"n", 1000}, {"l", 700}}}));
  }
  return lengths;
}

/// The same of the kernel with dense tensors, where vectors have 8 lanes.
Lengths chains(const std::string& schedule, const std::string& text) {
  const ir::Kernel kernel = ir::parse_kernel(text);
  const codegen::Config config{schedule, {{"width", 8}, {"tail_width", 1}, {"block", 2048}}};
  const codegen::Schedule& chosen = cpu_schedule(schedule);
  const ir::Facts dense = chosen.classes(kernel).at(0);
  return lengths_of(chosen.emit(kernel, dense, config, codegen::make_cpu_target()));
}

std::string in_mode(const std::string& mode, std::string text) {
  return text.insert(text.find('\n') + 1, "  mode " + mode + "\n");
}

}  // namespace

TEST_CASE("lanes over the sum: a lane's steps, the tree over the lanes, the rest") {
  CHECK(chains("generic", kRowSum) == Lengths{1000 / 8 + 3 + 1});
  CHECK(chains("rows", kSoftmax) == Lengths{1000 / 8 + 3 + 1, 1000 / 8 + 3 + 1});
}

TEST_CASE("sums in order and scans have as many roundings as terms") {
  CHECK(chains("generic", in_mode("strict", kRowSum)) == Lengths{1000});
  CHECK(chains("generic", kRunningSum) == Lengths{1000});
}

TEST_CASE("a sum split into 64 parts adds the parts up") {
  CHECK(chains("generic", kTotal) == Lengths{1563 / 8 + 3 + 1 + 64});
}

TEST_CASE("a library may add in any order") {
  const ir::Kernel kernel = ir::parse_kernel(kProduct);
  const ir::Facts dense = cpu_schedule("blas").classes(kernel).at(0);

  const codegen::Program program = cpu_program(kernel, "blas", dense, codegen::make_cpu_target());

  CHECK(lengths_of(program) == Lengths{700});
  CHECK(program.accumulations[0].dtype == ir::DType::F64);
}

}  // namespace sinter::tests
