// Rounding of the float dtypes, exactly, and what rounding does to error bounds.
#pragma once

#include "reference/element.h"

namespace sinter::reference {

/// 2^-significand_bits: the largest relative error of rounding to nearest.
Wide unit_roundoff(ir::DType dtype);
/// The largest finite value.
Wide largest_finite(ir::DType dtype);
/// The smallest positive value, a subnormal.
Wide smallest_positive(ir::DType dtype);

/// `value` to nearest even in `dtype`, subnormals kept; f8 saturates (infinities too), others
/// overflow to infinity from largest_finite plus half an ulp on.
Wide round_to(ir::DType dtype, Wide value);
/// The bits of a value that is representable in `dtype`, and the value of bits.
std::uint64_t encode_real(ir::DType dtype, Wide value);
Wide decode_real(ir::DType dtype, std::uint64_t bits);

/// Integers and bool: modulo 2^width, then sign- or zero-extended to 64 bits.
std::uint64_t wrap_to(ir::DType dtype, std::uint64_t bits);
/// The value of wrapped `bits`: exact, as 64 significand bits suffice.
Wide integer_value(ir::DType dtype, std::uint64_t bits);

/// An element rounded to `dtype` by a cast or a store. Rounding is monotone, so the new bound is
/// how far the rounded ends of the interval lie from the rounded value: 0 unless the interval
/// crosses the midpoint of two neighbours.
Element round_element(ir::DType dtype, const Element& element);

/// An element computed in `compute` (f32 or f64): `value` is exact for exact operands,
/// `propagated` what the operands' bounds do to it, `relative` the operation's own relative error.
/// Adds the smallest subnormal for underflow; exact operands whose result is representable
/// stay exact where `relative` is one rounding. Values that overflow for certain are infinite;
/// those that may overflow are undecided.
Element computed_element(ir::DType compute, Wide value, Wide propagated, Wide relative);

/// n·u / (1 - n·u), the factor of n roundings one after the other (Higham, Accuracy and Stability
/// of Numerical Algorithms, lemma 3.1); infinity from n·u = 1 on.
Wide gamma_factor(std::int64_t roundings, Wide u);

}  // namespace sinter::reference
