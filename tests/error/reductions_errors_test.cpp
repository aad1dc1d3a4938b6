// Mistakes in reductions, scans, norms and products. The whole message each, with the user's line.
#include <doctest/doctest.h>

#include "tests/error/mistake.h"

namespace sn = sinter;
using sn::tests::message_of;
using sn::tests::Tensors;

TEST_CASE("axes of reductions") {
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::sum(x[0], {2});
        }) == "axis 2 of a tensor of rank 2; an axis is in [-2, 1]");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::max(x[0], {0, -2});
        }) == "axes {0, -2} name a dimension twice");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::argmax(x[0], 3);
        }) == "axis 3 of a tensor of rank 2; an axis is in [-2, 1]");
  CHECK(message_of({sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::argmin(x[0], 0);
        }) == "axis 0 of a tensor of rank 0, which has no axes");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::cumsum(x[0], -3);
        }) == "axis -3 of a tensor of rank 2; an axis is in [-2, 1]");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::softmax(x[0], 2);
        }) == "axis 2 of a tensor of rank 2; an axis is in [-2, 1]");
  CHECK(message_of({sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::log_softmax(x[0]);
        }) == "axis -1 of a tensor of rank 0, which has no axes");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::var(x[0], {1, 1});
        }) == "axes {1, 1} name a dimension twice");
}

TEST_CASE("sums and means in a type that does not hold their terms") {
  CHECK(message_of({sn::f64(4)}, [](const Tensors& x) -> sn::Result {
          return sn::sum(x[0], {}, {.dtype = sn::DType::F32});
        }) == "sum of f64[4] in f32; a type that holds every f64 is needed: cast the operand");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::sum(x[0], {}, {.dtype = sn::DType::I64});
        }) == "sum of f32[4] in i64; a type that holds every f32 is needed: cast the operand");
  CHECK(message_of({sn::f64(4)}, [](const Tensors& x) -> sn::Result {
          return sn::mean(x[0], {}, {.dtype = sn::DType::BF16});
        }) == "mean: f64 in bf16; a type that holds every f64 is needed: cast the operand");
  CHECK(message_of({sn::i32(4)}, [](const Tensors& x) -> sn::Result { return sn::mean(x[0]); }) ==
        "mean needs floating point; given i32[4]");
}

TEST_CASE("reductions of dtypes that they do not take") {
  CHECK(message_of({sn::boolean(4)}, [](const Tensors& x) -> sn::Result {
          return sn::max(x[0]);
        }) == "max needs numbers, not bool; given bool[4]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result { return sn::any(x[0]); }) ==
        "any needs integers or bool; given f32[4]");
  CHECK(message_of({sn::i32(4)}, [](const Tensors& x) -> sn::Result { return sn::norm(x[0]); }) ==
        "norm needs floating point; given i32[4]");
  CHECK(message_of({sn::boolean(4)}, [](const Tensors& x) -> sn::Result {
          return sn::argmax(x[0], 0);
        }) == "argmax needs numbers, not bool; given bool[4]");
  CHECK(message_of({sn::boolean(4)}, [](const Tensors& x) -> sn::Result {
          return sn::cumsum(x[0], 0);
        }) == "cumsum needs numbers, not bool; given bool[4]");
}

TEST_CASE("numbers out of range") {
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::norm(x[0], {}, false, -3);
        }) == "norm: order -3 is neither positive, 0 nor -inf");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::hardtanh(x[0], 1, -1);
        }) == "hardtanh: low 1 is above high -1");
  CHECK(message_of({sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result { return sn::glu(x[0]); }) ==
        "glu: dimension 1 of f32[4, 3] cannot be halved");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::glu(x[0], -1, "tanh");
        }) == "glu: variant 'tanh' is none of sigmoid, silu, gelu, gelu_tanh, relu, none");
}

