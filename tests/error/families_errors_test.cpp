// Mistakes in convolutions, pooling, attention, losses, indexing, sorting, random numbers and quantization. The whole message each, with the user's line.
#include <doctest/doctest.h>

#include "tests/error/mistake.h"

namespace sn = sinter;
using sn::tests::message_of;
using sn::tests::Tensors;

TEST_CASE("convolutions") {
  CHECK(message_of({sn::f32(2, 4), sn::f32(2, 4)},
                   [](const Tensors& x) -> sn::Result { return sn::conv(x[0], x[1]); }) ==
        "conv: it needs an operand of rank 3 to 5 and a weight of the same rank; given f32[2, 4] "
        "and f32[2, 4]");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(2, 4, 3, 3)},
                   [](const Tensors& x) -> sn::Result { return sn::conv(x[0], x[1]); }) ==
        "conv: it needs an operand of rank 3 to 5 and a weight of the same rank; given f32[2, 4, "
        "5] and f32[2, 4, 3, 3]");
  CHECK(
      message_of({sn::f32(2, 4, 5), sn::f16(2, 4, 3)},
                 [](const Tensors& x) -> sn::Result { return sn::conv(x[0], x[1]); }) ==
      "conv: operands of one dtype are needed; given f32[2, 4, 5] and f16[2, 4, 3]: cast operand 1 "
      "to f32");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(2, 4, "w")}, [](const Tensors& x) -> sn::Result {
          return sn::conv(x[0], x[1]);
        }) == "conv: the window must have numbers as extents; the weight is f32[2, 4, w]");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(2, 3, 3)},
                   [](const Tensors& x) -> sn::Result { return sn::conv(x[0], x[1]); }) ==
        "conv: the operand has 4 channels, the weight needs 3 in 1 group; given f32[2, 4, 5] and "
        "f32[2, 3, 3]");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(3, 2, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::conv(x[0], x[1], {.groups = 2});
        }) == "conv: dimension 0 of the weight f32[3, 2, 3] is no multiple of 2 groups");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(2, 4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::conv(x[0], x[1], {.groups = 0});
        }) == "conv: 0 groups; 1 at least is needed");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(2, 4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::conv(x[0], x[1], {.layout = "chwn"});
        }) == "conv: variant 'chwn' is none of nchw, nhwc");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(2, 4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::conv(x[0], x[1], {.stride = {1, 2}});
        }) == "stride has 2 numbers; 1 is needed");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(2, 4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::conv(x[0], x[1], {.stride = {0}});
        }) == "conv: step 0 is below 1");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(2, 4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::conv(x[0], x[1], {.dilation = {0}});
        }) == "conv: dilation 0 is below 1");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(2, 4, 3), sn::f32(3)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::conv(x[0], x[1], {.bias = x[2]});
                   }) == "conv: the bias must be f32[2]; given f32[3]");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(2, 4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::conv(x[0], x[1], {.output_padding = {1}});
        }) == "conv has no output_padding; conv_transpose has");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(3, 4, 3)},
                   [](const Tensors& x) -> sn::Result { return sn::conv_transpose(x[0], x[1]); }) ==
        "conv_transpose: the operand has 4 channels, the weight needs 3 in 1 group; given f32[2, "
        "4, 5] and f32[3, 4, 3]");
  CHECK(message_of({sn::f32(2, 4, 5), sn::f32(4, 4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::conv_transpose(x[0], x[1], {.stride = {0}});
        }) == "conv_transpose: step 0 is below 1");
}

