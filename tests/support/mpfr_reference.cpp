// Working precision: twice that of the type and more, so that what it rounds is below 2^-30 ulp. 60 bits, one
// word, are the fastest that MPFR has.
#include "tests/support/mpfr_reference.h"

#include <mpfr.h>

#include <algorithm>
#include <cmath>

#include "reference/special.h"
#include "support/check.h"

namespace sinter::tests {

using ir::DType;
using ir::Op;

namespace {

int precision_bits(DType dtype) { return dtype == DType::F64 ? 160 : 60; }

/// One MPFR number, precise enough for the type.
class Number {
 public:
  explicit Number(DType dtype) { mpfr_init2(value_, precision_bits(dtype)); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

using MpfrFunction = int (*)(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding);

int lgamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(result, &sign, x, rounding);
}

/// erfinv(a) for 2^-40 <= a < 1 within some 2^-40: Newton's method on erf(y) = a, or, for large a, on
/// log(erfc(y)) = log(1 - a), which is concave, so that it converges from every start.
double rough_erfinv(double a) {
  const double half_root_pi = 0.886226925452758;
  double y = a < 0.5 ? a * half_root_pi : std::sqrt(-std::log(1 - a));
  for (int i = 0; i < 10; ++i) {
    const double slope = half_root_pi * std::exp(y * y);
    y += a < 0.5 ? (a - std::erf(y)) * slope
                 : std::log(std::erfc(y) / (1 - a)) * std::erfc(y) * slope;
  }
  return y;
}

/// Each further step of Newton's method doubles the bits. Small operands x give
/// sqrt(pi)/2 (x + pi/12 x^3).
int erfinv(mpfr_ptr result, mpfr_srcptr operand, mpfr_rnd_t rounding) {
  const double x = mpfr_get_d(operand, rounding);  // exact
  if (std::isnan(x) || std::fabs(x) > 1) return mpfr_set_nan(result), 0;
  if (std::fabs(x) == 1) return mpfr_set_inf(result, x > 0 ? 1 : -1), 0;
  const int steps = mpfr_get_prec(result) > 64 ? 2 : 1;
  mpfr_t y, step, factor, half_root_pi;
  mpfr_inits2(mpfr_get_prec(result) + 40, y, step, factor, half_root_pi, nullptr);
  mpfr_const_pi(half_root_pi, rounding);
  mpfr_sqrt(half_root_pi, half_root_pi, rounding);
  mpfr_div_si(half_root_pi, half_root_pi, 2, rounding);
  if (std::fabs(x) < 0x1p-40) {
    mpfr_const_pi(factor, rounding);
    mpfr_mul_d(factor, factor, x, rounding);
    mpfr_mul_d(factor, factor, x / 4, rounding);
    mpfr_div_si(factor, factor, 3, rounding);
    mpfr_add_si(factor, factor, 1, rounding);
    mpfr_mul_d(y, factor, std::fabs(x), rounding);
    mpfr_mul(y, y, half_root_pi, rounding);
  } else {
    mpfr_set_d(y, rough_erfinv(std::fabs(x)), rounding);
    for (int i = 0; i < steps; ++i) {
      mpfr_sqr(factor, y, rounding);
      mpfr_exp(factor, factor, rounding);
      mpfr_mul(factor, factor, half_root_pi, rounding);
      // erf(y) - a, as 1 - a is exact for a number a: erfc near 1 keeps the digits.
      mpfr_erfc(step, y, rounding);
      mpfr_add_d(step, step, std::fabs(x), rounding);
      mpfr_sub_si(step, step, 1, rounding);
      mpfr_mul(step, step, factor, rounding);
      mpfr_add(y, y, step, rounding);
    }
  }
  mpfr_setsign(result, y, std::signbit(x) ? 1 : 0, rounding);
  mpfr_clears(y, step, factor, half_root_pi, nullptr);
  return 0;
}

/// By its definition: mpfr_rec_sqrt(-0.0) is +inf.
int rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  mpfr_sqrt(result, x, rounding);
  return mpfr_si_div(result, 1, result, rounding);
}

MpfrFunction mpfr_function(Op op) {
  switch (op) {
    case Op::Exp: return mpfr_exp;
    case Op::Exp2: return mpfr_exp2;
    case Op::Expm1: return mpfr_expm1;
    case Op::Log: return mpfr_log;
    case Op::Log2: return mpfr_log2;
    case Op::Log10: return mpfr_log10;
    case Op::Log1p: return mpfr_log1p;
    case Op::Sin: return mpfr_sin;
    case Op::Cos: return mpfr_cos;
    case Op::Tan: return mpfr_tan;
    case Op::Asin: return mpfr_asin;
    case Op::Acos: return mpfr_acos;
    case Op::Atan: return mpfr_atan;
    case Op::Sinh: return mpfr_sinh;
    case Op::Cosh: return mpfr_cosh;
    case Op::Tanh: return mpfr_tanh;
    case Op::Asinh: return mpfr_asinh;
    case Op::Acosh: return mpfr_acosh;
    case Op::Atanh: return mpfr_atanh;
    case Op::Sqrt: return mpfr_sqrt;
    case Op::Rsqrt: return rsqrt;
    case Op::Cbrt: return mpfr_cbrt;
    case Op::Erf: return mpfr_erf;
    case Op::Erfc: return mpfr_erfc;
    case Op::Erfinv: return erfinv;
    case Op::Lgamma: return lgamma;
    case Op::Digamma: return mpfr_digamma;
    default: support::throw_internal("no reference for {}", to_string(op));
  }
}

using MpfrBinary = int (*)(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rounding);

MpfrBinary mpfr_binary(Op op) {
  switch (op) {
    case Op::Div: return mpfr_div;
    case Op::Atan2: return mpfr_atan2;
    case Op::Hypot: return mpfr_hypot;
    case Op::Pow: return mpfr_pow;
    default: support::throw_internal("no reference for {} of two", to_string(op));
  }
}

/// The exact value, rounded to the precision of `result`.
void set_function(Number& result, Op op, DType dtype, std::span<const double> x) {
  mpfr_set_d(result.get(), x[0], MPFR_RNDN);
  if (x.size() == 1) {
    mpfr_function(op)(result.get(), result.get(), MPFR_RNDN);
    return;
  }
  Number second(dtype);
  mpfr_set_d(second.get(), x[1], MPFR_RNDN);
  mpfr_binary(op)(result.get(), result.get(), second.get(), MPFR_RNDN);
}

/// Exponents of the smallest subnormal and of the first power of two that overflows.
struct ExponentRange {
  int smallest;
  int overflow;
};

ExponentRange exponents_of(DType dtype) {
  switch (dtype) {
    case DType::F64: return {-1074, 1024};
    case DType::F32: return {-149, 128};
    case DType::BF16: return {-133, 128};
    case DType::F16: return {-24, 16};
    case DType::F8E5M2: return {-16, 16};
    case DType::F8E4M3: return {-9, 9};
    default: support::throw_internal("{} is not a float", to_string(dtype));
  }
}

/// What a conversion to f8 makes of values above the largest finite one.
void saturate(mpfr_ptr value, DType dtype) {
  if (ir::bits(dtype) != 8) return;
  const double largest = ir::as_double(ir::make_literal(dtype, HUGE_VAL));
  if (mpfr_cmp_d(value, largest) > 0) mpfr_set_d(value, largest, MPFR_RNDN);
  if (mpfr_cmp_d(value, -largest) < 0) mpfr_set_d(value, -largest, MPFR_RNDN);
}

/// Whether y is what NaN, an infinity or a zero must be: the same, with the same sign.
bool is_same_special(mpfr_srcptr exact, double y) {
  if (mpfr_nan_p(exact) != 0) return std::isnan(y);
  const bool is_same_kind = mpfr_zero_p(exact) != 0 ? y == 0 : std::isinf(y);
  return is_same_kind && std::signbit(y) == (mpfr_signbit(exact) != 0);
}

/// y - exact, where an overflowed y counts as 2^overflow, or as exact where that is beyond it.
void subtract_exact(mpfr_ptr distance, double y, mpfr_srcptr exact, int overflow) {
  if (std::isinf(y)) {
    mpfr_set_si_2exp(distance, y > 0 ? 1 : -1, overflow, MPFR_RNDN);
    const bool is_beyond = mpfr_cmpabs(exact, distance) >= 0;
    if (is_beyond && mpfr_sgn(exact) == mpfr_sgn(distance)) mpfr_set(distance, exact, MPFR_RNDN);
  } else {
    mpfr_set_d(distance, y, MPFR_RNDN);
  }
  mpfr_sub(distance, distance, exact, MPFR_RNDN);
}

}  // namespace

double ulp_error(Op op, DType dtype, std::span<const double> x, double y, double beside) {
  Number exact(dtype);
  set_function(exact, op, dtype, x);
  saturate(exact.get(), dtype);
  if (mpfr_regular_p(exact.get()) == 0) return is_same_special(exact.get(), y) ? 0.0 : HUGE_VAL;
  const bool is_negative = mpfr_signbit(exact.get()) != 0;
  if (std::isnan(y) || (y == 0 && std::signbit(y) != is_negative)) return HUGE_VAL;

  const auto [smallest, overflow] = exponents_of(dtype);
  long exponent = mpfr_get_exp(exact.get());
  if (beside != 0 && std::isfinite(beside)) {
    exponent = std::max<long>(exponent, std::ilogb(beside) + 1);
  }
  const long last_place = std::max<long>(exponent - ir::significand_bits(dtype), smallest);
  Number distance(dtype);
  subtract_exact(distance.get(), y, exact.get(), overflow);
  mpfr_mul_2si(distance.get(), distance.get(), -last_place, MPFR_RNDN);
  return std::fabs(mpfr_get_d(distance.get(), MPFR_RNDN));
}

double reflection_terms(Op op, double x, double result) {
  if (op == Op::Lgamma) {
    int sign = 0;  // std::lgamma leaves it in a global variable
    const double term = std::fabs(lgamma_r(1 - x, &sign));
    return term + std::fabs(result + term);
  }
  const auto term = static_cast<double>(reference::digamma(1 - x));
  return std::fabs(term) + 1 / std::fabs(x - std::nearbyint(x));
}

ir::Literal correctly_rounded(Op op, DType dtype, double x) {
  Number exact(DType::F64);
  set_function(exact, op, DType::F64, {&x, 1});
  // Rounded to odd in f64, so that the second rounding does what one alone would do.
  double value = mpfr_get_d(exact.get(), MPFR_RNDZ);
  if (dtype == DType::F64) return ir::make_literal(dtype, mpfr_get_d(exact.get(), MPFR_RNDN));
  const bool is_inexact = mpfr_cmp_d(exact.get(), value) != 0;
  if (is_inexact && std::isfinite(value)) {
    const std::uint64_t bits = ir::make_literal(DType::F64, value).bits | 1;
    value = ir::decode_float(DType::F64, bits);
  }
  return ir::make_literal(dtype, value);
}

}  // namespace sinter::tests
