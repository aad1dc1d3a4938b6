// Mistakes in single operands: literals, dtypes, shapes. The whole message each, with the user's line.
#include <doctest/doctest.h>

#include <limits>

#include "tests/error/mistake.h"

namespace sn = sinter;
using sn::tests::message_of;
using sn::tests::Tensors;

TEST_CASE("operands of two dtypes") {
  CHECK(message_of({sn::f32(4), sn::f64(4)}, [](const Tensors& x) -> sn::Result {
          return x[0] + x[1];
        }) == "add needs operands of one dtype; given f32[4] and f64[4]: cast one");
  CHECK(message_of({sn::f32(4), sn::bf16(4)}, [](const Tensors& x) -> sn::Result {
          return sn::maximum(x[0], x[1]);
        }) == "maximum needs operands of one dtype; given f32[4] and bf16[4]: cast one");
  CHECK(message_of({sn::f32("m", 8), sn::bf16(8)}, [](const Tensors& x) -> sn::Result {
          return x[0] * x[1];
        }) == "mul needs operands of one dtype; given f32[m, 8] and bf16[8]: cast one");
  CHECK(message_of({sn::f32(4), sn::f64(3)}, [](const Tensors& x) -> sn::Result {
          return x[0] * x[1];
        }) == "mul needs operands of one dtype; given f32[4] and f64[3]: cast one");
  CHECK(message_of({sn::i32(4), sn::i64(4)}, [](const Tensors& x) -> sn::Result {
          return x[0] == x[1];
        }) == "eq needs operands of one dtype; given i32[4] and i64[4]: cast one");
  CHECK(message_of({sn::boolean(4), sn::f32(4), sn::f16(4)}, [](const Tensors& x) -> sn::Result {
          return sn::select(x[0], x[1], x[2]);
        }) == "select needs operands of one dtype; given f32[4] and f16[4]: cast one");
  CHECK(message_of({sn::f32(4), sn::f16(4)},
                   [](const Tensors& x) -> sn::Result { return sn::lerp(x[0], x[1], 0.5); }) ==
        "lerp: operands of one dtype are needed; given f32[4] and f16[4]: cast operand 1 to f32");
  CHECK(message_of({sn::bf16(4), sn::f16(4)}, [](const Tensors& x) -> sn::Result {
          return sn::lerp(x[0], x[1], 0.5);
        }) == "lerp: operands of one dtype are needed; given bf16[4] and f16[4]: cast both to f32");
  CHECK(message_of({sn::f32(4, 4), sn::f16(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::matmul(x[0], x[1]);
        }) == "matmul needs operands of one dtype; given f32[4, 4] and f16[4, 4]: cast one");
}

TEST_CASE("operators on dtypes that they do not take") {
  CHECK(message_of({sn::i32(4)}, [](const Tensors& x) -> sn::Result { return sn::exp(x[0]); }) ==
        "exp needs floating point; given i32[4]");
  CHECK(message_of({sn::boolean(4)}, [](const Tensors& x) -> sn::Result { return -x[0]; }) ==
        "neg needs numbers, not bool; given bool[4]");
  CHECK(message_of({sn::boolean(4), sn::boolean(4)}, [](const Tensors& x) -> sn::Result {
          return x[0] + x[1];
        }) == "add needs numbers, not bool; given bool[4]");
  CHECK(message_of({sn::f32(4), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return x[0] & x[1];
        }) == "and needs integers or bool; given f32[4]");
  CHECK(message_of({sn::f32(4), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return x[0] << x[1];
        }) == "shift_left needs integers; given f32[4]");
  CHECK(message_of({sn::i32(4)}, [](const Tensors& x) -> sn::Result { return x[0] / 2; }) ==
        "operator / on i32 tensors; floats are needed: write floor_div(a, b) for the integer "
        "quotient, or cast");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result { return !x[0]; }) ==
        "operator ! on a f32 tensor; bool is needed");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result { return ~x[0]; }) ==
        "not needs integers or bool; given f32[4]");
  CHECK(message_of({sn::i32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::fma(x[0], x[0], x[0]);
        }) == "fma needs floating point; given i32[4]");
  CHECK(message_of({sn::i32(4)}, [](const Tensors& x) -> sn::Result { return sn::ceil(x[0]); }) ==
        "ceil needs floating point; given i32[4]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result { return ~(x[0] ^ x[0]); }) ==
        "xor needs integers or bool; given f32[4]");
  CHECK(message_of({sn::boolean(4)}, [](const Tensors& x) -> sn::Result {
          return sn::relu(x[0]);
        }) == "relu needs numbers, not bool; given bool[4]");
  CHECK(message_of({sn::i32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::sigmoid(x[0]);
        }) == "sigmoid needs floating point; given i32[4]");
}

TEST_CASE("bits reinterpreted at another width") {
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::bitcast(x[0], sn::DType::I16);
        }) == "bitcast needs a type of the same width, and not bool; given f32 to i16");
  CHECK(message_of({sn::i8(4)}, [](const Tensors& x) -> sn::Result {
          return sn::bitcast(x[0], sn::DType::Bool);
        }) == "bitcast needs a type of the same width, and not bool; given i8 to bool");
}

