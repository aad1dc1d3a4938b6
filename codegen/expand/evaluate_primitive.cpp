// Floats: each operator is one correctly rounded IEEE 754 operation in f32 or f64, and every result
// passes through its bit pattern. codegen/CMakeLists.txt compiles this file with -ffp-contract=off;
// x86-64 has no excess precision.
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

#include "codegen/expand/primitive.h"
#include "support/check.h"

static_assert(FLT_EVAL_METHOD == 0, "f32 must be computed in f32");

namespace sinter::codegen {

using ir::DType;
using ir::Op;

namespace {

/// The one of a and b that `minimum` (or, with `larger`, `maximum`) picks: NaN wins, -0.0 < +0.0.
template <typename Float>
Float extreme(Float a, Float b, bool larger) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<Float>::quiet_NaN();
  if (a == b) return std::signbit(a) != larger ? a : b;  // equal or zeros of either sign
  return (a > b) == larger ? a : b;
}

template <typename Float>
Float evaluate_float(Op op, Float a, Float b, Float c) {
  switch (op) {
    case Op::Neg: return -a;
    case Op::Abs: return std::fabs(a);
    case Op::Sqrt: return std::sqrt(a);
    case Op::Floor: return std::floor(a);
    case Op::Round: return std::nearbyint(a);  // to even: nobody changes the rounding mode
    case Op::Add: return a + b;
    case Op::Sub: return a - b;
    case Op::Mul: return a * b;
    case Op::Div: return a / b;
    case Op::Minimum: return extreme(a, b, false);
    case Op::Maximum: return extreme(a, b, true);
    case Op::Fma: return std::fma(a, b, c);
    default: support::throw_internal("{} is no primitive operator of floats", to_string(op));
  }
}

template <typename Float>
bool compare_floats(Op op, Float a, Float b) {
  switch (op) {
    case Op::Eq: return a == b;
    case Op::Ne: return a != b;
    case Op::Lt: return a < b;
    case Op::Le: return a <= b;
    case Op::Gt: return a > b;
    case Op::Ge: return a >= b;
    default: support::throw_internal("{} is no comparison", to_string(op));
  }
}

/// `Float`: what the operator is computed in.
template <typename Float>
std::uint64_t evaluate_in(Op op, DType dtype, const OperandBits& operands) {
  const auto value = [&](std::size_t i) {
    return static_cast<Float>(ir::decode_float(dtype, operands[i]));  // exact
  };
  if (ir::info(op).op_class == ir::OpClass::Compare) {
    return compare_floats(op, value(0), value(1)) ? 1 : 0;
  }
  const Float result = evaluate_float(op, value(0), value(1), value(2));
  return ir::encode_float(dtype, static_cast<double>(result));
}

}  // namespace

std::uint64_t evaluate_primitive(Op op, DType dtype, const OperandBits& operands) {
  if (op == Op::Select) return operands[0] != 0 ? operands[1] : operands[2];
  if (!ir::is_float(dtype)) return evaluate_integer(op, dtype, operands);
  return dtype == DType::F64 ? evaluate_in<double>(op, dtype, operands)
                             : evaluate_in<float>(op, dtype, operands);
}

}  // namespace sinter::codegen