TEST_CASE("weights and biases of norms") {
  CHECK(message_of({sn::f32(4, 4), sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::layer_norm(x[0], x[1]);
        }) == "layer_norm: operand 1 is f32[4, 3], but dimension 1 of f32[4, 4] needs 4");
  CHECK(message_of({sn::f32(4, 4), sn::f32(3)}, [](const Tensors& x) -> sn::Result {
          return sn::layer_norm(x[0], x[1]);
        }) == "layer_norm: operand 1 is f32[3], but dimension 1 of f32[4, 4] needs 4");
  CHECK(message_of({sn::f32(4, 4), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::layer_norm(x[0], {}, x[1]);
        }) == "layer_norm with a bias needs a weight too");
  CHECK(message_of({sn::f32(4), sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::rms_norm(x[0], x[1]);
        }) == "rms_norm of a tensor of rank 1 with a weight of rank 2");
  CHECK(message_of({sn::f32(4, 4), sn::f64(4)},
                   [](const Tensors& x) -> sn::Result { return sn::rms_norm(x[0], x[1]); }) ==
        "rms_norm: operands of one dtype are needed; given f32[4, 4] and f64[4]: cast operand 0 to "
        "f64");
  CHECK(message_of({sn::f32(4, 4), sn::f32(4), sn::f32(3)}, [](const Tensors& x) -> sn::Result {
          return sn::layer_norm(x[0], x[1], x[2]);
        }) == "layer_norm: operand 2 is f32[3], but dimension 1 of f32[4, 4] needs 4");
  CHECK(message_of({sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::layer_norm(x[0]);
        }) == "layer_norm of a tensor of rank 0 with a weight of rank 1");
  CHECK(message_of({sn::f32(2, 5, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::group_norm(x[0], 2);
        }) == "group_norm: dimension 1 of f32[2, 5, 3] is no multiple of 2 groups");
  CHECK(message_of({sn::f32(2, 4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::group_norm(x[0], 0);
        }) == "group_norm: 0 groups; 1 at least is needed");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::group_norm(x[0], 1);
        }) == "group_norm: it needs [n, channels, ...], of at least 2 dimensions; given f32[4]");
  CHECK(message_of({sn::f32(2, 4, 3), sn::f32(3)}, [](const Tensors& x) -> sn::Result {
          return sn::group_norm(x[0], 2, x[1]);
        }) == "group_norm: operand 1 must be f32[4]; given f32[3]");
  CHECK(message_of({sn::f32(2, 4, 3), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::group_norm(x[0], 2, {}, x[1]);
        }) == "group_norm with a bias needs a weight too");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::instance_norm(x[0]);
        }) == "instance_norm: it needs [n, channels, ...], of at least 3 dimensions; given f32[4]");
  CHECK(message_of({sn::f32(2, 4), sn::f32(4), sn::f32(3)}, [](const Tensors& x) -> sn::Result {
          return sn::batch_norm(x[0], x[1], x[2]);
        }) == "batch_norm: operand 2 must be f32[4]; given f32[3]");
  CHECK(
      message_of({sn::f32(2, 4), sn::f32(4), sn::f64(4)},
                 [](const Tensors& x) -> sn::Result { return sn::batch_norm(x[0], x[1], x[2]); }) ==
      "batch_norm: operands of one dtype are needed; given f32[2, 4] and f64[4]: cast operand 0 to "
      "f64");
  CHECK(message_of({sn::f32(2, 4), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::batch_norm(x[0], x[1], x[1], {.axis = 2});
        }) == "axis 2 of a tensor of rank 2; an axis is in [-2, 1]");
  CHECK(message_of({sn::f32(2, 4), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::batch_norm(x[0], x[1], x[1], {.bias = x[1]});
        }) == "batch_norm with a bias needs a weight too");
  CHECK(message_of({sn::f32(2, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::batch_norm_train(x[0], {.axis = 5}).result;
        }) == "axis 5 of a tensor of rank 2; an axis is in [-2, 1]");
}

