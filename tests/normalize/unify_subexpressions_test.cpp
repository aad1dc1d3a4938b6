// Equal expressions are computed once.
#include "codegen/normalize/unify_subexpressions.h"

#include <doctest/doctest.h>

#include "tests/support/graph_text_check.h"

namespace sinter::tests {

TEST_CASE("equal nodes become one, commuting operands in either order") {
  check_pass(codegen::unify_subexpressions, R"((%x: f32[n], %y: f32[n]) {
  %0: f32[n] = add(%x, %y)
  %1: f32[n] = add(%y, %x)
  %2: f32[n] = sub(%x, %y)
  %3: f32[n] = sub(%y, %x)
  %4: f32[n] = mul(%0, %1)
  return %4, %2, %3
})",
             R"((%x: f32[n], %y: f32[n]) {
  %0: f32[n] = add(%x, %y)
  %1: f32[n] = sub(%x, %y)
  %2: f32[n] = sub(%y, %x)
  %3: f32[n] = mul(%0, %0)
  return %3, %1, %2
})");
}

TEST_CASE("attributes tell nodes apart, -0.0 from 0.0 too") {
  const std::string text = R"((%x: f32[n, n]) {
  %0: f32[n] = sum(%x) {axes: [0]}
  %1: f32[n] = sum(%x) {axes: [1]}
  %2: f32 = constant() {value: 0.0: f32}
  %3: f32 = constant() {value: -0.0: f32}
  return %0, %1, %2, %3
})";

  check_pass(codegen::unify_subexpressions, text, text);
}

TEST_CASE("all results of a node are unified") {
  const std::string reducer =
      "{axes: [0], reducer: fn(%a: f32, %b: f32, %c: f32, %d: f32) { %0: f32 = add(%a, %c) "
      "%1: f32 = mul(%b, %d) return %0, %1 } from [0.0: f32, 1.0: f32]}";
  check_pass(codegen::unify_subexpressions,
             "(%x: f32[n]) {\n%0.0: f32, %0.1: f32 = reduce(%x, %x) " + reducer +
                 "\n%1.0: f32, %1.1: f32 = reduce(%x, %x) " + reducer + "\nreturn %0.0, %1.1\n}",
             "(%x: f32[n]) {\n%0.0: f32, %0.1: f32 = reduce(%x, %x) " + reducer +
                 "\nreturn %0.0, %0.1\n}");
}

}  // namespace sinter::tests
