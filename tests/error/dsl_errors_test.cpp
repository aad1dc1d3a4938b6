// Mistakes in operators: the whole message, with the user's file and line.
#include <doctest/doctest.h>

#include <memory>

#include "ir/graph.h"
#include "sinter/sinter.h"

namespace sn = sinter;

namespace {
std::shared_ptr<sn::Tensor> kept_operand;
}

SINTER_OP(mixes_dtypes, (sn::Tensor a, sn::Tensor b)) { return a + b; }
SINTER_OP(divides, (sn::Tensor a)) { return a / 2; }
SINTER_OP(half, (sn::Tensor a)) { return a + 0.5; }
SINTER_OP(big, (sn::Tensor a)) { return a + 300; }
SINTER_OP(huge, (sn::Tensor a)) { return a * 1e6; }
SINTER_OP(far_axis, (sn::Tensor a)) { return sn::sum(a, {2}); }
SINTER_OP(twice, (sn::Tensor a)) { return sn::sum(a, {0, -2}); }
SINTER_OP(negates, (sn::Tensor a)) { return !a; }
SINTER_OP(narrow_sum, (sn::Tensor a)) { return sn::sum(a, {}, {.dtype = sn::DType::F32}); }
SINTER_OP(scaled, (sn::Tensor a, sn::Scalar alpha)) { return a * alpha; }
SINTER_OP(renamed, (sn::Tensor a)) { return sn::reshape(a, {"k"}); }
SINTER_OP(product, (sn::Tensor a, sn::Tensor b)) { return sn::matmul(a, b); }
SINTER_OP(keeps_operand, (sn::Tensor a)) {
  kept_operand = std::make_shared<sn::Tensor>(a);
  return a;
}
SINTER_OP(uses_kept, (sn::Tensor a)) { return sn::mse_loss(a, *kept_operand); }
SINTER_OP(flat_transpose, (sn::Tensor a)) { return sn::transpose(a); }

namespace {

// The message without the file and line that it begins with; the line must be that of the operator.
std::string message_of(const sn::Operator& op, const std::vector<sn::TensorSpec>& specs) {
  try {
    op.trace(specs);
  } catch (const sn::UserError& error) {
    CHECK(error.location().line == op.location.line);
    const std::string text = error.what();
    const std::string place =
        error.location().file + ":" + std::to_string(error.location().line) + ": ";
    CHECK(text.substr(0, place.size()) == place);
    return text.substr(place.size());
  }
  return "no error";
}

}  // namespace

TEST_CASE("shapes that do not broadcast") {
  CHECK(message_of(mixes_dtypes, {sn::f32("n"), sn::f32("n + 1")}) ==
        "shapes [n] and [n + 1] do not broadcast: n against n + 1 (only the number 1 stretches)");
  CHECK(message_of(mixes_dtypes, {sn::f32(3), sn::f32(4)}) ==
        "shapes [3] and [4] do not broadcast: 3 against 4 (only the number 1 stretches)");
}

TEST_CASE("literals that the dtype does not hold") {
  CHECK(message_of(half, {sn::i32(4)}) ==
        "the literal 0.5 is not representable as i32; cast the tensor or change the literal");
  CHECK(message_of(big, {sn::i8(4)}) ==
        "the literal 300 is not representable as i8; cast the tensor or change the literal");
  CHECK(message_of(huge, {sn::f16(4)}) ==
        "the literal 1000000 is not representable as f16; cast the tensor or change the literal");
}

TEST_CASE("operators on the wrong dtype") {
  CHECK(message_of(divides, {sn::i32(4)}) ==
        "operator / on i32 tensors; floats are needed: write floor_div(a, b) for the integer "
        "quotient, or cast");
  CHECK(message_of(negates, {sn::f32(4)}) == "operator ! on a f32 tensor; bool is needed");
}

TEST_CASE("axes that are not there, or named twice") {
  CHECK(message_of(far_axis, {sn::f32(4, 4)}) ==
        "axis 2 of a tensor of rank 2; an axis is in [-2, 1]");
  CHECK(message_of(twice, {sn::f32(4, 4)}) == "axes {0, -2} name a dimension twice");
  CHECK(message_of(flat_transpose, {sn::f32(4)}) ==
        "transpose of a tensor of rank 1; rank 2 is needed");
}

TEST_CASE("products whose inner dimensions never agree") {
  CHECK(message_of(product, {sn::f32("m", "2*k"), sn::f32("2*n + 1", 4)}) ==
        "matmul needs [..., m, k] x [..., k, n]; given f32[m, 2*k] and f32[2*n + 1, 4]: 2*k is not "
        "2*n + 1");
}

TEST_CASE("tensors of another operator, also as a composite's further operand") {
  keeps_operand.trace({sn::f32(4)});
  CHECK(message_of(uses_kept, {sn::f32(4)}) ==
        "the operands belong to different operators; a tensor is only valid inside the body that "
        "made it");
  kept_operand.reset();
}

TEST_CASE("a sum in a type that does not hold its terms") {
  CHECK(message_of(narrow_sum, {sn::f64(4)}) ==
        "sum of f64[4] in f32; a type that holds every f64 is needed: cast the operand");
}

TEST_CASE("host scalars have rank 0 and are not promoted") {
  CHECK(message_of(scaled, {sn::f32(4), sn::f32(1)}) ==
        "parameter alpha of scaled is a Scalar, of rank 0; f32[1] was given");
  CHECK(message_of(scaled, {sn::f32(4), sn::scalar(sn::DType::F64)}) ==
        "mul needs operands of one dtype; given f32[4] and f64[4]: cast one");
}

TEST_CASE("a size that no parameter has") {
  CHECK(message_of(renamed, {sn::f32("n", 4)}) ==
        "renamed: reshape mentions the size 'k', which is in no parameter's shape");
}

TEST_CASE("a wrong number of types") {
  CHECK(message_of(half, {sn::f32(4), sn::f32(4)}) ==
        "half has 1 parameters (a); 2 types were given");
}

TEST_CASE("an operator that is not there") {
  CHECK_THROWS_WITH_AS(sn::find_operator("mixes_dtype"),
                       "there is no operator 'mixes_dtype'; did you mean 'mixes_dtypes'?",
                       sn::UserError);
}