TEST_CASE("transposed convolutions of an extent below 0, and empty windows") {
  CHECK(
      message_of({sn::f32(2, 4, 0), sn::f32(4, 4, 3)},
                 [](const Tensors& x) -> sn::Result {
                   return sn::conv_transpose(x[0], x[1], {.stride = {5}});
                 }) ==
      "conv_transpose: dimension 2 of f32[2, 4, 0] gives the extent (0 - 1) * step 5 + 3 elements "
      "of a window - pad_low 0 - pad_high 0 = -2; 0 at least is needed");
  CHECK(message_of({sn::f32(2, 4, 1, 2), sn::f32(4, 4, 2, 2)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::conv_transpose(x[0], x[1], {.padding = {3, 1}, .dilation = {2}});
                   }) ==
        "conv_transpose: dimension 2 of f32[2, 4, 1, 2] gives the extent (1 - 1) * step 1 + 3 "
        "elements of a window - pad_low 3 - pad_high 3 = -3; 0 at least is needed");
  CHECK(message_of({sn::f32(2, 4, 1), sn::f32(4, 4, 2)}, [](const Tensors& x) -> sn::Result {
          return sn::conv_transpose(x[0], x[1], {.padding = {1}});
        }) == "no error");  // of extent 0
  CHECK(
      message_of({sn::f32(2, 4, 5), sn::f32(4, 4, 0)},
                 [](const Tensors& x) -> sn::Result { return sn::conv_transpose(x[0], x[1]); }) ==
      "conv_transpose: dimension 2 of the weight f32[4, 4, 0] is a window of extent 0; 1 at least "
      "is needed");
  CHECK(message_of({sn::f32(2, 4, 5, 5), sn::f32(4, 0, 3, 4)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::conv(x[0], x[1], {.layout = "nhwc"});
                   }) ==
        "conv: dimension 1 of the weight f32[4, 0, 3, 4] is a window of extent 0; 1 at least is "
        "needed");
}

TEST_CASE("pooling") {
  CHECK(message_of({sn::f32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::max_pool(x[0], {});
        }) == "max_pool over 0 dimensions of a tensor of rank 3 in layout nchw; 1 to 3 are needed");
  CHECK(message_of({sn::f32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::max_pool(x[0], {2, 2, 2, 2});
        }) == "max_pool over 4 dimensions of a tensor of rank 3 in layout nchw; 1 to 3 are needed");
  CHECK(message_of({sn::f32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::max_pool(x[0], {0});
        }) == "max_pool: window 0 is below 1");
  CHECK(message_of({sn::f32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::max_pool(x[0], {2}, {.layout = "ncx"});
        }) == "max_pool: layout 'ncx' is none of nchw, nhwc");
  CHECK(message_of({sn::f32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::avg_pool(x[0], {2}, {.stride = {1, 1}});
        }) == "stride has 2 numbers; 1 is needed");
  CHECK(message_of({sn::f32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::avg_pool(x[0], {2}, {.stride = {-1}});
        }) == "avg_pool: step -1 is below 1");
  CHECK(message_of({sn::f32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::lp_pool(x[0], {2}, -3);
        }) == "lp_pool: norm: order -3 is neither positive, 0 nor -inf");
  CHECK(message_of({sn::i32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::avg_pool(x[0], {2});
        }) == "avg_pool needs floating point; given i32[2, 4, 5]");
  CHECK(message_of({sn::f32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::adaptive_max_pool(x[0], {0});
        }) == "adaptive_max_pool: shape [0] has an extent below 1");
  CHECK(message_of({sn::f32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::interpolate(x[0], {8}, {.variant = "area"});
        }) == "interpolate: variant 'area' is none of nearest, linear, cubic");
  CHECK(message_of({sn::f32(2, 4, 5)}, [](const Tensors& x) -> sn::Result {
          return sn::interpolate(x[0], {8}, {.align_corners = true});
        }) == "interpolate: align_corners is of variants linear and cubic only");
}

