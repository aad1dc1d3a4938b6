// Mistakes around operators: parameters, results, tensors in the wrong place, libraries. The whole
// message each, with the user's line.
#include <doctest/doctest.h>

#include "ir/graph.h"
#include "tests/error/mistake.h"

namespace sn = sinter;
using sn::tests::message_of;
using sn::tests::Tensors;

SINTER_OP(scaled, (sn::Tensor a, sn::Scalar alpha)) { return a * alpha; }
SINTER_OP(named_line, (sn::Tensor a, sn::Tensor b)) {
  const sn::Tensor sum = a + a;
  return sum + b;
}
SINTER_OP(far_axis, (sn::Tensor a)) { return sn::sum(a, {2}); }

namespace {

/// The whole message, place and all.
std::string whole_message(const sn::Operator& op, const std::vector<sn::TensorSpec>& specs) {
  try {
    op.trace(specs);
  } catch (const sn::UserError& error) {
    return error.what();
  }
  return "no error";
}

std::string place(const sn::Operator& op, int lines_after) {
  return op.location.file + ":" + std::to_string(op.location.line + lines_after) + ": ";
}

}  // namespace

TEST_CASE("a message begins with file and line of the expression, not of the operator") {
  CHECK(whole_message(named_line, {sn::f32(4), sn::f64(4)}) ==
        place(named_line, 2) +
            "add needs operands of one dtype; given f32[4] and f64[4]: cast one");
  CHECK(whole_message(far_axis, {sn::f32(4, 4)}) ==
        place(far_axis, 0) + "axis 2 of a tensor of rank 2; an axis is in [-2, 1]");
}

TEST_CASE("host scalars have rank 0 and are not promoted") {
  CHECK(whole_message(scaled, {sn::f32(4), sn::f32(1)}) ==
        place(scaled, 0) + "parameter alpha of scaled is a Scalar, of rank 0; f32[1] was given");
  CHECK(whole_message(scaled, {sn::f32(4), sn::scalar(sn::DType::F64)}) ==
        place(scaled, 0) + "mul needs operands of one dtype; given f32[4] and f64: cast one");
}

TEST_CASE("a size that no parameter has") {
  CHECK(message_of({sn::f32("n", 4)}, [](const Tensors& x) -> sn::Result {
          return sn::reshape(x[0], {"k"});
        }) == "op: reshape mentions the size 'k', which is in no parameter's shape");
}

TEST_CASE("a wrong number of types") {
  CHECK(whole_message(scaled, {sn::f32(4)}) ==
        place(scaled, 0) + "scaled has 2 parameters (a, alpha); given 1 type");
}

TEST_CASE("parameters of types that cannot be") {
  CHECK(whole_message(far_axis, {sn::f32(-4)}) ==
        place(far_axis, 0) + "the shape [-4] has a negative dimension: -4");
}

TEST_CASE("nothing returned") {
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          return std::vector<sn::Tensor>();
        }) == "op returns nothing; at least one tensor is needed");
}

TEST_CASE("what the body throws is the user's mistake and names the operator") {
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          throw std::runtime_error("boom");
        }) == "the body of op throws: boom");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result { throw 3; }) ==
        "the body of op throws what is no std::exception");
}

TEST_CASE("tensors that are used outside of the body that made them") {
  Tensors kept;
  message_of({sn::f32(4)}, [&](const Tensors& x) -> sn::Result { return (kept = x)[0]; });

  const std::string again =
      "a tensor of an earlier trace of operator op is used in the body of operator op; it is valid "
      "only inside the body that made it";
  CHECK(message_of({sn::f32(4)}, [&](const Tensors& x) -> sn::Result { return x[0] + kept[0]; }) ==
        again);
  CHECK(message_of({sn::f32(4)}, [&](const Tensors&) -> sn::Result { return kept[0]; }) ==
        "op returns a tensor of an earlier trace of operator op; it is valid only inside the body "
        "that made it");
  CHECK(message_of({sn::f32(4)}, [&](const Tensors& x) -> sn::Result {
          return sn::einsum("i,i->", {x[0], kept[0]});
        }) == again);
  // Alone, so that nothing else says whose body it is.
  CHECK(message_of({sn::f32(4)}, [&](const Tensors& x) -> sn::Result {
          return (sn::exp(kept[0]), x[0]);
        }) == again);
  CHECK(message_of({sn::f32(4)}, [&](const Tensors& x) -> sn::Result {
          return (sn::sum(kept[0]), x[0]);
        }) == again);
  CHECK(message_of({sn::f32(4)}, [&](const Tensors& x) -> sn::Result {
          return sn::concat({x[0], kept[0]}, 0);
        }) == again);
  CHECK(message_of({sn::f32(4)}, [&](const Tensors& x) -> sn::Result {
          return sn::layer_norm(x[0], kept[0]);
        }) == again);
  CHECK(message_of({sn::f32()}, [&](const Tensors& x) -> sn::Result {
          return sn::gradients({x[0]}, {kept[0]});
        }) == again);
}

TEST_CASE("a tensor of one operator in the body of another names both") {
  static std::optional<sn::Tensor> kept;
  const auto keep = [](const std::vector<sn::Tensor>& x) {
    kept = x[0];
    return x;
  };
  sn::Operator first{"first", {"x"}, {}, keep, {}};
  first.trace({sn::f32(4)});

  CHECK(message_of({sn::f32(4)}, [&](const Tensors& x) -> sn::Result { return x[0] * *kept; }) ==
        "a tensor of operator first is used in the body of operator op; it is valid only inside "
        "the body that made it");
  CHECK(message_of({sn::f32(4)}, [&](const Tensors&) -> sn::Result { return *kept; }) ==
        "op returns a tensor of operator first; it is valid only inside the body that made it");
  try {
    sn::exp(*kept);
    FAIL("no error");
  } catch (const sn::UserError& error) {
    CHECK(error.location().line == __LINE__ - 3);
    CHECK(
        std::string(error.what())
            .find(
                ": a tensor of operator first is used outside of any operator's body; it is valid "
                "only inside the body that made it") != std::string::npos);
  }
}

TEST_CASE("expressions outside of a body") {
  try {
    sn::iota(sn::DType::I32, {4}, 0);
    FAIL("no error");
  } catch (const sn::UserError& error) {
    CHECK(error.location().line == __LINE__ - 3);
    CHECK(std::string(error.what()) ==
          std::string(__FILE__) + ":" + std::to_string(__LINE__ - 5) +
              ": tensor expressions stand inside the body of a SINTER_OP");
  }
}

TEST_CASE("dimensions that are no expressions of sizes") {
  CHECK_THROWS_WITH_AS(sn::Dim("n +"),
                       "dimension 'n +':1:4: found the end, a size or a number is needed",
                       sn::UserError);
  CHECK_THROWS_WITH_AS(sn::Dim(""), "dimension '':1:1: found the end, a size or a number is needed",
                       sn::UserError);
  CHECK_THROWS_WITH_AS(sn::Dim("n") / 0,
                       "cannot divide n by 0: a divisor of sizes must be at least 1",
                       sn::UserError);
}

TEST_CASE("an operator that is not there") {
  CHECK_THROWS_WITH_AS(sn::find_operator("named_lines"),
                       "there is no operator 'named_lines'; did you mean 'named_line'?",
                       sn::UserError);
}

TEST_CASE("a library of operators that is none") {
  CHECK_THROWS_WITH_AS(
      sn::load_operators("/no/such/file.so"),
      "operator library '/no/such/file.so' cannot be loaded: /no/such/file.so: cannot open shared "
      "object file: No such file or directory",
      sn::UserError);
}
