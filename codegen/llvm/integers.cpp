// Guarded divisions and shifts.
#include "codegen/llvm/integers.h"

namespace sinter::codegen::llvm {

namespace {

/// A divisor for which LLVM's sdiv and udiv are defined, and which of the two exceptions it stands
/// for.
struct SafeDivisor {
  Register value;
  Register is_zero;
  Register is_minus_one;  // signed types only
};

SafeDivisor make_safe_divisor(const LaneWriter& lanes, const Register& b) {
  SafeDivisor divisor;
  divisor.is_zero = lanes.compare("icmp eq", b, lanes.integer(b.dtype, 0));
  Register is_special = divisor.is_zero;
  if (ir::is_signed_integer(b.dtype)) {
    divisor.is_minus_one = lanes.compare("icmp eq", b, lanes.integer(b.dtype, -1));
    is_special = lanes.binary("or", is_special, divisor.is_minus_one);
  }
  divisor.value = lanes.select(is_special, lanes.integer(b.dtype, 1), b);
  return divisor;
}

/// Whether the truncated division a / b is one too high: a remainder with the other sign.
Register needs_step_down(const LaneWriter& lanes, const Register& remainder, const Register& b) {
  const Register zero = lanes.integer(b.dtype, 0);
  const Register is_inexact = lanes.compare("icmp ne", remainder, zero);
  const Register signs = lanes.binary("xor", remainder, b);
  return lanes.binary("and", is_inexact, lanes.compare("icmp slt", signs, zero));
}

Register is_shift_in_range(const LaneWriter& lanes, const Register& b) {
  return lanes.compare("icmp ult", b, lanes.integer(b.dtype, ir::bits(b.dtype)));
}

}  // namespace

Register emit_floor_div(const LaneWriter& lanes, const Register& a, const Register& b) {
  const Register zero = lanes.integer(a.dtype, 0);
  const SafeDivisor divisor = make_safe_divisor(lanes, b);
  if (!ir::is_signed_integer(a.dtype)) {
    return lanes.select(divisor.is_zero, zero, lanes.binary("udiv", a, divisor.value));
  }
  const Register quotient = lanes.binary("sdiv", a, divisor.value);
  const Register remainder = lanes.binary("srem", a, divisor.value);
  const Register step =
      lanes.convert("sext", needs_step_down(lanes, remainder, divisor.value), a.dtype);
  const Register floored = lanes.binary("add", quotient, step);
  const Register negated = lanes.binary("sub", zero, a);
  const Register nonzero = lanes.select(divisor.is_minus_one, negated, floored);
  return lanes.select(divisor.is_zero, zero, nonzero);
}

Register emit_mod(const LaneWriter& lanes, const Register& a, const Register& b) {
  const SafeDivisor divisor = make_safe_divisor(lanes, b);
  if (!ir::is_signed_integer(a.dtype)) {
    return lanes.select(divisor.is_zero, a, lanes.binary("urem", a, divisor.value));
  }
  const Register zero = lanes.integer(a.dtype, 0);
  const Register remainder = lanes.binary("srem", a, divisor.value);
  const Register added = lanes.binary("add", remainder, divisor.value);
  const Register floored =
      lanes.select(needs_step_down(lanes, remainder, divisor.value), added, remainder);
  const Register nonzero = lanes.select(divisor.is_minus_one, zero, floored);
  return lanes.select(divisor.is_zero, a, nonzero);
}

Register emit_shift_left(const LaneWriter& lanes, const Register& a, const Register& b) {
  const Register zero = lanes.integer(a.dtype, 0);
  const Register in_range = is_shift_in_range(lanes, b);
  const Register amount = lanes.select(in_range, b, zero);
  return lanes.select(in_range, lanes.binary("shl", a, amount), zero);
}

Register emit_shift_right(const LaneWriter& lanes, const Register& a, const Register& b) {
  const Register in_range = is_shift_in_range(lanes, b);
  if (ir::is_signed_integer(a.dtype)) {
    const Register most = lanes.integer(a.dtype, ir::bits(a.dtype) - 1);
    return lanes.binary("ashr", a, lanes.select(in_range, b, most));
  }
  const Register zero = lanes.integer(a.dtype, 0);
  const Register amount = lanes.select(in_range, b, zero);
  return lanes.select(in_range, lanes.binary("lshr", a, amount), zero);
}

}  // namespace sinter::codegen::llvm