TEST_CASE("attention") {
  CHECK(
      message_of({sn::f32(4, 8), sn::f32(4, 8), sn::f32(4, 8)},
                 [](const Tensors& x) -> sn::Result { return sn::attention(x[0], x[1], x[2]); }) ==
      "attention: q, k and v must be [..., heads, rows, d]; given f32[4, 8], f32[4, 8] and f32[4, "
      "8]");
  CHECK(
      message_of({sn::f32(2, 4, 8), sn::f32(2, 5, 7), sn::f32(2, 5, 8)},
                 [](const Tensors& x) -> sn::Result { return sn::attention(x[0], x[1], x[2]); }) ==
      "attention: rows of q and k must have equal extents; given f32[2, 4, 8], f32[2, 5, 7] and "
      "f32[2, 5, 8]");
  CHECK(
      message_of({sn::f32(2, 4, 8), sn::f32(2, 5, 8), sn::f32(2, 6, 8)},
                 [](const Tensors& x) -> sn::Result { return sn::attention(x[0], x[1], x[2]); }) ==
      "attention: k and v must have as many rows; given f32[2, 4, 8], f32[2, 5, 8] and f32[2, 6, "
      "8]");
  CHECK(
      message_of({sn::f32(3, 4, 8), sn::f32(2, 5, 8), sn::f32(2, 5, 8)},
                 [](const Tensors& x) -> sn::Result { return sn::attention(x[0], x[1], x[2]); }) ==
      "attention: the heads of q must be a multiple of those of k and v; given f32[3, 4, 8], "
      "f32[2, 5, 8] and f32[2, 5, 8]");
  CHECK(
      message_of({sn::f32(2, 4, 8), sn::f16(2, 5, 8), sn::f32(2, 5, 8)},
                 [](const Tensors& x) -> sn::Result { return sn::attention(x[0], x[1], x[2]); }) ==
      "attention: operands of one dtype are needed; given f32[2, 4, 8] and f16[2, 5, 8]: cast "
      "operand 1 to f32");
  CHECK(message_of({sn::f32(2, 4, 8), sn::f32(2, 5, 8), sn::i32(4, 5)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::attention(x[0], x[1], x[1], {.mask = x[2]});
                   }) ==
        "attention: the mask must be bool or f32 and broadcast to [2, 4, 5]; given i32[4, 5]");
  CHECK(message_of({sn::f32(2, 4, 8), sn::f32(2, 5, 8), sn::f32(4, 4)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::attention(x[0], x[1], x[1], {.mask = x[2]});
                   }) ==
        "attention: shapes [2, 4, 5] and [4, 4] do not broadcast: 5 against 4 (only the number 1 "
        "stretches)");
  CHECK(message_of({sn::f32(2, 4, 8)}, [](const Tensors& x) -> sn::Result {
          return sn::attention(x[0], x[0], x[0], {.window_before = -2});
        }) == "attention: a window of -2 keys; 0 at least are needed");
  CHECK(message_of({sn::f32(4, 8), sn::f32(4, 3), sn::f32(4, 4)},
                   [](const Tensors& x) -> sn::Result { return sn::rope(x[0], x[1], x[2]); }) ==
        "rope: operand 1 must be f32[..., 4]; given f32[4, 3]");
  CHECK(message_of({sn::f32(4, 7), sn::f32(4, 3), sn::f32(4, 3)},
                   [](const Tensors& x) -> sn::Result { return sn::rope(x[0], x[1], x[2]); }) ==
        "rope: the last dimension of f32[4, 7] is odd");
  CHECK(message_of({sn::f32(4, 8), sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::rope(x[0], x[1], x[1], "thirds");
        }) == "rope: variant 'thirds' is none of halves, interleaved");
  CHECK(message_of({sn::f32(4, 8), sn::f64(4, 4)},
                   [](const Tensors& x) -> sn::Result { return sn::rope(x[0], x[1], x[1]); }) ==
        "rope: operands of one dtype are needed; given f32[4, 8] and f64[4, 4]: cast operand 0 to "
        "f64");
}