TEST_CASE("conditions that are not bool") {
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::select(x[0], x[0], x[0]);
        }) == "select needs a bool condition; given f32[4]");
  CHECK(message_of({sn::f32(4), sn::i32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::masked_fill(x[0], x[1], 0);
        }) == "masked_fill: the mask must be bool; given i32[4]");
  CHECK(message_of({sn::f32(4, 4), sn::i32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::masked_softmax(x[0], x[1]);
        }) == "masked_softmax: the mask must be bool; given i32[4, 4]");
  CHECK(message_of({sn::boolean(4)}, [](const Tensors& x) -> sn::Result {
          return sn::select(x[0], 1, 2);
        }) == "both values of select are host literals; one tensor is needed to give the dtype");
}

TEST_CASE("literals that the dtype does not hold") {
  CHECK(message_of({sn::i32(4)}, [](const Tensors& x) -> sn::Result { return x[0] + 0.5; }) ==
        "the literal 0.5 is not representable as i32; cast the tensor or change the literal");
  CHECK(message_of({sn::i8(4)}, [](const Tensors& x) -> sn::Result { return x[0] + 300; }) ==
        "the literal 300 is not representable as i8; cast the tensor or change the literal");
  CHECK(message_of({sn::u8(4)}, [](const Tensors& x) -> sn::Result { return x[0] + (-1); }) ==
        "the literal -1 is not representable as u8; cast the tensor or change the literal");
  CHECK(message_of({sn::u64(4)}, [](const Tensors& x) -> sn::Result {
          return sn::minimum(x[0], -1);
        }) == "the literal -1 is not representable as u64; cast the tensor or change the literal");
  CHECK(message_of({sn::i64(4)},
                   [](const Tensors& x) -> sn::Result { return x[0] + ~std::uint64_t{0}; }) ==
        "the literal 18446744073709551615 is not representable as i64; cast the tensor or change "
        "the literal");
  CHECK(message_of({sn::f16(4)}, [](const Tensors& x) -> sn::Result { return x[0] * 1e6; }) ==
        "the literal 1000000 is not representable as f16; cast the tensor or change the literal");
  CHECK(message_of({sn::f8e4m3(4)}, [](const Tensors& x) -> sn::Result { return x[0] + 1000; }) ==
        "the literal 1000 is not representable as f8e4m3; cast the tensor or change the literal");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result { return x[0] + 16777217; }) ==
        "the literal 16777217 is not representable as f32; cast the tensor or change the literal");
  CHECK(message_of({sn::f8e4m3(4)},
                   [](const Tensors& x) -> sn::Result {
                     return x[0] + std::numeric_limits<double>::infinity();
                   }) ==
        "the literal inf is not representable as f8e4m3; cast the tensor or change the literal");
}

TEST_CASE("literals where a tensor is needed") {
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result { return sn::exp(1.5); }) ==
        "exp of the host literal 1.5; a tensor is needed");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result { return sn::softmax(2); }) ==
        "softmax of the host literal 2; a tensor is needed");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result { return sn::fma(1, 2, 3); }) ==
        "all operands are host literals; at least one tensor is needed");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          return sn::reshape(3, {1});
        }) == "reshape of the host literal 3; a tensor is needed");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result { return sn::sum(7); }) ==
        "sum of the host literal 7; a tensor is needed");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          return sn::cast(true, sn::DType::F32);
        }) == "cast of the host literal 1; a tensor is needed");
}

TEST_CASE("shapes that do not broadcast") {
  CHECK(message_of({sn::f32(3), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return x[0] + x[1];
        }) == "shapes [3] and [4] do not broadcast: 3 against 4 (only the number 1 stretches)");
  CHECK(message_of({sn::f32("n"), sn::f32("n + 1")},
                   [](const Tensors& x) -> sn::Result { return x[0] * x[1]; }) ==
        "shapes [n] and [n + 1] do not broadcast: n against n + 1 (only the number 1 stretches)");
  CHECK(message_of({sn::f32(2, 3), sn::f32(2)}, [](const Tensors& x) -> sn::Result {
          return x[0] - x[1];
        }) == "shapes [2, 3] and [2] do not broadcast: 3 against 2 (only the number 1 stretches)");
  CHECK(message_of({sn::boolean(2), sn::f32(3)}, [](const Tensors& x) -> sn::Result {
          return sn::select(x[0], x[1], 0);
        }) == "shapes [2] and [3] do not broadcast: 2 against 3 (only the number 1 stretches)");
  CHECK(message_of({sn::f32(3), sn::f32(4), sn::f32(1)},
                   [](const Tensors& x) -> sn::Result { return sn::clamp(x[0], x[1], x[2]); }) ==
        "clamp: shapes [3] and [4] do not broadcast: 3 against 4 (only the number 1 stretches)");
}
