// Elementwise composites.
#include <limits>

#include "ir/define/composite.h"

namespace sinter::ir {

template <>
Exprs define<Op::Ceil>(const Call& call) {
  return {-floor(-call[0])};
}

template <>
Exprs define<Op::Trunc>(const Call& call) {
  const Expr& a = call[0];
  return {select(a < 0, -floor(-a), floor(a))};
}

template <>
Exprs define<Op::Frac>(const Call& call) {
  return {call[0] - make_node(Op::Trunc, {call[0]})};
}

template <>
Exprs define<Op::Sign>(const Call& call) {
  const Expr& a = call[0];
  const Expr positive = select(a > 0, number(a, 1), a);
  const bool has_negatives = is_float(a.dtype()) || is_signed_integer(a.dtype());
  return {has_negatives ? select(a < 0, number(a, -1), positive) : positive};
}

template <>
Exprs define<Op::CopySign>(const Call& call) {
  const DType dtype = call[0].dtype();
  const DType as_bits = bits(dtype) == 64 ? DType::U64 : DType::U32;
  const Expr a = bitcast(call[0], as_bits);
  const Expr b = bitcast(call[1], as_bits);
  const Expr sign = constant(a, {as_bits, std::uint64_t{1} << (bits(dtype) - 1)});
  return {bitcast((a & !sign) | (b & sign), dtype)};
}

template <>
Exprs define<Op::Square>(const Call& call) {
  return {call[0] * call[0]};
}

template <>
Exprs define<Op::IsNan>(const Call& call) {
  return {not_equal(call[0], call[0])};
}

template <>
Exprs define<Op::IsInf>(const Call& call) {
  return {equal(abs(call[0]), std::numeric_limits<double>::infinity())};
}

template <>
Exprs define<Op::IsFinite>(const Call& call) {
  return {abs(call[0]) < std::numeric_limits<double>::infinity()};
}

template <>
Exprs define<Op::Clamp>(const Call& call) {
  return {minimum(maximum(call[0], call[1]), call[2])};
}

template <>
Exprs define<Op::Lerp>(const Call& call) {
  return {call[0] + call[2] * (call[1] - call[0])};
}

template <>
Exprs define<Op::MaskedFill>(const Call& call) {
  if (call[1].dtype() != DType::Bool) {
    call.fail("the mask must be bool; given {}", to_string(call.given(1)));
  }
  return {select(call[1], call[2], call[0])};
}

}  // namespace sinter::ir