TEST_CASE("losses") {
  CHECK(message_of({sn::f32(4, 3), sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::mse_loss(x[0], x[1], "max");
        }) == "mse_loss: variant 'max' is none of none, mean, sum");
  CHECK(message_of({sn::f32(4, 3), sn::f32(4, 2)},
                   [](const Tensors& x) -> sn::Result { return sn::l1_loss(x[0], x[1]); }) ==
        "l1_loss: shapes [4, 3] and [4, 2] do not broadcast: 3 against 2 (only the number 1 "
        "stretches)");
  CHECK(message_of({sn::f32(4, 3), sn::f64(4, 3)},
                   [](const Tensors& x) -> sn::Result { return sn::kl_div(x[0], x[1]); }) ==
        "kl_div: operands of one dtype are needed; given f32[4, 3] and f64[4, 3]: cast operand 0 "
        "to f64");
  CHECK(message_of({sn::f32(4), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::huber_loss(x[0], x[1], 0);
        }) == "huber_loss: alpha 0 is not above 0");
  CHECK(message_of({sn::f32(4), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::smooth_l1_loss(x[0], x[1], -1);
        }) == "smooth_l1_loss: alpha -1 is not above 0");
  CHECK(message_of({sn::f32(4, 3), sn::i64(3)}, [](const Tensors& x) -> sn::Result {
          return sn::nll_loss(x[0], x[1]);
        }) == "nll_loss: labels must be integers of shape [4]; given i64[3]");
  CHECK(message_of({sn::f32(4, 3), sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::nll_loss(x[0], x[1]);
        }) == "nll_loss: labels must be integers of shape [4]; given f32[4]");
  CHECK(message_of({sn::f32(4, 3), sn::i64(4)}, [](const Tensors& x) -> sn::Result {
          return sn::cross_entropy(x[0], x[1], {.smoothing = 2});
        }) == "cross_entropy: smoothing 2 is not in [0, 1]");
  CHECK(message_of({sn::f32(4, 3), sn::f32(4, 2)}, [](const Tensors& x) -> sn::Result {
          return sn::cross_entropy(x[0], x[1]);
        }) == "cross_entropy: probabilities must be f32[4, 3]; given f32[4, 2]");
  CHECK(message_of({sn::f32(4, 3), sn::i64(4)}, [](const Tensors& x) -> sn::Result {
          return sn::cross_entropy(x[0], x[1], {.axis = 2});
        }) == "axis 2 of a tensor of rank 2; an axis is in [-2, 1]");
  CHECK(message_of({sn::f32(4, 3), sn::f32(4, 2)}, [](const Tensors& x) -> sn::Result {
          return sn::cosine_similarity(x[0], x[1]);
        }) == "cosine_similarity: the operands need one shape; given f32[4, 3] and f32[4, 2]");
  CHECK(message_of({sn::f32(4, 3), sn::f32(4, 2)}, [](const Tensors& x) -> sn::Result {
          return sn::triplet_loss(x[0], x[0], x[1]);
        }) == "triplet_loss: the operands need one shape; given f32[4, 3] and f32[4, 2]");
}

