// The names of roots, powers and the functions around erf and Gamma.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "sinter/sinter.h"

namespace sn = sinter;

SINTER_OP(traced_reciprocal, (sn::Tensor x)) { return sn::reciprocal(x); }
SINTER_OP(traced_special, (sn::Tensor x, sn::Tensor y)) {
  return sn::rsqrt(sn::cbrt(sn::hypot(x, y))) + sn::pow(sn::erf(x), 2) + sn::erfc(x) +
         sn::erfinv(x) + sn::lgamma(x) + sn::digamma(y);
}

TEST_CASE("a reciprocal is a division of one") {
  CHECK(sn::ir::to_string(traced_reciprocal.trace({sn::f16(4)}), {false}) ==
        "graph traced_reciprocal(%x: f16[4]) {\n"
        "  %0: f16 = constant() {value: 1.0: f16}\n"
        "  %1: f16[4] = broadcast(%0) {shape: [4]}\n"
        "  %2: f16[4] = div(%1, %x)\n"
        "  return %2\n"
        "}\n");
}

TEST_CASE("every special function traces to the operator of its name") {
  const std::string text = sn::ir::to_string(traced_special.trace({sn::f32("n"), sn::f32("n")}));

  for (const char* name :
       {"rsqrt", "cbrt", "hypot", "pow", "erf", "erfc", "erfinv", "lgamma", "digamma"}) {
    CAPTURE(name);
    CHECK(text.find("= " + std::string(name) + "(") != std::string::npos);
  }
}

TEST_CASE("special functions of integers are refused") {
  CHECK_THROWS_AS(traced_special.trace({sn::i32(4), sn::i32(4)}), sn::UserError);
  CHECK_THROWS_AS(traced_reciprocal.trace({sn::i32(4)}), sn::UserError);
}
