// Sums of integers across lanes. By halves that narrow step by step, LLVM 19 turns a sum of products of bytes
// into vpdpbusd where there is VNNI, and keeps one lane of eight (fuzz case 45599 on a machine with AVX-512).
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

TEST_CASE("lanes of integer sums are added by the intrinsic, not by narrowing halves") {
  const ir::Kernel kernel = ir::parse_kernel(R"(kernel triple_sum {
    axis i: 2
    axis j: 32
    in x: i8[2, 32]
    out y: i32[2]
    %0: i8 (i, j) = load() {param: x, map: [i, j]}
    %1: i8 = constant() {value: 3: i8}
    %2: i32 (i) = contract(%0, %1) {dtype: i32, axes: [j], precision: split}
    store(%2) {param: y, map: [i]}
  })");
  codegen::Target target = codegen::make_cpu_target();
  target.vector_bytes = 64;

  const ir::Facts facts = cpu_schedule("generic").classes(kernel).at(0);
  const std::string text = cpu_program(kernel, "generic", facts, target).sources.at(0).text;

  CHECK(text.find("call i32 @llvm.vector.reduce.add.v") != std::string::npos);
  CHECK(text.find("%low") == std::string::npos);
}

}  // namespace sinter::tests
