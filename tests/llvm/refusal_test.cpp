// What the CPU's schedules refuse, in words for users.
#include <doctest/doctest.h>

#include "codegen/schedule.h"
#include "ir/text.h"
#include "tests/llvm/softmax_text.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

std::string reason(const std::string& schedule, const std::string& text) {
  const auto refused =
      cpu_schedule(schedule).refuses(ir::parse_kernel(text), codegen::make_cpu_target());
  return refused.value_or("");
}

const std::string kCentered = R"(kernel centered {
  axis i: m
  axis j: n
  in x: f32[m, n]
  out y: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i) = reduce(%0) {axes: [j], reducer: maximum}
  %2: f32 (i, j) = sub(%0, %1)
  store(%2) {param: y, map: [i, j]}
})";

}  // namespace

TEST_CASE("generic takes one reduction whose result keeps to its axes") {
  CHECK(reason("generic", kSoftmax) ==
        "it has 2 reductions, contractions and scans, generic takes one");
  CHECK(reason("generic", kCentered) ==
        "the result of its reduce is used over more axes than it has");
}

TEST_CASE("rows takes both of these") {
  CHECK(reason("rows", kSoftmax) == "");
  CHECK(reason("rows", kCentered) == "");
}

TEST_CASE("the table ends with generic and begins with blas") {
  CHECK(codegen::cpu_schedules().front().name == "blas");
  CHECK(codegen::cpu_schedules().back().name == "generic");
}

}  // namespace sinter::tests
