// Reductions and scans that are made of others.
#include <cmath>
#include <limits>

#include "ir/define/composite.h"
#include "ir/define/exponentials.h"
#include "ir/define/positions.h"
#include "support/special_values.h"

namespace sinter::ir {

namespace {

using support::kInfinity;

/// exp(a - max) would be exp(inf - inf) where a whole slice is -inf (or holds inf): 0 is taken out
/// there instead.
Expr finite_or_zero(const Expr& a) { return select(abs(a) < kInfinity, a, 0); }

/// Sums and products of small integers and bool are 64 bits wide.
Expr widen_for_sum(const Expr& a) {
  const DType dtype = a.dtype();
  if (is_float(dtype) || bits(dtype) > 32) return a;
  return cast(a, is_signed_integer(dtype) ? DType::I64 : DType::U64);
}

Exprs scan(const Call& call, const Exprs& operands, Reducer reducer) {
  Attributes attributes{{AttributeName::Axis, call.axis()},
                        {AttributeName::Reducer, std::move(reducer)}};
  for (const AttributeName name : {AttributeName::Exclusive, AttributeName::Reverse}) {
    if (call.flag(name)) attributes.set(name, true);
  }
  return make_nodes(Op::Scan, operands, std::move(attributes));
}

Exprs scan(const Call& call, const Expr& a, Op op) {
  Reducer reducer;
  reducer.op = op;
  return scan(call, Exprs{a}, std::move(reducer));
}

/// A parameter of a Function.
Expr add_parameter(Graph& function, const char* name, DType dtype) {
  return {function, function.add_parameter(name, {dtype, {}}), {}};
}

/// 32 bits hold each index along an axis whose extent is a number below 2^31.
DType index_dtype(const Dim& extent) {
  const auto count = extent.as_constant();
  return count && *count <= std::numeric_limits<std::int32_t>::max() ? DType::I32 : DType::I64;
}

/// The index of nothing: behind every other.
double no_index(DType index) {
  return index == DType::I32 ? std::numeric_limits<std::int32_t>::max() : 0x1p62;
}

Exprs arg(const Call& call, Op extremum) {
  const std::int64_t axis = call.axis();
  // What is computed as f8 may be worse than the worst f8 until it is rounded.
  const bool is_f8 = is_float(call[0].dtype()) && bits(call[0].dtype()) == 8;
  const Expr a = is_f8 ? cast(call[0], DType::F32) : call[0];
  const DType dtype = index_dtype(a.shape()[static_cast<std::size_t>(axis)]);
  const Expr index = iota(a, a.shape(), axis, dtype);
  const Exprs results =
      make_nodes(Op::Reduce, {a, index},
                 {{AttributeName::Axes, Integers{axis}},
                  {AttributeName::Reducer, position_reducer(extremum, a.dtype(), dtype)}});
  return {cast(select(results[1] < no_index(dtype), results[1], 0), DType::I64)};
}

}  // namespace

Reducer position_reducer(Op extremum, DType dtype, DType index) {
  auto function = std::make_shared<Graph>("arg");
  const Expr best = add_parameter(*function, "best", dtype);
  const Expr at = add_parameter(*function, "at", index);
  const Expr value = add_parameter(*function, "value", dtype);
  const Expr place = add_parameter(*function, "index", index);
  const Expr extreme = make_node(extremum, {best, value});
  // The extremum of -0 and +0 is equal to both; where one is NaN, it is NaN.
  const auto is_extreme = [&](const Expr& a) {
    const Expr is_equal = equal(a, extreme);
    return is_float(dtype) ? is_equal | not_equal(a, a) : is_equal;
  };
  const Expr none = number(at, no_index(index));
  const Expr first = select(is_extreme(best), at, none);
  const Expr second = select(is_extreme(value), place, none);
  function->set_outputs({extreme.value(), minimum(first, second).value()});
  Reducer reducer;
  reducer.function = function;
  reducer.identity = {*identity_of(extremum, dtype), make_literal(index, no_index(index))};
  return reducer;
}

std::optional<Op> position_extremum(const Reducer& reducer) {
  if (!reducer.function || reducer.identity.size() != 2) return std::nullopt;
  for (const Op extremum : {Op::Maximum, Op::Minimum}) {
    const DType dtype = reducer.identity[0].dtype;
    const DType index = reducer.identity[1].dtype;
    if (!is_signed_integer(index) || !identity_of(extremum, dtype)) continue;
    if (reducer == position_reducer(extremum, dtype, index)) return extremum;
  }
  return std::nullopt;
}

Reducer exponential_reducer(DType dtype) {
  auto function = std::make_shared<Graph>("add_exponentials");
  const Expr first = add_parameter(*function, "first", dtype);
  const Expr first_total = add_parameter(*function, "first_total", dtype);
  const Expr second = add_parameter(*function, "second", dtype);
  const Expr second_total = add_parameter(*function, "second_total", dtype);
  const Expr largest = maximum(first, second);
  // Equal infinities have no difference.
  const auto scale = [&](const Expr& of) {
    return select(equal(of, largest), 1, exp(of - largest));
  };
  const Expr total = first_total * scale(first) + second_total * scale(second);
  function->set_outputs({largest.value(), total.value()});
  Reducer reducer;
  reducer.function = function;
  reducer.identity = {make_literal(dtype, -kInfinity), make_literal(dtype, 0)};
  return reducer;
}

template <>
Exprs define<Op::Mean>(const Call& call) {
  const Integers axes = call.axes();
  Attributes attributes{{AttributeName::Axes, axes}};
  if (const AttributeValue* named = call.attributes().find(AttributeName::DType)) {
    const DType dtype = std::get<DType>(*named);
    if (!is_lossless_cast(call.dtype(), dtype)) {
      call.fail("{} in {}; a type that holds every {} is needed: cast the operand",
                to_string(call.dtype()), to_string(dtype), to_string(call.dtype()));
    }
    attributes.set(AttributeName::DType, compute_dtype(dtype));
  }
  const Expr total = make_node(Op::Sum, {call[0]}, std::move(attributes));
  return {total / size(total, element_count(call[0], axes), total.dtype())};
}

/// Two passes over resident values: never the difference of two large sums.
template <>
Exprs define<Op::Var>(const Call& call) {
  const Integers axes = call.axes();
  const Expr& a = call[0];
  const Dim count = element_count(a, axes);
  const double correction = call.real(AttributeName::Correction, 0);
  const Expr total = sum(a, axes, Keep::Yes);
  const Expr difference = a - total / size(a, count, a.dtype());
  const Expr squares = sum(difference * difference, axes);
  const Expr divisor = size(a, count, a.dtype()) - correction;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {squares / select(divisor > 0, divisor, nan)};
}

template <>
Exprs define<Op::Std>(const Call& call) {
  return {sqrt(make_node(Op::Var, {call[0]}, call.attributes()))};
}

template <>
Exprs define<Op::LogSumExp>(const Call& call) {
  const Integers axes = call.axes();
  const Expr& a = call[0];
  const Expr largest = stop_gradient(finite_or_zero(reduce(Op::Max, a, axes)));
  return {log(sum(exp(a - keep_axes(largest, a, axes)), axes)) + largest};
}

template <>
Exprs define<Op::Norm>(const Call& call) {
  const Integers axes = call.axes();
  const Expr& a = call[0];
  const double order = call.real(AttributeName::Order, 2);
  if (order == 1) return {sum(abs(a), axes)};
  if (order == 2) return {sqrt(sum(a * a, axes))};
  if (order == kInfinity) return {reduce(Op::Max, maximum(abs(a), 0), axes)};
  if (order == -kInfinity) return {reduce(Op::Min, abs(a), axes)};
  if (order == 0) return {sum(cast(not_equal(a, 0), a.dtype()), axes)};
  if (!(order > 0)) call.fail("order {} is neither positive, 0 nor -inf", order);
  const Expr powers = make_node(Op::Pow, {abs(a), number(a, order)});
  const Expr total = sum(powers, axes);
  return {make_node(Op::Pow, {total, number(a, 1 / order)})};
}

template <>
Exprs define<Op::CountNonzero>(const Call& call) {
  const Integers axes = call.axes();
  const Expr is_set = call[0].dtype() == DType::Bool ? call[0] : not_equal(call[0], 0);
  return {sum(cast(is_set, DType::I64), axes)};
}

template <>
Exprs define<Op::ArgMax>(const Call& call) {
  return arg(call, Op::Maximum);
}

template <>
Exprs define<Op::ArgMin>(const Call& call) {
  return arg(call, Op::Minimum);
}

template <>
Exprs define<Op::CumSum>(const Call& call) {
  return scan(call, widen_for_sum(call[0]), Op::Add);
}

template <>
Exprs define<Op::CumProd>(const Call& call) {
  return scan(call, widen_for_sum(call[0]), Op::Mul);
}

template <>
Exprs define<Op::CumMax>(const Call& call) {
  return scan(call, call[0], Op::Maximum);
}

template <>
Exprs define<Op::CumMin>(const Call& call) {
  return scan(call, call[0], Op::Minimum);
}

template <>
Exprs define<Op::LogCumSumExp>(const Call& call) {
  const Expr& a = call[0];
  const Expr ones = broadcast_to(number(a, 1), a.shape());
  const Exprs results = scan(call, {a, ones}, exponential_reducer(a.dtype()));
  // Of no element it is 0, by which a gradient would divide; log(1) - inf is -inf too.
  const bool may_be_none = call.flag(AttributeName::Exclusive);
  const Expr total = may_be_none ? select(results[1] < 1, 1, results[1]) : results[1];
  return {log(total) + stop_gradient(results[0])};
}

}  // namespace sinter::ir
