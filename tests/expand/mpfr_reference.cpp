// Working precision: 160 bits, far more than twice that of f64.
#include "tests/expand/mpfr_reference.h"

#include <mpfr.h>

#include <algorithm>
#include <cmath>

#include "support/check.h"

namespace sinter::tests {

using ir::DType;
using ir::Op;

namespace {

constexpr int kPrecisionBits = 160;

/// One MPFR number.
class Number {
 public:
  Number() { mpfr_init2(value_, kPrecisionBits); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

void set_function(Number& result, Op op, double x) {
  mpfr_set_d(result.get(), x, MPFR_RNDN);
  switch (op) {
    case Op::Exp: mpfr_exp(result.get(), result.get(), MPFR_RNDN); return;
    case Op::Log: mpfr_log(result.get(), result.get(), MPFR_RNDN); return;
    case Op::Tanh: mpfr_tanh(result.get(), result.get(), MPFR_RNDN); return;
    default: support::throw_internal("no reference for {}", to_string(op));
  }
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

double ulp_error(Op op, DType dtype, double x, double y) {
  Number exact;
  set_function(exact, op, x);
  const auto [smallest, overflow] = range_of(dtype);
  const bool is_zero = mpfr_zero_p(exact.get()) != 0;
  const long last_place =
      is_zero ? smallest
              : std::max<long>(mpfr_get_exp(exact.get()) - ir::significand_bits(dtype), smallest);

  Number distance;
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
  Number exact;
  set_function(exact, op, x);
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
