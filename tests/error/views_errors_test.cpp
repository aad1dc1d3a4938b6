// Mistakes in shapes: reshape, broadcast, slices, splits, padding. The whole message each, with the user's line.
#include <doctest/doctest.h>

#include "tests/error/mistake.h"

namespace sn = sinter;
using sn::tests::message_of;
using sn::tests::Tensors;

TEST_CASE("a reshape of another number of elements") {
  CHECK(message_of({sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::reshape(x[0], {5, 2});
        }) == "cannot reshape f32[4, 3] to [5, 2]: 12 is not 10 (the numbers of elements)");
  CHECK(message_of({sn::f32("n", 3)},
                   [](const Tensors& x) -> sn::Result { return sn::reshape(x[0], {"3*n + 1"}); }) ==
        "cannot reshape f32[n, 3] to [3*n + 1]: 3*n is not 3*n + 1 (the numbers of elements)");
  CHECK(message_of({sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::reshape(x[0], {-1, -1});
        }) == "reshape to [-1, -1]; one extent may be -1");
  CHECK(message_of({sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::reshape(x[0], {5, -1});
        }) == "reshape of [4, 3] to [5, -1]: no one extent fits in place of -1");
  CHECK(message_of({sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::reshape(x[0], {-2, -6});
        }) == "the shape [-2, -6] has a negative dimension: -2");
}

TEST_CASE("a broadcast that stretches more than 1") {
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::broadcast_to(x[0], {5});
        }) == "cannot broadcast f32[4] to [5]: 4 is not 5; only the number 1 stretches");
  CHECK(message_of({sn::f32(4, 3)}, [](const Tensors& x) -> sn::Result {
          return sn::broadcast_to(x[0], {3});
        }) == "cannot broadcast f32[4, 3] to [3], which has fewer dimensions");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::expand(x[0], {-1, 4});
        }) == "expand of [4] to [-1, 4]: a new dimension cannot be -1");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::expand(x[0], {2});
        }) == "cannot broadcast f32[4] to [2]: 4 is not 2; only the number 1 stretches");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::expand(x[0], {4});
        }) == "cannot broadcast f32[4, 4] to [4], which has fewer dimensions");
}

TEST_CASE("axes that are not there, or named twice") {
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::permute(x[0], {0, 0});
        }) == "permute of f32[4, 4] needs each of its 2 dimensions once; given [0, 0]");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::permute(x[0], {0});
        }) == "permute of f32[4, 4] needs each of its 2 dimensions once; given [0]");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::permute(x[0], {0, 2});
        }) == "axis 2 of a tensor of rank 2; an axis is in [-2, 1]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::transpose(x[0]);
        }) == "transpose of a tensor of rank 1; rank 2 is needed");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::unsqueeze(x[0], 4);
        }) == "a new axis 4 beside those of a tensor of rank 2; it is in [-3, 2]");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::squeeze(x[0], {0});
        }) == "squeeze of dimension 0 of [4, 4], which is 4; 1 is needed");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::squeeze(x[0], {3});
        }) == "axis 3 of a tensor of rank 2; an axis is in [-2, 1]");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::flip(x[0], {5});
        }) == "axis 5 of a tensor of rank 2; an axis is in [-2, 1]");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::flatten(x[0], 1, 0);
        }) == "flatten of dimensions 1 to 0, which is before it");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::diagonal(x[0], 0, 1, -1);
        }) == "diagonal of dimension 1 and itself; two are needed");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::diagonal(x[0]);
        }) == "axis -2 of a tensor of rank 1; an axis is in [-1, 0]");
  CHECK(message_of({sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::sum(x[0], {0});
        }) == "axis 0 of a tensor of rank 0, which has no axes");
}

TEST_CASE("a slice that leaves its dimension") {
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::slice(x[0], 0, 2, 3);
        }) == "slice of f32[4] is out of bounds in dimension 0: it reads element 4 of 4");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::slice(x[0], 0, 0, 2, 0);
        }) == "slice of f32[4] is out of bounds in dimension 0: the step is 0");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::slice(x[0], 0, 1, 3, -1);
        }) == "slice of f32[4] is out of bounds in dimension 0: it reads element -1 of 4");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::slice(x[0], 0, -1, 2);
        }) == "slice of f32[4] is out of bounds in dimension 0: it begins at -1");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::slice(x[0], 1, 0, 2);
        }) == "axis 1 of a tensor of rank 1; an axis is in [-1, 0]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::slice(x[0], 0, 0, -1);
        }) == "the shape [-1] has a negative dimension: -1");
}

TEST_CASE("parts that are not the whole") {
  CHECK(message_of({sn::f32(7)}, [](const Tensors& x) -> sn::Result {
          return sn::split(x[0], {3, 3});
        }) == "split of extent 7 into parts that add up to 6");
  CHECK(message_of({sn::f32(7)}, [](const Tensors& x) -> sn::Result {
          return sn::chunk(x[0], 2);
        }) == "chunk of extent 7 into 2 equal parts; write split");
  CHECK(message_of({sn::f32(7)}, [](const Tensors& x) -> sn::Result {
          return sn::chunk(x[0], 0);
        }) == "chunk into 0 parts; 1 is needed at least");
  CHECK(message_of({sn::f32(2, 2)}, [](const Tensors& x) -> sn::Result {
          return sn::tile(x[0], {2, -1});
        }) == "the shape [2, 2, -1, 2] has a negative dimension: -1");
  CHECK(message_of({sn::f32(2, 2)}, [](const Tensors& x) -> sn::Result {
          return sn::repeat_interleave(x[0], -1, 0);
        }) == "the shape [2, -1, 2] has a negative dimension: -1");
}

