// Narrow floats in integer code. Two tricks carry it: multiplying by a power of two turns the bits
// of a narrow float, shifted into place, into an f32 (subnormals included); and adding a large power
// of two rounds a small f32 to the spacing of the format's subnormals.
#include "codegen/llvm/narrow_floats.h"

#include <cmath>

#include "support/check.h"

namespace sinter::codegen::llvm {

using ir::DType;

namespace {

struct Format {
  int fraction_bits;
  int bias;
  int width;
  std::int64_t infinity;  // bits above the largest finite value: infinity, or the only NaN
  std::int64_t nan;
  double largest;  // finite
  bool saturates;
};

Format format_of(DType dtype) {
  switch (dtype) {
    case DType::F8E4M3: return {3, 7, 8, 0x7f, 0x7f, 448.0, true};
    case DType::F8E5M2: return {2, 15, 8, 0x7c, 0x7e, 57344.0, true};
    case DType::F16: return {10, 15, 16, 0x7c00, 0x7e00, 65504.0, false};
    default: support::throw_internal("{} is no format of integer code", to_string(dtype));
  }
}

DType bits_type(int width) { return width == 8 ? DType::U8 : DType::U16; }

Register widen_by_code(const LaneWriter& lanes, const Register& value) {
  const Format format = format_of(value.dtype);
  const auto u32 = [&](std::int64_t number) { return lanes.integer(DType::U32, number); };
  const Register bits = lanes.convert("zext", value, DType::U32);
  const std::int64_t sign_bit = std::int64_t{1} << (format.width - 1);
  const Register magnitude = lanes.binary("and", bits, u32(sign_bit - 1));
  const Register sign =
      lanes.binary("shl", lanes.binary("and", bits, u32(sign_bit)), u32(32 - format.width));
  const Register placed = lanes.binary("shl", magnitude, u32(23 - format.fraction_bits));
  const Register scale = lanes.number(DType::F32, std::ldexp(1.0, 127 - format.bias));
  const Register finite = lanes.binary("fmul", lanes.convert("bitcast", placed, DType::F32), scale);
  Register result = lanes.convert("bitcast", finite, DType::U32);
  const Register is_special = lanes.compare("icmp uge", magnitude, u32(format.infinity));
  const bool has_infinity = format.infinity != format.nan;
  const Register special =
      has_infinity ? lanes.binary("or", placed, u32(0x7f800000)) : u32(0x7fc00000);
  result = lanes.select(is_special, special, result);
  return lanes.convert("bitcast", lanes.binary("or", result, sign), DType::F32);
}

/// The magnitude's bits in the narrow format, for a finite magnitude not above the largest.
Register round_finite(const LaneWriter& lanes, const Register& magnitude, const Format& format) {
  const auto u32 = [&](std::int64_t number) { return lanes.integer(DType::U32, number); };
  const int dropped = 23 - format.fraction_bits;
  // Normal numbers: round in the integer domain; a carry moves into the exponent.
  const Register last = lanes.binary("and", lanes.binary("lshr", magnitude, u32(dropped)), u32(1));
  const Register half = u32((std::int64_t{1} << (dropped - 1)) - 1);
  const Register sum = lanes.binary("add", lanes.binary("add", magnitude, half), last);
  const std::int64_t rebias = std::int64_t{127 - format.bias} << format.fraction_bits;
  const Register normal = lanes.binary("sub", lanes.binary("lshr", sum, u32(dropped)), u32(rebias));
  // Subnormal numbers: the addition rounds to multiples of 2^(1 - bias - fraction_bits).
  const int exponent = 1 - format.bias - format.fraction_bits + 23;
  const Register magic = lanes.number(DType::F32, std::ldexp(1.0, exponent));
  const Register shifted =
      lanes.binary("fadd", lanes.convert("bitcast", magnitude, DType::F32), magic);
  const Register subnormal = lanes.binary("sub", lanes.convert("bitcast", shifted, DType::U32),
                                          lanes.convert("bitcast", magic, DType::U32));
  const std::int64_t smallest_normal = std::int64_t{128 - format.bias} << 23;
  const Register is_normal = lanes.compare("icmp uge", magnitude, u32(smallest_normal));
  return lanes.select(is_normal, normal, subnormal);
}

Register round_by_code(const LaneWriter& lanes, const Register& value, DType dtype) {
  const Format format = format_of(dtype);
  const auto u32 = [&](std::int64_t number) { return lanes.integer(DType::U32, number); };
  const Register bits = lanes.convert("bitcast", value, DType::U32);
  const Register magnitude = lanes.binary("and", bits, u32(0x7fffffff));
  const Register largest =
      lanes.convert("bitcast", lanes.number(DType::F32, format.largest), DType::U32);
  const Register is_above = lanes.compare("icmp ugt", magnitude, largest);
  const Register clamped = lanes.select(is_above, largest, magnitude);
  Register result = round_finite(lanes, clamped, format);
  if (!format.saturates) {
    // Half a spacing above the largest finite value ties to even: to infinity.
    const double limit = format.largest + std::ldexp(1.0, format.bias - format.fraction_bits - 1);
    const Register first_infinite =
        lanes.convert("bitcast", lanes.number(DType::F32, limit), DType::U32);
    const Register is_infinite = lanes.compare("icmp uge", magnitude, first_infinite);
    result = lanes.select(is_infinite, u32(format.infinity), result);
  }
  const Register is_nan = lanes.compare("icmp ugt", magnitude, u32(0x7f800000));
  result = lanes.select(is_nan, u32(format.nan), result);
  const Register sign =
      lanes.binary("lshr", lanes.binary("and", bits, u32(0x80000000)), u32(32 - format.width));
  const Register narrow =
      lanes.convert("trunc", lanes.binary("or", result, sign), bits_type(format.width));
  return {narrow.text, dtype, narrow.width};
}

Register round_to_bf16(const LaneWriter& lanes, const Register& value) {
  const auto u32 = [&](std::int64_t number) { return lanes.integer(DType::U32, number); };
  const Register bits = lanes.convert("bitcast", value, DType::U32);
  const Register last = lanes.binary("and", lanes.binary("lshr", bits, u32(16)), u32(1));
  const Register sum = lanes.binary("add", lanes.binary("add", bits, u32(0x7fff)), last);
  // A NaN could lose its payload, or carry into the sign: set the quiet bit instead.
  const Register quiet = lanes.binary("or", bits, u32(0x400000));
  const Register result = lanes.select(lanes.compare("fcmp uno", value, value), quiet, sum);
  const Register narrow = lanes.convert("trunc", lanes.binary("lshr", result, u32(16)), DType::U16);
  return {narrow.text, DType::BF16, narrow.width};
}

}  // namespace

Register widen_narrow(const LaneWriter& lanes, const Register& value) {
  if (value.dtype == DType::BF16) {
    const Register bits = lanes.convert("zext", value, DType::U32);
    const Register placed = lanes.binary("shl", bits, lanes.integer(DType::U32, 16));
    return lanes.convert("bitcast", placed, DType::F32);
  }
  if (value.dtype != DType::F16 || !lanes.has_f16c()) return widen_by_code(lanes, value);
  const std::string half = vector_type("half", lanes.width());
  const std::string bits = type_of(value) + " " + value.text;
  const std::string cast = lanes.out().assign("half", "bitcast " + bits + " to " + half);
  const std::string to = vector_type("float", lanes.width());
  return lanes.assign("fpext", "fpext " + half + " " + cast + " to " + to, DType::F32);
}

Register round_to_narrow(const LaneWriter& lanes, const Register& value, DType dtype) {
  if (dtype == DType::BF16) return round_to_bf16(lanes, value);
  if (dtype != DType::F16 || !lanes.has_f16c()) return round_by_code(lanes, value, dtype);
  const std::string half = vector_type("half", lanes.width());
  const std::string from = type_of(value) + " " + value.text;
  const std::string cast = lanes.out().assign("half", "fptrunc " + from + " to " + half);
  const std::string bits = vector_type("i16", lanes.width());
  return lanes.assign("bits", "bitcast " + half + " " + cast + " to " + bits, DType::F16);
}

Register round_to_odd(const LaneWriter& lanes, const Register& value) {
  const Register nearest = lanes.convert("fptrunc", value, DType::F32);
  const Register back = lanes.convert("fpext", nearest, DType::F64);
  const Register bits = lanes.convert("bitcast", nearest, DType::U32);
  const Register is_above =
      lanes.compare("fcmp ogt", lanes.call("llvm.fabs", {back}), lanes.call("llvm.fabs", {value}));
  const Register step =
      lanes.select(is_above, lanes.integer(DType::U32, -1), lanes.integer(DType::U32, 1));
  const Register other = lanes.binary("add", bits, step);
  // Inexact and even: the neighbour on the value's other side is odd. NaN is neither.
  const Register is_inexact = lanes.compare("fcmp one", back, value);
  const Register last = lanes.binary("and", bits, lanes.integer(DType::U32, 1));
  const Register is_even = lanes.compare("icmp eq", last, lanes.integer(DType::U32, 0));
  const Register is_moved = lanes.binary("and", is_inexact, is_even);
  return lanes.convert("bitcast", lanes.select(is_moved, other, bits), DType::F32);
}

}  // namespace sinter::codegen::llvm
