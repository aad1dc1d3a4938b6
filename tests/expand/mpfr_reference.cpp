// Working precision: far more than twice that of the type, so that no second rounding shows.
#include "tests/expand/mpfr_reference.h"

#include <mpfr.h>

#include <algorithm>
#include <cmath>

#include "support/check.h"

namespace sinter::tests {

using ir::DType;
using ir::Op;

namespace {

int precision_bits(DType dtype) { return dtype == DType::F64 ? 160 : 80; }

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

/// Two more steps of Newton's method double the bits twice. Small operands x give
/// sqrt(pi)/2 (x + pi/12 x^3).
int erfinv(mpfr_ptr result, mpfr_srcptr operand, mpfr_rnd_t rounding) {
  const double x = mpfr_get_d(operand, rounding);  // exact
  if (std::isnan(x) || std::fabs(x) > 1) return mpfr_set_nan(result), 0;
  if (std::fabs(x) == 1) return mpfr_set_inf(result, x > 0 ? 1 : -1), 0;
  mpfr_t y, step, factor, half_root_pi;
  mpfr_inits2(mpfr_get_prec(result) + 60, y, step, factor, half_root_pi, nullptr);
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
    for (int i = 0; i < 2; ++i) {
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
struct Range {
  int smallest;
  int overflow;
};

Range range_of(DType dtype) {
  if (dtype == DType::F64) return {-1074, 1024};
  return {-149, 128};
}

}  // namespace

double ulp_error(Op op, DType dtype, std::span<const double> x, double y) {
  Number exact(dtype);
  set_function(exact, op, dtype, x);
  if (mpfr_nan_p(exact.get()) != 0) return std::isnan(y) ? 0.0 : HUGE_VAL;
  if (std::isnan(y)) return HUGE_VAL;
  if (mpfr_inf_p(exact.get()) != 0) return std::isinf(y) ? 0.0 : HUGE_VAL;
  const auto [smallest, overflow] = range_of(dtype);
  const bool is_zero = mpfr_zero_p(exact.get()) != 0;
  const long last_place =
      is_zero ? smallest
              : std::max<long>(mpfr_get_exp(exact.get()) - ir::significand_bits(dtype), smallest);

  Number distance(dtype);
  if (std::isinf(y)) {
    mpfr_set_si_2exp(distance.get(), y > 0 ? 1 : -1, overflow, MPFR_RNDN);
    if (mpfr_cmpabs(exact.get(), distance.get()) >= 0) return 0.0;
  } else {
    mpfr_set_d(distance.get(), y, MPFR_RNDN);
  }
  mpfr_sub(distance.get(), distance.get(), exact.get(), MPFR_RNDN);
  mpfr_mul_2si(distance.get(), distance.get(), -last_place, MPFR_RNDN);
  return std::fabs(mpfr_get_d(distance.get(), MPFR_RNDN));
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
