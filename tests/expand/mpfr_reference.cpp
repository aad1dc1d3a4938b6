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
    default: support::throw_internal("no reference for {}", to_string(op));
  }
}

/// The exact value, rounded to the precision of `result`.
void set_function(Number& result, Op op, DType dtype, std::span<const double> x) {
  mpfr_set_d(result.get(), x[0], MPFR_RNDN);
  if (op != Op::Atan2) {
    mpfr_function(op)(result.get(), result.get(), MPFR_RNDN);
    return;
  }
  Number second(dtype);
  mpfr_set_d(second.get(), x[1], MPFR_RNDN);
  mpfr_atan2(result.get(), result.get(), second.get(), MPFR_RNDN);
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
