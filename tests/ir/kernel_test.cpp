// Building kernels: inferred types and domains, equality, and what does not fit.
#include "ir/kernel.h"

#include <doctest/doctest.h>

#include "ir/text.h"
#include "ir/verify.h"
#include "tests/ir/symbols.h"

using namespace sinter;
using namespace sinter::ir;

namespace {

using tests::symbols::i;
using tests::symbols::j;
using tests::symbols::m;
using tests::symbols::n;

/// Axes i, j and x: f32[m, n], rows: i32[m], out y: f32[m, n].
Kernel make_kernel() {
  Kernel kernel("k");
  kernel.add_axis("i", m);
  kernel.add_axis("j", n);
  kernel.add_param({"x", DType::F32, {m, n}, ParamRole::In});
  kernel.add_param({"rows", DType::I32, {m}, ParamRole::In});
  kernel.add_param({"y", DType::F32, {m, n}, ParamRole::Out});
  return kernel;
}

Reducer by(Op op) { return {.op = op, .function = nullptr, .identity = {}}; }

}  // namespace

TEST_CASE("domains grow by operands and shrink by reduced axes") {
  Kernel kernel = make_kernel();

  const Value x = kernel.load(0, {i, j});
  const Value largest = kernel.reduce({x}, {1}, by(Op::Maximum))[0];
  const Value one = kernel.constant(make_literal(DType::F32, 1));
  const Value sum = kernel.add(Op::Add, {largest, one});
  const Value running = kernel.scan({x}, 0, by(Op::Add))[0];

  CHECK(kernel.domain(x) == std::vector<AxisId>{0, 1});
  CHECK(kernel.domain(largest) == std::vector<AxisId>{0});
  CHECK(kernel.domain(one).empty());
  CHECK(kernel.domain(sum) == std::vector<AxisId>{0});
  CHECK(kernel.domain(running) == std::vector<AxisId>{0, 1});
}

TEST_CASE("a load through a value has that value's domain, and a store the loops of its map") {
  Kernel kernel = make_kernel();

  const Value row = kernel.load(1, {i});
  const Value x = kernel.load(0, {IndexExpr::value(row), 0}, {IndexExpr::value(row)},
                              make_literal(DType::F32, 0));
  kernel.store(x, 2, {i, j});

  CHECK(kernel.domain(x) == std::vector<AxisId>{0});
  CHECK(kernel.node(2).domain == std::vector<AxisId>{0, 1});
  CHECK(kernel.node(2).results.empty());
  CHECK_NOTHROW(verify_kernel(kernel));
}

TEST_CASE("contractions have the accumulator's type, indices are i64, comparisons bool") {
  Kernel kernel = make_kernel();
  const Value x = kernel.load(0, {i, j});
  const Value half = kernel.add(Op::Cast, {x}, {{AttributeName::DType, DType::BF16}});

  CHECK(kernel.dtype(kernel.contract(half, half, {1}, DType::F32)) == DType::F32);
  CHECK(kernel.dtype(kernel.index(i * n + j)) == DType::I64);
  CHECK(kernel.dtype(kernel.add(Op::Lt, {x, x})) == DType::Bool);
}

TEST_CASE("equality ignores locations and nothing else") {
  Kernel a = make_kernel();
  Kernel b = make_kernel();
  CHECK(a == b);

  a.add(Op::Index, {}, {{AttributeName::Map, Shape{i}}}, {"a.cpp", 3});
  CHECK_FALSE(a == b);
  b.index(i);
  CHECK(a == b);

  b.set_name("other");
  CHECK_FALSE(a == b);
  CHECK_FALSE(Kernel("k", Mode::Strict) == Kernel("k"));
}

TEST_CASE("operands that do not fit are internal errors naming the node") {
  Kernel kernel = make_kernel();
  const Value x = kernel.load(0, {i, j});
  const Value row = kernel.load(1, {i});

  CHECK_THROWS_WITH_AS(kernel.add(Op::Add, {x, {9, 0}}),
                       "%2 = add uses %9, which does not come before it", InternalError);
  CHECK_THROWS_WITH_AS(kernel.add(Op::Neg, {{0, 1}}),
                       "%2 = neg uses result 1 of %0, which has 1 results", InternalError);
  CHECK_THROWS_WITH_AS(kernel.add(Op::Add, {x}), "%2 = add has 1 operands, 2 are needed",
                       InternalError);
  CHECK_THROWS_AS(kernel.add(Op::Add, {x, row}), InternalError);
  CHECK_THROWS_WITH_AS(kernel.add(Op::Sum, {x}), "%2 = sum is an operator of Graphs",
                       InternalError);
  CHECK_THROWS_WITH_AS(kernel.load(0, {IndexExpr::value(x), 0}),
                       "%2 = load uses %0 of type f32 as an index", InternalError);
  CHECK_THROWS_WITH_AS(kernel.load(7, {i}), "%2 = load names parameter 7, the kernel has 3",
                       InternalError);
  CHECK_THROWS_WITH_AS(kernel.load(1, {IndexExpr::axis(5)}),
                       "%2 = load names axis 5, the kernel has 2 axes", InternalError);
  CHECK_THROWS_WITH_AS(kernel.store(row, 2, {i, j}), "%2 = store writes i32 to y, which holds f32",
                       InternalError);
  CHECK(kernel.nodes().size() == 2);
}

TEST_CASE("folds that do not fit are internal errors") {
  Kernel kernel = make_kernel();
  const Value x = kernel.load(0, {i, j});
  const Value row = kernel.load(1, {i});

  CHECK_THROWS_WITH_AS(kernel.reduce({row}, {1}, by(Op::Add)),
                       "%2 = reduce is over axis j, which its operands do not vary over (or twice)",
                       InternalError);
  CHECK_THROWS_WITH_AS(kernel.reduce({x}, {}, by(Op::Add)), "%2 = reduce is over no axis",
                       InternalError);
  CHECK_THROWS_WITH_AS(kernel.reduce({x}, {1}, by(Op::Sub)),
                       "%2 = reduce folds f32 by sub, which has no identity there", InternalError);
  CHECK_THROWS_WITH_AS(
      kernel.reduce({x, row}, {0}, by(Op::Add)),
      "%2 = reduce folds 2 operands by add, which folds one, with its own identity", InternalError);
  CHECK_THROWS_WITH_AS(kernel.contract(x, row, {0}, DType::F32),
                       "%2 = contract has operands of f32 and i32", InternalError);
  CHECK_THROWS_WITH_AS(kernel.contract(x, x, {1}, DType::BF16),
                       "%2 = contract accumulates f32 in bf16", InternalError);
}

TEST_CASE("an attribute of the wrong type is an internal error") {
  Kernel kernel = make_kernel();

  CHECK_THROWS_WITH_AS(kernel.add(Op::Index, {}, {{AttributeName::Map, std::int64_t{1}}}),
                       "%0 = index has attribute map, which is not a list of size expressions",
                       InternalError);
  CHECK_THROWS_AS(kernel.add(Op::Index, {}), InternalError);
}

TEST_CASE("extents of axes are known to simplification") {
  const Kernel kernel = make_kernel();

  CHECK(simplify(mod(j, n), kernel.axis_extent()) == j);
}