TEST_CASE("padding of another rank or value") {
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::pad(x[0], {{1, 1}});
        }) == "pad of a tensor of rank 2 needs as many widths; given 1");
  CHECK(message_of({sn::i8(4)}, [](const Tensors& x) -> sn::Result {
          return sn::pad(x[0], {{1, 1}}, 1000);
        }) == "the literal 1000 is not representable as i8; cast the tensor or change the literal");
  CHECK(message_of({sn::f32(4), sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::pad(x[0], {{1, 1}}, x[1]);
        }) == "pad with a tensor; a host literal is needed");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::pad(x[0], {{-3, -2}});
        }) == "the shape [-1] has a negative dimension: -1");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::pad_reflect(x[0], {{1, 1}});
        }) == "pad_reflect of a tensor of rank 2 needs as many widths; given 1");
}

TEST_CASE("windows that do not fit their rules") {
  CHECK(
      message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
        return sn::unfold(x[0], {0}, {2, 2});
      }) == "unfold over 1 dimension needs as many steps, windows and dilations; given 1, 2 and 1");
  CHECK(message_of({sn::f32(4, 4)}, [](const Tensors& x) -> sn::Result {
          return sn::unfold(x[0], {0, 0}, {2, 2});
        }) == "unfold of f32[4, 4] needs dimensions of it, each once; given 0");
  CHECK(
      message_of({sn::f32(4, 4)},
                 [](const Tensors& x) -> sn::Result { return sn::unfold(x[0], {0}, {2}, {0}); }) ==
      "unfold needs steps and dilations of at least 1 and no negative window; given step 0, window "
      "2 and dilation 1");
  CHECK(message_of({sn::f32(4, 4)},
                   [](const Tensors& x) -> sn::Result { return sn::unfold(x[0], {0}, {-1}); }) ==
        "unfold needs steps and dilations of at least 1 and no negative window; given step 1, "
        "window -1 and dilation 1");
}

TEST_CASE("tensors joined that do not fit") {
  CHECK(message_of({sn::f32(4, 4), sn::f32(4, 3)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::concat({x[0], x[1]});
                   }) ==
        "concat: operands whose dimensions are equal but for axis 0 are needed; given f32[4, 4] "
        "and f32[4, 3]");
  CHECK(message_of({sn::f32(4), sn::f64(4)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::concat({x[0], x[1]});
                   }) ==
        "concat: operands of one dtype are needed; given f32[4] and f64[4]: cast operand 0 to f64");
  CHECK(message_of({sn::f32(4), sn::f32(4, 4)},
                   [](const Tensors& x) -> sn::Result {
                     return sn::concat({x[0], x[1]});
                   }) ==
        "concat: operands whose dimensions are equal but for axis 0 are needed; given f32[4] and "
        "f32[4, 4]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result { return sn::concat({}); }) ==
        "concat of no tensor; one is needed at least");
  CHECK(message_of({sn::f32(4), sn::f32(3)}, [](const Tensors& x) -> sn::Result {
          return sn::stack({x[0], x[1]});
        }) == "stack: operands of one shape are needed; given f32[4] and f32[3]");
  CHECK(message_of({sn::f32(4), sn::f32(4, 1)}, [](const Tensors& x) -> sn::Result {
          return sn::stack({x[0], x[1]});
        }) == "stack: operands of one shape are needed; given f32[4] and f32[4, 1]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::stack({x[0]}, 3);
        }) == "a new axis 3 beside those of a tensor of rank 1; it is in [-2, 1]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result { return sn::stack({}); }) ==
        "stack of no tensor; one is needed at least");
  CHECK(message_of({sn::scalar(sn::DType::F32)}, [](const Tensors& x) -> sn::Result {
          return sn::concat({x[0]});
        }) == "axis 0 of a tensor of rank 0, which has no axes");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result { return sn::tril(x[0]); }) ==
        "tril: rank 2 at least is needed; given f32[4]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors& x) -> sn::Result {
          return sn::roll(x[0], 1, 1);
        }) == "axis 1 of a tensor of rank 1; an axis is in [-1, 0]");
}

TEST_CASE("shapes of tensors that are made") {
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          return sn::iota(sn::DType::F32, {4}, 0);
        }) == "iota needs integers; given f32");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          return sn::iota(sn::DType::I32, {4}, 1);
        }) == "axis 1 of a tensor of rank 1; an axis is in [-1, 0]");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          return sn::iota(sn::DType::I32, {-4}, 0);
        }) == "the shape [-4] has a negative dimension: -4");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          return sn::iota(sn::DType::I32, {"k"}, 0);
        }) == "op: iota mentions the size 'k', which is in no parameter's shape");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          return sn::causal_mask("k", 4);
        }) == "op: iota mentions the size 'k', which is in no parameter's shape");
  CHECK(message_of({sn::f32(4)}, [](const Tensors&) -> sn::Result {
          return sn::size("k", sn::DType::I64);
        }) == "op: size mentions the size 'k', which is in no parameter's shape");
}
