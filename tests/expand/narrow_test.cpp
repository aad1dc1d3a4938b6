// Elementary functions of every bf16, f16 and f8 value: computed in f32 and rounded once more, so
// they are the correctly rounded ones but where the exact value lies almost halfway between two.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "codegen/expand/expand.h"
#include "tests/support/function_table.h"
#include "tests/support/mpfr_reference.h"

namespace sinter::tests {

using ir::DType;
using ir::Literal;
using ir::Op;

namespace {

/// Whether b is a or one of the two values next to it.
bool is_neighbour(const Literal& a, const Literal& b) {
  return a.bits == b.bits || a.bits + 1 == b.bits || a.bits == b.bits + 1;
}

/// Number of inputs whose result is not the correctly rounded one.
int count_misrounded(Op op, DType dtype) {
  int misrounded = 0;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << ir::bits(dtype); ++bits) {
    const Literal x{dtype, bits};
    const Literal y = codegen::evaluate_scalar(op, {&x, 1}, {});
    const Literal expected = correctly_rounded(op, dtype, ir::as_double(x));
    if (y == expected) continue;
    ++misrounded;
    CHECK_MESSAGE(is_neighbour(y, expected),
                  fmt::format("{} of {} {} is {}, not {}", ir::to_string(op), to_string(dtype),
                              to_string(x), to_string(y), to_string(expected)));
  }
  return misrounded;
}

}  // namespace

TEST_CASE("functions of every narrow float are correctly rounded but for a few near ties") {
  for (const DType dtype : {DType::BF16, DType::F16, DType::F8E4M3, DType::F8E5M2}) {
    for (const FunctionCase& c : kFunctionCases) {
      if (ir::info(c.op).arity != 1) continue;
      const int misrounded = count_misrounded(c.op, dtype);
      if (misrounded > 0) {
        fmt::print("{} {}: {} misrounded\n", ir::to_string(c.op), to_string(dtype), misrounded);
      }
      CHECK_MESSAGE(misrounded <= 32, ir::to_string(c.op), " ", to_string(dtype));
    }
  }
}

}  // namespace sinter::tests