TEST_CASE("indexing and sorting") {
  CHECK(message_of({sn::f32(4), sn::f32(2)}, [](const Tensors& x) -> sn::Result {
          return sn::take(x[0], x[1]);
        }) == "take: integer indices are needed; given f32[2]");
  CHECK(message_of({sn::f32(4), sn::i64(2)}, [](const Tensors& x) -> sn::Result {
          return sn::take(x[0], x[1], 1);
        }) == "axis 1 of a tensor of rank 1; an axis is in [-1, 0]");
  CHECK(message_of({sn::f32(4, 4), sn::i64(2)}, [](const Tensors& x) -> sn::Result {
          return sn::take_along_axis(x[0], x[1], 0);
        }) == "take_along_axis: indices of rank 2 are needed; given i64[2]");
  CHECK(message_of(
            {sn::f32(4, 4), sn::i64(3, 2)},
            [](const Tensors& x) -> sn::Result { return sn::take_along_axis(x[0], x[1], 0); }) ==
        "take_along_axis: shapes [1, 4] and [1, 2] do not broadcast: 4 against 2 (only the number "
        "1 stretches)");
  CHECK(message_of({sn::i64(4)}, [](const Tensors& x) -> sn::Result {
          return sn::one_hot(x[0], -1);
        }) == "one_hot: count -1 is negative");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::one_hot(x[0], 4);
        }) == "one_hot needs integers; given f32[4]");
  CHECK(
      message_of({sn::f32(4, 4), sn::i64(2, 4), sn::f32(2, 3)},
                 [](const Tensors& x) -> sn::Result { return sn::scatter(x[0], x[1], x[2], 0); }) ==
      "scatter: shapes [2, 4] and [2, 3] do not broadcast: 4 against 3 (only the number 1 "
      "stretches)");
  CHECK(
      message_of(
          {sn::f32(4, 4), sn::i64(2, 4), sn::f64(2, 4)},
          [](const Tensors& x) -> sn::Result { return sn::scatter_add(x[0], x[1], x[2], 0); }) ==
      "scatter_add: operands of one dtype are needed; given f32[4, 4] and f64[2, 4]: cast operand "
      "0 to f64");
  CHECK(
      message_of({sn::f32(4, 4), sn::f32(2, 4), sn::f32(2, 4)}, [](const Tensors& x) -> sn::Result {
        return sn::scatter(x[0], x[1], x[2], 0);
      }) == "scatter: integer indices are needed; given f32[2, 4]");
  CHECK(
      message_of({sn::f32(4, 4), sn::i64(2, 4), sn::f32(2, 4)}, [](const Tensors& x) -> sn::Result {
        return sn::index_put(x[0], x[1], x[2]);
      }) == "index_put: one index a slice is needed; given i64[2, 4]");
  CHECK(
      message_of({sn::f32(4, 4), sn::i64(2), sn::f32(2)},
                 [](const Tensors& x) -> sn::Result { return sn::index_add(x[0], x[1], x[2]); }) ==
      "index_add: updates with the dimensions of f32[4, 4] but for axis 0 are needed; given "
      "f32[2]");
  CHECK(
      message_of({sn::f32(4, 4), sn::i64(2), sn::f32(2, 5)},
                 [](const Tensors& x) -> sn::Result { return sn::index_add(x[0], x[1], x[2]); }) ==
      "index_add: scatter_add: updates with the dimensions of f32[4, 4] but for axis 0 are needed; "
      "given f32[2, 5]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::topk(x[0], 5).values;
        }) == "topk: there are no 5 elements along axis 0 of f32[4]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::topk(x[0], -1).values;
        }) == "topk: there are no -1 elements along axis 0 of f32[4]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::sort(x[0], 1);
        }) == "axis 1 of a tensor of rank 1; an axis is in [-1, 0]");
  CHECK(message_of({sn::f32(2, 4), sn::f32(3)},
                   [](const Tensors& x) -> sn::Result { return sn::searchsorted(x[0], x[1]); }) ==
        "searchsorted: a sorted operand of rank 1, or of the rank of the values, is needed; given "
        "f32[2, 4] and f32[3]");
  CHECK(message_of({sn::f32(4), sn::f64(3)},
                   [](const Tensors& x) -> sn::Result { return sn::searchsorted(x[0], x[1]); }) ==
        "searchsorted: operands of one dtype are needed; given f32[4] and f64[3]: cast operand 0 "
        "to f64");
  CHECK(message_of({sn::scalar(sn::DType::F32), sn::f32(3)},
                   [](const Tensors& x) -> sn::Result { return sn::searchsorted(x[0], x[1]); }) ==
        "searchsorted: a sorted operand of rank 1, or of the rank of the values, is needed; given "
        "f32 and f32[3]");
}

