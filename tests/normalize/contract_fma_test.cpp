// a * b + c becomes fma in fast mode, and only there.
#include "codegen/normalize/contract_fma.h"

#include <doctest/doctest.h>

#include "tests/support/graph_text_check.h"

namespace sinter::tests {

namespace {

const std::string kInput = R"((%a: f32[n], %b: f32[n], %c: f32[n]) {
  %0: f32[n] = mul(%a, %b)
  %1: f32[n] = add(%c, %0)
  %2: f32[n] = mul(%b, %c)
  %3: f32[n] = sub(%1, %2)
  return %3
})";

codegen::NormalizeOptions in_mode(ir::Mode mode) {
  codegen::NormalizeOptions options;
  options.mode = mode;
  return options;
}

}  // namespace

TEST_CASE("fast mode contracts sums and differences of products") {
  check_pass(codegen::contract_fma, kInput, R"((%a: f32[n], %b: f32[n], %c: f32[n]) {
  %0: f32[n] = fma(%a, %b, %c)
  %1: f32[n] = neg(%b)
  %2: f32[n] = fma(%1, %c, %0)
  return %2
})",
             in_mode(ir::Mode::Fast));
}

TEST_CASE("other modes contract nothing") {
  check_pass(codegen::contract_fma, kInput, kInput, in_mode(ir::Mode::Default));
  check_pass(codegen::contract_fma, kInput, kInput, in_mode(ir::Mode::Strict));
}

TEST_CASE("a product that is used twice and integers stay") {
  const std::string text = R"((%a: f32[n], %i: i32[n]) {
  %0: f32[n] = mul(%a, %a)
  %1: f32[n] = add(%0, %a)
  %2: i32[n] = mul(%i, %i)
  %3: i32[n] = add(%2, %i)
  return %0, %1, %3
})";

  check_pass(codegen::contract_fma, text, text, in_mode(ir::Mode::Fast));
}

}  // namespace sinter::tests
