// Integers and bool: computed in 64 bits, two's complement, and cut to the width of the type.
#include "codegen/expand/primitive.h"
#include "support/check.h"

namespace sinter::codegen {

using ir::DType;
using ir::Op;

namespace {

using Bits = std::uint64_t;

/// Two operands extended to 64 bits by the sign of their type. `Int`: int64 or uint64.
template <typename Int>
struct Operands {
  Int a;
  Int b;
  int width;
};

template <typename Int>
Int floor_div(Int a, Int b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<Int>) {
    if (b == -1) return static_cast<Int>(Bits{0} - static_cast<Bits>(a));  // INT_MIN wraps
    const Int quotient = a / b;
    const bool is_above = a % b != 0 && (a < 0) != (b < 0);
    return quotient - (is_above ? 1 : 0);
  } else {
    return a / b;
  }
}

template <typename Int>
Int shift_right(Operands<Int> x) {
  const bool is_outside = x.b < 0 || x.b >= static_cast<Int>(x.width);
  if (is_outside) return x.a < 0 ? static_cast<Int>(-1) : 0;
  return x.a >> x.b;  // arithmetic for int64 (C++20)
}

template <typename Int>
Bits shift_left(Operands<Int> x) {
  const bool is_outside = x.b < 0 || x.b >= static_cast<Int>(x.width);
  return is_outside ? 0 : static_cast<Bits>(x.a) << x.b;
}

/// The result, to be cut to the width.
template <typename Int>
Bits evaluate(Op op, Operands<Int> x) {
  const Bits a = static_cast<Bits>(x.a);
  const Bits b = static_cast<Bits>(x.b);
  switch (op) {
    case Op::Neg: return 0 - a;
    case Op::Abs: return x.a < 0 ? 0 - a : a;
    case Op::Not: return x.width == 1 ? a ^ 1 : ~a;
    case Op::Add: return a + b;
    case Op::Sub: return a - b;
    case Op::Mul: return a * b;
    case Op::FloorDiv: return static_cast<Bits>(floor_div(x.a, x.b));
    case Op::Mod: return a - b * static_cast<Bits>(floor_div(x.a, x.b));
    case Op::Minimum: return x.a < x.b ? a : b;
    case Op::Maximum: return x.a > x.b ? a : b;
    case Op::And: return a & b;
    case Op::Or: return a | b;
    case Op::Xor: return a ^ b;
    case Op::ShiftLeft: return shift_left(x);
    case Op::ShiftRight: return static_cast<Bits>(shift_right(x));
    case Op::Eq: return x.a == x.b;
    case Op::Ne: return x.a != x.b;
    case Op::Lt: return x.a < x.b;
    case Op::Le: return x.a <= x.b;
    case Op::Gt: return x.a > x.b;
    case Op::Ge: return x.a >= x.b;
    default: support::throw_internal("{} is no primitive operator of integers", to_string(op));
  }
}

}  // namespace

std::uint64_t evaluate_integer(Op op, DType dtype, const OperandBits& operands) {
  const int width = dtype == DType::Bool ? 1 : ir::bits(dtype);
  const Bits mask = width == 64 ? ~Bits{0} : (Bits{1} << width) - 1;
  if (!ir::is_signed_integer(dtype)) {
    return evaluate(op, Operands<Bits>{operands[0], operands[1], width}) & mask;
  }
  const auto extended = [&](Bits bits) {
    return static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
  };
  const Operands<std::int64_t> pair{extended(operands[0]), extended(operands[1]), width};
  return evaluate(op, pair) & mask;
}

}  // namespace sinter::codegen
