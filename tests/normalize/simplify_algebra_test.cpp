// Rules of algebra, and the look-alikes that would be wrong.
#include "codegen/normalize/simplify_algebra.h"

#include <doctest/doctest.h>

#include "tests/support/graph_text_check.h"

namespace sinter::tests {

namespace {

/// `body` computes %r from %x, %y: `type`[n] and %c: bool[n]; `expected` likewise.
void check(const std::string& type, const std::string& body, const std::string& expected) {
  const std::string head = "(%x: " + type + "[n], %y: " + type + "[n], %c: bool[n]) {\n";
  check_pass(codegen::simplify_algebra, head + body + "}\n", head + expected + "}\n");
}

std::string constant(const std::string& type, const std::string& value) {
  return "%0: " + type + " = constant() {value: " + value + ": " + type + "}\n%1: " + type +
         "[n] = broadcast(%0) {shape: [n]}\n";
}

/// x op constant is x, or is left as it is.
void check_with_constant(const std::string& type, const std::string& op, const std::string& value,
                         bool is_dropped) {
  INFO(type << " x " << op << " " << value);
  const std::string body =
      constant(type, value) + "%2: " + type + "[n] = " + op + "(%x, %1)\nreturn %2\n";
  check(type, body, is_dropped ? "return %x\n" : body);
}

}  // namespace

TEST_CASE("neutral operands vanish, but only where that is exact") {
  check_with_constant("f32", "mul", "1.0", true);
  check_with_constant("f32", "add", "-0.0", true);
  check_with_constant("f32", "add", "0.0", false);  // -0.0 + 0.0 is 0.0
  check_with_constant("f32", "sub", "0.0", true);
  check_with_constant("f32", "sub", "-0.0", false);
  check_with_constant("f32", "div", "1.0", true);
  check_with_constant("f32", "minimum", "inf", true);
  check_with_constant("f32", "maximum", "-inf", true);
  check_with_constant("f32", "mul", "0.0", false);  // NaN, inf and -0.0
  check_with_constant("i32", "add", "0", true);
  check_with_constant("i32", "floor_div", "1", true);
  check_with_constant("i32", "and", "-1", true);
  check_with_constant("i32", "shift_left", "0", true);
  check_with_constant("bool", "or", "false", true);
}

TEST_CASE("a neutral operand may stand on the left of what commutes") {
  check("f32", constant("f32", "1.0") + "%2: f32[n] = mul(%1, %x)\nreturn %2\n", "return %x\n");
  check("f32", constant("f32", "0.0") + "%2: f32[n] = sub(%1, %x)\nreturn %2\n",
        constant("f32", "0.0") + "%2: f32[n] = sub(%1, %x)\nreturn %2\n");
}

TEST_CASE("absorbing operands win for integers") {
  check("i32", constant("i32", "0") + "%2: i32[n] = mul(%x, %1)\nreturn %2\n",
        constant("i32", "0") + "return %1\n");
  check("bool", constant("bool", "true") + "%2: bool[n] = or(%1, %x)\nreturn %2\n",
        constant("bool", "true") + "return %1\n");
}

TEST_CASE("equal operands fold, floats only where NaN allows") {
  check("f32", "%0: f32[n] = maximum(%x, %x)\nreturn %0\n", "return %x\n");
  check("i32", "%0: i32[n] = sub(%x, %x)\nreturn %0\n", constant("i32", "0") + "return %1\n");
  check("i32", "%0: bool[n] = le(%x, %x)\nreturn %0\n", constant("bool", "true") + "return %1\n");
  const std::string kept = "%0: f32[n] = sub(%x, %x)\n%1: bool[n] = eq(%x, %x)\nreturn %0, %1\n";
  check("f32", kept, kept);
}

TEST_CASE("signs cancel") {
  check("f32", "%0: f32[n] = neg(%x)\n%1: f32[n] = neg(%0)\nreturn %1\n", "return %x\n");
  check("f32", "%0: f32[n] = neg(%y)\n%1: f32[n] = add(%x, %0)\nreturn %1\n",
        "%0: f32[n] = sub(%x, %y)\nreturn %0\n");
  check("f32", "%0: f32[n] = neg(%x)\n%1: f32[n] = abs(%0)\nreturn %1\n",
        "%0: f32[n] = abs(%x)\nreturn %0\n");
  check("f32", constant("f32", "-1.0") + "%2: f32[n] = mul(%1, %x)\nreturn %2\n",
        "%0: f32[n] = neg(%x)\nreturn %0\n");
}

TEST_CASE("division by a power of two is a product, other divisions stay") {
  check("f32", constant("f32", "8.0") + "%2: f32[n] = div(%x, %1)\nreturn %2\n",
        constant("f32", "0.125") + "%2: f32[n] = mul(%x, %1)\nreturn %2\n");
  const std::string third = constant("f32", "3.0") + "%2: f32[n] = div(%x, %1)\nreturn %2\n";
  check("f32", third, third);
}

TEST_CASE("selections with known outcome") {
  check("f32", "%0: f32[n] = select(%c, %x, %x)\nreturn %0\n", "return %x\n");
  check("f32", constant("bool", "false") + "%2: f32[n] = select(%1, %x, %y)\nreturn %2\n",
        "return %y\n");
  check("f32", "%0: bool[n] = not(%c)\n%1: f32[n] = select(%0, %x, %y)\nreturn %1\n",
        "%0: f32[n] = select(%c, %y, %x)\nreturn %0\n");
  check("f32", "%0: bool[n] = eq(%x, %y)\n%1: bool[n] = not(%0)\nreturn %1\n",
        "%0: bool[n] = ne(%x, %y)\nreturn %0\n");
  const std::string ordered = "%0: bool[n] = lt(%x, %y)\n%1: bool[n] = not(%0)\nreturn %1\n";
  check("f32", ordered, ordered);  // NaN is neither below nor at least
}

TEST_CASE("casts join where the inner one loses nothing") {
  const auto casts = [](const std::string& first, const std::string& second) {
    return "%0: " + first + "[n] = cast(%x) {dtype: " + first + "}\n%1: " + second +
           "[n] = cast(%0) {dtype: " + second + "}\nreturn %1\n";
  };
  const auto one = [](const std::string& type) {
    return "%0: " + type + "[n] = cast(%x) {dtype: " + type + "}\nreturn %0\n";
  };

  check("bf16", casts("f32", "bf16"), "return %x\n");
  check("f16", casts("f32", "i32"), one("i32"));
  check("i8", casts("i32", "f32"), one("f32"));
  check("f32", casts("bf16", "f32"), casts("bf16", "f32"));
  check("i32", casts("f64", "i8"), casts("f64", "i8"));             // wraps, but f64 saturates
  check("f8e5m2", casts("f32", "f8e5m2"), casts("f32", "f8e5m2"));  // saturates infinity
}

TEST_CASE("views join and identities vanish") {
  check_pass(codegen::simplify_algebra, R"((%x: f32[m, n, 6]) {
  %0: f32[n, m, 6] = permute(%x) {axes: [1, 0, 2]}
  %1: f32[m, n, 6] = permute(%0) {axes: [1, 0, 2]}
  %2: f32[6*m*n] = reshape(%1) {shape: [6*m*n]}
  %3: f32[m, n, 6] = reshape(%2) {shape: [m, n, 6]}
  %4: f32[m, n, 3] = slice(%3) {shape: [m, n, 3], begin: [0, 0, 5], step: [1, 1, -2]}
  %5: f32[m, n, 2] = slice(%4) {shape: [m, n, 2], begin: [0, 0, 1], step: [1, 1, 1]}
  return %3, %5
})",
             R"((%x: f32[m, n, 6]) {
  %0: f32[m, n, 2] = slice(%x) {shape: [m, n, 2], begin: [0, 0, 3], step: [1, 1, -2]}
  return %x, %0
})");
}

TEST_CASE("rules apply to what other rules leave") {
  check("i32",
        constant("i32", "0") +
            "%2: i32[n] = mul(%x, %1)\n%3: i32[n] = add(%2, %y)\n%4: i32[n] = neg(%3)\n"
            "%5: i32[n] = neg(%4)\nreturn %5\n",
        "return %y\n");
}

TEST_CASE("a dimension that becomes the number 1 is not skipped, since only the number stretches") {
  const std::string kept = R"((%x: f32[n]) {
  %0: f32[1] = broadcast(%x) {shape: [1]}
  %1: f32[5] = broadcast(%0) {shape: [5]}
  return %1
})";
  check_pass(codegen::simplify_algebra, kept, kept);
  check_pass(codegen::simplify_algebra, R"((%x: f32[n], %y: f32[m]) {
  %0: f32[m] = broadcast(%x) {shape: [m]}
  %1: f32[5, m] = broadcast(%0) {shape: [5, m]}
  return %1
})",
             R"((%x: f32[n], %y: f32[m]) {
  %0: f32[5, m] = broadcast(%x) {shape: [5, m]}
  return %0
})");
}

}  // namespace sinter::tests