TEST_CASE("products whose dimensions do not fit") {
  CHECK(message_of({sn::f32("m", "2*k"), sn::f32("2*n + 1", 4)},
                   [](const Tensors& x) -> sn::Result { return sn::matmul(x[0], x[1]); }) ==
        "matmul needs [..., m, k] x [..., k, n]; given f32[m, 2*k] and f32[2*n + 1, 4]: 2*k is not "
        "2*n + 1");
  CHECK(message_of({sn::f32(4, 3), sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::matmul(x[0], x[1]);
        }) == "matmul needs [..., m, k] x [..., k, n]; given f32[4, 3] and f32[4, 3]: 3 is not 4");
  CHECK(message_of({sn::f32(2, 4, 3), sn::f32(5, 3, 4)},
                   [](const Tensors& x) -> sn::Result { return sn::matmul(x[0], x[1]); }) ==
        "matmul cannot broadcast the leading dimensions of f32[2, 4, 3] and f32[5, 3, 4]: 2 is not "
        "5");
  CHECK(message_of({sn::scalar(sn::DType::F32), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::matmul(x[0], x[1]);
        }) == "matmul of tensors of rank 0 and 1; rank 1 at least is needed");
  CHECK(message_of({sn::boolean(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::matmul(x[0], x[0]);
        }) == "matmul needs numbers, not bool; given bool[4, 4]");
  CHECK(message_of({sn::f32(4, 3), sn::f32(5)}, [](const Tensors& x) -> sn::Result {
          return sn::linear(x[0], x[1]);
        }) == "linear needs a weight [out, in]; given a tensor of rank 1");
  CHECK(message_of({sn::f32(4, 3), sn::f32(5, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::linear(x[0], x[1]);
        }) == "linear needs x [..., in] and a weight [out, in]; given [4, 3] and [5, 4]");
  CHECK(message_of({sn::f32(4, 3), sn::f32(5, 3), sn::f32(5, 1)},
                   [](const Tensors& x) -> sn::Result { return sn::linear(x[0], x[1], x[2]); }) ==
        "linear needs a bias [5]; given [5, 1]");
  CHECK(message_of({sn::f32(4, 3), sn::f32(5, 3), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::linear(x[0], x[1], x[2]);
        }) == "linear needs a bias [5]; given [4]");
  CHECK(message_of({sn::f32(4), sn::f64(4)}, [](const Tensors& x) -> sn::Result {
          return sn::outer(x[0], x[1]);
        }) == "outer needs operands of one dtype; given f32[4] and f64[4]: cast one");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::tensordot(x[0], x[0], {0}, {});
        }) == "tensordot sums over 1 dimension of one operand and 0 of the other");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::tensordot(x[0], x[0], {0, 0}, {0, 1});
        }) == "tensordot names a dimension twice");
  CHECK(message_of({sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::tensordot(x[0], x[0], {0}, {1});
        }) == "tensordot of [4, 3] and [4, 3] sums over extents 4 and 3");
  CHECK(message_of({sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::tensordot(x[0], x[0], {2}, {1});
        }) == "axis 2 of a tensor of rank 2; an axis is in [-2, 1]");
}

TEST_CASE("equations of einsum") {
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::einsum("ij,jk->ik", {x[0]});
        }) == "einsum 'ij,jk->ik' is of 2 operands; given 1");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::einsum("i1->i", {x[0]});
        }) == "einsum 'i1->i': labels are letters; given '1'");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::einsum("ij->ii", {x[0]});
        }) == "einsum 'ij->ii': label i stands twice in the result");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::einsum("ij->ik", {x[0]});
        }) == "einsum 'ij->ik': label k of the result stands in no operand");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::einsum("ijk->i", {x[0]});
        }) == "einsum 'ijk->i': 'ijk' has 3 labels, but the operand is f32[4, 4]");
  CHECK(message_of({sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::einsum("ij,ji->i", {x[0], x[0]});
        }) == "einsum 'ij,ji->i': label j has two extents: 3 and 4");
  CHECK(message_of({sn::f32(4), sn::f64(4)}, [](const Tensors& x) -> sn::Result {
          return sn::einsum("i,i->", {x[0], x[1]});
        }) == "einsum needs operands of one dtype; given f32[4] and f64[4]: cast one");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          return sn::einsum("->", {});
        }) == "einsum '->' is of 1 operand; given 0");
  CHECK(message_of({sn::boolean(4)}, [](const Tensors& x) -> sn::Result {
          return sn::einsum("i,i->", {x[0], x[0]});
        }) == "einsum needs numbers, not bool; given bool[4]");
}
