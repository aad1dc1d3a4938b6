// Types of views, and what is said where they do not fit.
#include <doctest/doctest.h>

#include "ir/graph.h"
#include "tests/ir/symbols.h"

namespace sinter::ir {

namespace {

using tests::symbols::m;
using tests::symbols::n;
using Integers = std::vector<std::int64_t>;

/// The type, or the message of the error.
std::string view(Op op, const Shape& shape, const Attributes& attributes) {
  try {
    return to_string(infer_types(op, {{DType::F32, shape}}, attributes, {}).at(0));
  } catch (const UserError& error) {
    return error.what();
  }
}

std::string shaped(Op op, const Shape& from, const Shape& to) {
  return view(op, from, {{AttributeName::Shape, to}});
}

std::string slice(const Dim& extent, const Dim& begin, const Dim& count, std::int64_t step) {
  return view(Op::Slice, {extent},
              {{AttributeName::Begin, Shape{begin}},
               {AttributeName::Shape, Shape{count}},
               {AttributeName::Step, Integers{step}}});
}

}  // namespace

TEST_CASE("only the number 1 stretches in a broadcast") {
  CHECK(shaped(Op::Broadcast, {1, n}, {m, 4, n}) == "f32[m, 4, n]");
  CHECK(shaped(Op::Broadcast, {}, {n}) == "f32[n]");
  CHECK(shaped(Op::Broadcast, {n}, {n + 1}) ==
        "cannot broadcast f32[n] to [n + 1]: n is not n + 1; only the number 1 stretches");
  CHECK(shaped(Op::Broadcast, {3}, {4}) ==
        "cannot broadcast f32[3] to [4]: 3 is not 4; only the number 1 stretches");
  CHECK(shaped(Op::Broadcast, {1, n}, {n}) ==
        "cannot broadcast f32[1, n] to [n], which has fewer dimensions");
}

TEST_CASE("a reshape keeps the number of elements") {
  CHECK(shaped(Op::Reshape, {n, 6}, {2 * n, 3}) == "f32[2*n, 3]");
  CHECK(shaped(Op::Reshape, {n, m}, {m * n}) == "f32[m*n]");
  CHECK(shaped(Op::Reshape, {0, n}, {0}) == "f32[0]");
  CHECK(shaped(Op::Reshape, {4}, {5}) ==
        "cannot reshape f32[4] to [5]: 4 is not 5 (the numbers of elements)");
  CHECK(shaped(Op::Reshape, {2 * n}, {2 * m + 1}) ==
        "cannot reshape f32[2*n] to [2*m + 1]: 2*n is not 2*m + 1 (the numbers of elements)");
}

TEST_CASE("what depends on the sizes of a call is left to the call") {
  CHECK(shaped(Op::Broadcast, {n}, {m}) == "f32[m]");
  CHECK(shaped(Op::Broadcast, {n}, {4}) == "f32[4]");
  CHECK(shaped(Op::Reshape, {n}, {floor_div(n, 2), 2}) == "f32[floor(n / 2), 2]");
  CHECK(slice(n, n - 3, 3, 1) == "f32[3]");
}

TEST_CASE("a permutation names every dimension once") {
  CHECK(view(Op::Permute, {n, 4, m}, {{AttributeName::Axes, Integers{2, 0, 1}}}) == "f32[m, n, 4]");
  CHECK(view(Op::Permute, {n, 4}, {{AttributeName::Axes, Integers{0, 0}}}) ==
        "permute of f32[n, 4] needs each of its 2 dimensions once; given [0, 0]");
  CHECK(view(Op::Permute, {n, 4}, {{AttributeName::Axes, Integers{0}}}) ==
        "permute of f32[n, 4] needs each of its 2 dimensions once; given [0]");
}

TEST_CASE("slices inside the bounds have the named shape") {
  CHECK(slice(10, 2, 4, 2) == "f32[4]");
  CHECK(slice(10, 9, 10, -1) == "f32[10]");
  CHECK(slice(n, n - 1, n, -1) == "f32[n]");
  CHECK(slice(10, 10, 0, 1) == "f32[0]");
  CHECK(slice(n, 5, 3, 1) == "f32[3]");
}

TEST_CASE("slices that are certainly out of bounds are refused") {
  const std::string prefix = "slice of f32[10] is out of bounds in dimension 0: ";
  CHECK(slice(10, 2, 5, 2) == prefix + "it reads element 10 of 10");
  CHECK(slice(10, 3, 5, -1) == prefix + "it reads element -1 of 10");
  CHECK(slice(10, -1, 1, 1) == prefix + "it begins at -1");
  CHECK(slice(10, 0, 1, 0) == prefix + "the step is 0");
  CHECK(slice(n, n, 1, 1) ==
        "slice of f32[n] is out of bounds in dimension 0: it reads element n of n");
}

TEST_CASE("shapes have no negative dimension and names are identifiers") {
  CHECK(shaped(Op::Broadcast, {}, {-1}) == "the shape [-1] has a negative dimension: -1");
  CHECK(shaped(Op::Broadcast, {}, {Dim::size("a b")}) ==
        "the size name 'a b' must be letters, digits and _");
}

}  // namespace sinter::ir