TEST_CASE("random numbers") {
  CHECK(message_of(
            {sn::scalar(sn::DType::F32), sn::scalar(sn::DType::I64), sn::scalar(sn::DType::I64)},
            [](const Tensors& x) -> sn::Result { return sn::philox(x[0], x[1], x[2])[0]; }) ==
        "philox needs integers; given f32");
  CHECK(message_of(
            {sn::scalar(sn::DType::I64), sn::scalar(sn::DType::F32), sn::scalar(sn::DType::I64)},
            [](const Tensors& x) -> sn::Result { return sn::philox(x[0], x[1], x[2])[0]; }) ==
        "philox: counter and key must be integers; given f32");
  CHECK(message_of({sn::i64(2)}, [](const Tensors& x) -> sn::Result {
          return sn::random_uniform(x[0], {4});
        }) == "random_uniform: operand 0 must be an integer of rank 0; given i64[2]");
  CHECK(message_of({sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::random_uniform(x[0], {4});
        }) == "random_uniform needs integers; given f32");
  CHECK(message_of({sn::f32(4), sn::scalar(sn::DType::I64)}, [](const Tensors& x) -> sn::Result {
          return sn::dropout(x[0], 1.5, x[1]);
        }) == "dropout: the rate 1.5 is not in [0, 1]");
  CHECK(message_of({sn::f32(4), sn::i64(2)}, [](const Tensors& x) -> sn::Result {
          return sn::dropout(x[0], 0.5, x[1]);
        }) == "dropout: operand 1 must be an integer of rank 0; given i64[2]");
}

TEST_CASE("quantization") {
  CHECK(message_of({sn::f32(4, 3), sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::quantize(x[0], x[1], sn::DType::I32);
        }) == "quantize: dtype i32 is none of i8, u8, i16, u16, f8e4m3, f8e5m2");
  CHECK(message_of({sn::f32(4, 3), sn::scalar(sn::DType::F16)}, [](const Tensors& x) -> sn::Result {
          return sn::quantize(x[0], x[1], sn::DType::I8);
        }) == "quantize: the scale must be f32; given f16");
  CHECK(message_of({sn::f32(4, 3), sn::scalar(sn::DType::I8)}, [](const Tensors& x) -> sn::Result {
          return sn::quantize(x[0], x[1], sn::DType::I8);
        }) == "quantize: the scale must be floating; given i8");
  CHECK(message_of({sn::f32(4, 3), sn::f32(4)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::quantize(x[0], x[1], sn::DType::I8, {}, 1);
                   }) ==
        "quantize: operand 1 must have rank 0, or rank 1 and the extent of attribute axis; given "
        "f32[4] beside f32[4, 3]");
  CHECK(message_of({sn::f32(4, 3), sn::f32(3)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::quantize(x[0], x[1], sn::DType::I8);
                   }) ==
        "quantize: operand 1 must have rank 0, or rank 1 and the extent of attribute axis; given "
        "f32[3] beside f32[4, 3]");
  CHECK(message_of({sn::f32(4, 3), sn::scalar(sn::DType::F32), sn::scalar(sn::DType::I8)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::quantize(x[0], x[1], sn::DType::F8E4M3, x[2]);
                   }) == "quantize: f8 has no zero point");
  CHECK(message_of({sn::f32(4, 3), sn::scalar(sn::DType::F32), sn::scalar(sn::DType::F32)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::quantize(x[0], x[1], sn::DType::I8, x[2]);
                   }) == "quantize: the zero point must be an integer; given f32");
  CHECK(message_of({sn::f32(4, 3), sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::dequantize(x[0], x[1]);
        }) == "dequantize: it takes i8, u8, i16, u16, f8e4m3 or f8e5m2; given f32");
  CHECK(message_of({sn::i8(4, 3), sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::dequantize(x[0], x[1], sn::DType::I32);
        }) == "dequantize: dtype i32 is not floating");
  CHECK(message_of({sn::i8(4, 3), sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::quantize(x[0], x[1], sn::DType::I8);
        }) == "quantize needs floating point; given i8[4, 3]");
  CHECK(message_of({sn::i8(4, 3), sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::dequantize(x[0], x[1], sn::DType::F32, {}, 2);
        }) == "axis 2 of a tensor of rank 2; an axis is in [-2, 1]");
}
