// Elementwise tensor expressions.
#include "dsl/composite.h"
#include "ir/dtype.h"
#include "sinter/tensor.h"
#include "support/check.h"

namespace sinter {

namespace {

using dsl::add_pointwise;
using ir::AttributeName;
using ir::Op;

Tensor unary(Op op, const Operand& a) {
  dsl::require_tensor(a, std::string(ir::to_string(op)).c_str());
  return add_pointwise(op, {&a});
}

/// One operator for integers and another for floats.
Tensor add_for(Op integers, Op floats, const Operand& a, const Operand& b) {
  const Tensor* tensor = a.tensor() ? a.tensor() : b.tensor();
  const Op op = tensor && ir::is_float(tensor->dtype()) ? floats : integers;
  return ir::is_pointwise(op) ? add_pointwise(op, {&a, &b}) : dsl::add_composite(op, {&a, &b});
}

Tensor convert(Op op, const Operand& a, DType dtype) {
  dsl::require_tensor(a, std::string(ir::to_string(op)).c_str());
  return add_pointwise(op, {&a}, {{AttributeName::DType, dtype}});
}

}  // namespace

Tensor operator+(const Operand& a, const Operand& b) { return add_pointwise(Op::Add, {&a, &b}); }
Tensor operator-(const Operand& a, const Operand& b) { return add_pointwise(Op::Sub, {&a, &b}); }
Tensor operator*(const Operand& a, const Operand& b) { return add_pointwise(Op::Mul, {&a, &b}); }
Tensor operator%(const Operand& a, const Operand& b) {
  return add_for(Op::Mod, Op::FloorRemainder, a, b);
}
Tensor operator-(const Operand& a) { return unary(Op::Neg, a); }

Tensor operator/(const Operand& a, const Operand& b) {
  const Tensor* tensor = a.tensor() ? a.tensor() : b.tensor();
  if (tensor && !ir::is_float(tensor->dtype())) {
    support::throw_user_at(a.location(),
                           "operator / on {} tensors; floats are needed: write floor_div(a, b) for "
                           "the integer quotient, or cast",
                           to_string(tensor->dtype()));
  }
  return add_pointwise(Op::Div, {&a, &b});
}

Tensor floor_div(const Operand& a, const Operand& b) {
  return add_for(Op::FloorDiv, Op::FloorQuotient, a, b);
}
Tensor minimum(const Operand& a, const Operand& b) { return add_pointwise(Op::Minimum, {&a, &b}); }
Tensor maximum(const Operand& a, const Operand& b) { return add_pointwise(Op::Maximum, {&a, &b}); }
Tensor fma(const Operand& a, const Operand& b, const Operand& c) {
  return add_pointwise(Op::Fma, {&a, &b, &c});
}

Tensor abs(const Operand& a) { return unary(Op::Abs, a); }
Tensor sqrt(const Operand& a) { return unary(Op::Sqrt, a); }
Tensor rsqrt(const Operand& a) { return unary(Op::Rsqrt, a); }
Tensor cbrt(const Operand& a) { return unary(Op::Cbrt, a); }
Tensor reciprocal(const Operand& a) {
  dsl::require_tensor(a, "reciprocal");
  return Operand(1, a.location().file.c_str(), a.location().line) / a;
}
Tensor hypot(const Operand& a, const Operand& b) { return add_pointwise(Op::Hypot, {&a, &b}); }
Tensor pow(const Operand& a, const Operand& b) { return add_for(Op::IntegerPow, Op::Pow, a, b); }
Tensor erf(const Operand& a) { return unary(Op::Erf, a); }
Tensor erfc(const Operand& a) { return unary(Op::Erfc, a); }
Tensor erfinv(const Operand& a) { return unary(Op::Erfinv, a); }
Tensor lgamma(const Operand& a) { return unary(Op::Lgamma, a); }
Tensor digamma(const Operand& a) { return unary(Op::Digamma, a); }
Tensor floor(const Operand& a) { return unary(Op::Floor, a); }
Tensor round(const Operand& a) { return unary(Op::Round, a); }
Tensor exp(const Operand& a) { return unary(Op::Exp, a); }
Tensor log(const Operand& a) { return unary(Op::Log, a); }
Tensor exp2(const Operand& a) { return unary(Op::Exp2, a); }
Tensor expm1(const Operand& a) { return unary(Op::Expm1, a); }
Tensor log2(const Operand& a) { return unary(Op::Log2, a); }
Tensor log10(const Operand& a) { return unary(Op::Log10, a); }
Tensor log1p(const Operand& a) { return unary(Op::Log1p, a); }
Tensor sin(const Operand& a) { return unary(Op::Sin, a); }
Tensor cos(const Operand& a) { return unary(Op::Cos, a); }
Tensor tan(const Operand& a) { return unary(Op::Tan, a); }
Tensor asin(const Operand& a) { return unary(Op::Asin, a); }
Tensor acos(const Operand& a) { return unary(Op::Acos, a); }
Tensor atan(const Operand& a) { return unary(Op::Atan, a); }
Tensor atan2(const Operand& y, const Operand& x) { return add_pointwise(Op::Atan2, {&y, &x}); }
Tensor sinh(const Operand& a) { return unary(Op::Sinh, a); }
Tensor cosh(const Operand& a) { return unary(Op::Cosh, a); }
Tensor tanh(const Operand& a) { return unary(Op::Tanh, a); }
Tensor asinh(const Operand& a) { return unary(Op::Asinh, a); }
Tensor acosh(const Operand& a) { return unary(Op::Acosh, a); }
Tensor atanh(const Operand& a) { return unary(Op::Atanh, a); }

Tensor operator==(const Operand& a, const Operand& b) { return add_pointwise(Op::Eq, {&a, &b}); }
Tensor operator!=(const Operand& a, const Operand& b) { return add_pointwise(Op::Ne, {&a, &b}); }
Tensor operator<(const Operand& a, const Operand& b) { return add_pointwise(Op::Lt, {&a, &b}); }
Tensor operator<=(const Operand& a, const Operand& b) { return add_pointwise(Op::Le, {&a, &b}); }
Tensor operator>(const Operand& a, const Operand& b) { return add_pointwise(Op::Gt, {&a, &b}); }
Tensor operator>=(const Operand& a, const Operand& b) { return add_pointwise(Op::Ge, {&a, &b}); }
Tensor operator&(const Operand& a, const Operand& b) { return add_pointwise(Op::And, {&a, &b}); }
Tensor operator|(const Operand& a, const Operand& b) { return add_pointwise(Op::Or, {&a, &b}); }
Tensor operator^(const Operand& a, const Operand& b) { return add_pointwise(Op::Xor, {&a, &b}); }
Tensor operator~(const Operand& a) { return unary(Op::Not, a); }

Tensor operator!(const Operand& a) {
  const Tensor& tensor = dsl::require_tensor(a, "operator !");
  if (tensor.dtype() != DType::Bool) {
    support::throw_user_at(a.location(), "operator ! on a {} tensor; bool is needed",
                           to_string(tensor.dtype()));
  }
  return unary(Op::Not, a);
}

Tensor operator<<(const Operand& a, const Operand& b) {
  return add_pointwise(Op::ShiftLeft, {&a, &b});
}
Tensor operator>>(const Operand& a, const Operand& b) {
  return add_pointwise(Op::ShiftRight, {&a, &b});
}

Tensor select(const Operand& condition, const Operand& b, const Operand& c) {
  if (!b.tensor() && !c.tensor()) {
    support::throw_user_at(condition.location(),
                           "both values of select are host literals; one tensor is needed to give "
                           "the dtype");
  }
  return add_pointwise(Op::Select, {&condition, &b, &c}, {}, 1);
}

Tensor cast(const Operand& a, DType dtype) { return convert(Op::Cast, a, dtype); }
Tensor bitcast(const Operand& a, DType dtype) { return convert(Op::Bitcast, a, dtype); }

}  // namespace sinter
