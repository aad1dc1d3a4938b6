// Writes Functions (rank-0 Graphs of Scalar operators) so that an expansion reads like its formula.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "ir/graph.h"

namespace sinter::codegen {

/// Builds a Function of one float type, f32 or f64. "Bits" are values of the unsigned integer type
/// of the same width: their arithmetic wraps, their shifts are logical. Other types come in by
/// `cast` and by the constants that name their type.
class ScalarBuilder {
 public:
  ScalarBuilder(const std::string& name, ir::DType dtype);

  bool is_f32() const { return float_ == ir::DType::F32; }
  /// Stored bits of the significand, 23 or 52: the shift to and from the exponent field.
  std::uint64_t significand_shift() const { return is_f32() ? 23 : 52; }
  /// The exponent field of 1.0.
  std::uint64_t exponent_bias() const { return is_f32() ? 127 : 1023; }
  /// The bit pattern of -0.0.
  std::uint64_t sign_bit() const { return std::uint64_t{1} << (is_f32() ? 31 : 63); }
  /// 1.5 * 2^23 or 1.5 * 2^52. A number of at most 22 (51) bits plus this is rounded to a whole
  /// number, which then stands in the low bits of the sum.
  double rounder() const { return is_f32() ? 0x1.8p23 : 0x1.8p52; }

  ir::Value parameter(const std::string& name);
  /// A float constant; InternalError where it is not exact in the float type (NaN and inf are).
  ir::Value number(double value) { return number(float_, value); }
  ir::Value number(ir::DType dtype, double value);
  /// The first in f32, the second in f64.
  ir::Value number(double f32, double f64) { return number(is_f32() ? f32 : f64); }
  ir::Value bits(std::uint64_t pattern) { return constant({.dtype = bits_, .bits = pattern}); }
  ir::Value bits(ir::DType dtype, std::uint64_t pattern) {
    return constant({.dtype = dtype, .bits = pattern});
  }

  // Floats and bits alike.
  ir::Value add(ir::Value a, ir::Value b) { return append(ir::Op::Add, {a, b}); }
  ir::Value sub(ir::Value a, ir::Value b) { return append(ir::Op::Sub, {a, b}); }
  ir::Value mul(ir::Value a, ir::Value b) { return append(ir::Op::Mul, {a, b}); }
  ir::Value lt(ir::Value a, ir::Value b) { return append(ir::Op::Lt, {a, b}); }
  ir::Value eq(ir::Value a, ir::Value b) { return append(ir::Op::Eq, {a, b}); }
  ir::Value select(ir::Value a, ir::Value b, ir::Value c) {
    return append(ir::Op::Select, {a, b, c});
  }
  ir::Value ne(ir::Value a, ir::Value b) { return append(ir::Op::Ne, {a, b}); }
  // Floats.
  ir::Value div(ir::Value a, ir::Value b) { return append(ir::Op::Div, {a, b}); }
  ir::Value fma(ir::Value a, ir::Value b, ir::Value c) { return append(ir::Op::Fma, {a, b, c}); }
  ir::Value neg(ir::Value a) { return append(ir::Op::Neg, {a}); }
  ir::Value abs(ir::Value a) { return append(ir::Op::Abs, {a}); }
  ir::Value sqrt(ir::Value a) { return append(ir::Op::Sqrt, {a}); }
  ir::Value minimum(ir::Value a, ir::Value b) { return append(ir::Op::Minimum, {a, b}); }
  ir::Value maximum(ir::Value a, ir::Value b) { return append(ir::Op::Maximum, {a, b}); }
  ir::Value floor(ir::Value a) { return append(ir::Op::Floor, {a}); }
  ir::Value round(ir::Value a) { return append(ir::Op::Round, {a}); }
  /// coefficients[0] + coefficients[1] x + ..., by fma from the last.
  ir::Value polynomial(std::span<const double> coefficients, ir::Value x);
  /// The first in f32, the second in f64.
  ir::Value polynomial(std::span<const double> f32, std::span<const double> f64, ir::Value x) {
    return polynomial(is_f32() ? f32 : f64, x);
  }
  /// `magnitude`, not negative, with the sign of x.
  ir::Value with_sign_of(ir::Value x, ir::Value magnitude);
  // Bits; and, or and xor of bool too.
  ir::Value bit_and(ir::Value a, ir::Value b) { return append(ir::Op::And, {a, b}); }
  ir::Value bit_or(ir::Value a, ir::Value b) { return append(ir::Op::Or, {a, b}); }
  ir::Value bit_xor(ir::Value a, ir::Value b) { return append(ir::Op::Xor, {a, b}); }
  ir::Value floor_div(ir::Value a, std::uint64_t by) {
    return append(ir::Op::FloorDiv, {a, bits(by)});
  }
  ir::Value shift_left(ir::Value a, ir::Value by) { return append(ir::Op::ShiftLeft, {a, by}); }
  ir::Value shift_left(ir::Value a, std::uint64_t by) { return shift_left(a, bits(by)); }
  ir::Value shift_right(ir::Value a, ir::Value by) { return append(ir::Op::ShiftRight, {a, by}); }
  ir::Value shift_right(ir::Value a, std::uint64_t by) { return shift_right(a, bits(by)); }
  ir::Value to_bits(ir::Value a) { return bitcast(a, bits_); }
  ir::Value from_bits(ir::Value a) { return bitcast(a, float_); }
  // Conversions.
  ir::Value bitcast(ir::Value a, ir::DType dtype);
  ir::Value cast(ir::Value a, ir::DType dtype);

  /// The Function that returns `result`. The builder is spent.
  std::shared_ptr<const ir::Graph> finish(ir::Value result);

 private:
  ir::Value append(ir::Op op, std::vector<ir::Value> operands);
  ir::Value constant(ir::Literal literal);

  ir::Graph graph_;
  ir::DType float_;
  ir::DType bits_;
  std::map<ir::Literal, ir::Value> constants_;  // each stands once
};

}  // namespace sinter::codegen
