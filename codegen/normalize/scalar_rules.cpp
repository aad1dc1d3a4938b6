// Rules for elementwise operators. Each holds bit for bit, but for NaN payloads, in every mode.
#include <cmath>

#include "codegen/normalize/algebra_rules.h"

namespace sinter::codegen {

namespace {

using ir::AttributeName;
using ir::Literal;
using ir::Op;
using ir::Value;
using Result = std::optional<Value>;

Literal zero(DType dtype) { return ir::make_integer_literal(dtype, 0); }
Literal one(DType dtype) { return ir::make_integer_literal(dtype, 1); }
Literal boolean(bool value) { return ir::make_integer_literal(DType::Bool, value ? 1 : 0); }

/// The literal x with e.op(a, x) = a for every a: -0.0, not +0.0, for sums of floats.
std::optional<Literal> right_neutral(Op op, DType dtype) {
  const bool is_float = ir::is_float(dtype);
  if (op == Op::Add && is_float) return ir::make_literal(dtype, -0.0);
  if (op == Op::Sub || op == Op::ShiftLeft || op == Op::ShiftRight) return zero(dtype);
  if (op == Op::Div || op == Op::FloorDiv) return one(dtype);
  return ir::info(op).commutes ? ir::identity_of(op, dtype) : std::nullopt;
}

/// The literal x with op(a, x) = x for every a. No float has one: NaN wins.
std::optional<Literal> absorbing(Op op, DType dtype) {
  if (ir::is_float(dtype)) return std::nullopt;
  if (op == Op::Mul || op == Op::And) return zero(dtype);
  if (op == Op::Or) return ir::identity_of(Op::And, dtype);
  if (op == Op::Minimum) return ir::identity_of(Op::Maximum, dtype);
  if (op == Op::Maximum) return ir::identity_of(Op::Minimum, dtype);
  return std::nullopt;
}

Result drop_neutral(const RuleContext& c, const Expression& e) {
  if (e.operands.size() != 2 || ir::info(e.op).op_class != ir::OpClass::Binary) return {};
  const auto neutral = right_neutral(e.op, c.dtype(e.operands[0]));
  if (!neutral) return {};
  if (c.is_splat(e.operands[1], *neutral)) return e.operands[0];
  if (ir::info(e.op).commutes && c.is_splat(e.operands[0], *neutral)) return e.operands[1];
  return {};
}

Result absorb(const RuleContext& c, const Expression& e) {
  if (e.operands.size() != 2) return {};
  const auto literal = absorbing(e.op, c.dtype(e.operands[0]));
  if (!literal) return {};
  for (const Value operand : e.operands) {
    if (c.is_splat(operand, *literal)) return operand;
  }
  return {};
}

Result fold_equal_operands(const RuleContext& c, const Expression& e) {
  if (e.operands.size() != 2 || e.operands[0] != e.operands[1]) return {};
  const Value a = e.operands[0];
  const DType dtype = c.dtype(a);
  if (e.op == Op::Minimum || e.op == Op::Maximum || e.op == Op::And || e.op == Op::Or) return a;
  if (ir::is_float(dtype)) return {};  // NaN differs from itself, inf - inf is NaN
  if (e.op == Op::Sub || e.op == Op::Xor) return c.add_splat_like(e, zero(dtype), a);
  if (e.op == Op::Eq || e.op == Op::Le || e.op == Op::Ge) {
    return c.add_splat_like(e, boolean(true), a);
  }
  if (e.op == Op::Ne || e.op == Op::Lt || e.op == Op::Gt) {
    return c.add_splat_like(e, boolean(false), a);
  }
  return {};
}

Result undo_twice(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Neg && e.op != Op::Not) return {};
  const ir::Node* inner = c.made_by(e.op, e.operands[0]);
  return inner ? Result(inner->operands[0]) : Result();
}

Result drop_repeated(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Abs && e.op != Op::Floor && e.op != Op::Round) return {};
  return c.made_by(e.op, e.operands[0]) ? Result(e.operands[0]) : Result();
}

Result drop_sign_before_abs(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Abs) return {};
  const ir::Node* inner = c.made_by(Op::Neg, e.operands[0]);
  return inner ? Result(c.add(e, Op::Abs, inner->operands)) : Result();
}

Result add_negative(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Add && e.op != Op::Sub) return {};
  const Op opposite = e.op == Op::Add ? Op::Sub : Op::Add;
  if (const ir::Node* right = c.made_by(Op::Neg, e.operands[1])) {
    return c.add(e, opposite, {e.operands[0], right->operands[0]});
  }
  if (e.op != Op::Add) return {};
  if (const ir::Node* left = c.made_by(Op::Neg, e.operands[0])) {
    return c.add(e, Op::Sub, {e.operands[1], left->operands[0]});
  }
  return {};
}

Result multiply_by_minus_one(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Mul) return {};
  const Literal minus_one = ir::make_integer_literal(c.dtype(e.operands[0]), -1);
  for (const std::size_t i : {0U, 1U}) {
    if (c.is_splat(e.operands[i], minus_one)) return c.add(e, Op::Neg, {e.operands[1 - i]});
  }
  return {};
}

Result divide_by_power_of_two(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Div) return {};
  const auto divisor = c.splat(e.operands[1]);
  if (!divisor) return {};
  const double value = ir::as_double(*divisor);
  int exponent = 0;
  if (std::abs(std::frexp(value, &exponent)) != 0.5) return {};
  const auto inverse = ir::make_exact_literal(divisor->dtype, 1.0 / value);
  // A subnormal factor would be lost where fast mode flushes it.
  const double smallest = divisor->dtype == DType::F64 ? 0x1p-1022 : 0x1p-126;
  if (!inverse || std::abs(1.0 / value) < smallest) return {};
  return c.add(e, Op::Mul, {e.operands[0], c.add_splat_like(e, *inverse, e.operands[1])});
}

Result modulo_one(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Mod || !c.is_splat(e.operands[1], one(c.dtype(e.operands[1])))) return {};
  return c.add_splat_like(e, zero(c.dtype(e.operands[0])), e.operands[0]);
}

Result xor_with_ones(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Xor) return {};
  const auto ones = ir::identity_of(Op::And, c.dtype(e.operands[0]));
  for (const std::size_t i : {0U, 1U}) {
    if (ones && c.is_splat(e.operands[i], *ones)) return c.add(e, Op::Not, {e.operands[1 - i]});
  }
  return {};
}

Result negate_comparison(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Not || c.dtype(e.operands[0]) != DType::Bool) return {};
  if (const ir::Node* equal = c.made_by(Op::Eq, e.operands[0])) {
    return c.add(e, Op::Ne, equal->operands);
  }
  if (const ir::Node* unequal = c.made_by(Op::Ne, e.operands[0])) {
    return c.add(e, Op::Eq, unequal->operands);
  }
  return {};
}

Result select_known(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Select) return {};
  if (e.operands[1] == e.operands[2]) return e.operands[1];
  if (c.is_splat(e.operands[0], boolean(true))) return e.operands[1];
  if (c.is_splat(e.operands[0], boolean(false))) return e.operands[2];
  return {};
}

Result select_by_negation(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Select) return {};
  const ir::Node* negation = c.made_by(Op::Not, e.operands[0]);
  if (!negation) return {};
  return c.add(e, Op::Select, {negation->operands[0], e.operands[2], e.operands[1]});
}

Result select_of_bools(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Select || c.dtype(e.operands[1]) != DType::Bool) return {};
  const bool is_true_first = c.is_splat(e.operands[1], boolean(true));
  const bool is_true_last = c.is_splat(e.operands[2], boolean(true));
  const bool is_false_first = c.is_splat(e.operands[1], boolean(false));
  const bool is_false_last = c.is_splat(e.operands[2], boolean(false));
  if (is_true_first && is_false_last) return e.operands[0];
  if (is_false_first && is_true_last) return c.add(e, Op::Not, {e.operands[0]});
  return {};
}

Result drop_cast_to_same(const RuleContext& c, const Expression& e) {
  if (ir::info(e.op).op_class != ir::OpClass::Cast) return {};
  const DType target = e.attributes.get<DType>(AttributeName::DType);
  return c.dtype(e.operands[0]) == target ? Result(e.operands[0]) : Result();
}

/// Whether values of `from` go to `to` alike directly and through `between`.
bool is_detour(DType from, DType between, DType to) {
  // From any wider type, f8e5m2 saturates infinities that it could keep.
  if (from == DType::F8E5M2 && to == DType::F8E5M2) return false;
  if (!ir::is_lossless_cast(from, between)) return false;
  // Integers wrap into integers, floats saturate: a change of kind is safe only if nothing is lost.
  return ir::is_float(from) == ir::is_float(between) || ir::is_lossless_cast(from, to);
}

Result join_casts(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Cast) return {};
  const ir::Node* inner = c.made_by(Op::Cast, e.operands[0]);
  if (!inner) return {};
  const DType from = c.dtype(inner->operands[0]);
  const DType between = c.dtype(e.operands[0]);
  const DType to = e.attributes.get<DType>(AttributeName::DType);
  if (!is_detour(from, between, to)) return {};
  return c.add(e, Op::Cast, inner->operands, e.attributes);
}

Result join_bitcasts(const RuleContext& c, const Expression& e) {
  if (e.op != Op::Bitcast) return {};
  const ir::Node* inner = c.made_by(Op::Bitcast, e.operands[0]);
  return inner ? Result(c.add(e, Op::Bitcast, inner->operands, e.attributes)) : Result();
}

constexpr AlgebraRule kScalarRules[] = {
    {"a * 1, a + -0.0, a - 0, a / 1, a & ones, min(a, highest), ... -> a", drop_neutral},
    {"a * 0, a & 0, a | ones, min(a, lowest), ... -> the constant; not floats", absorb},
    {"min(a, a), a & a -> a; integers: a - a, a ^ a -> 0, a == a -> true", fold_equal_operands},
    {"--a, !!a -> a", undo_twice},
    {"abs(abs(a)), floor(floor(a)), round(round(a)) -> the inner one", drop_repeated},
    {"abs(-a) -> abs(a)", drop_sign_before_abs},
    {"a + -b -> a - b, a - -b -> a + b", add_negative},
    {"a * -1 -> -a", multiply_by_minus_one},
    {"a / 2^k -> a * 2^-k", divide_by_power_of_two},
    {"a % 1 -> 0", modulo_one},
    {"a ^ ones -> ~a", xor_with_ones},
    {"!(a == b) -> a != b, !(a != b) -> a == b", negate_comparison},
    {"select(true, a, b), select(c, a, a) -> a; select(false, a, b) -> b", select_known},
    {"select(!c, a, b) -> select(c, b, a)", select_by_negation},
    {"select(c, true, false) -> c, select(c, false, true) -> !c", select_of_bools},
    {"cast, bitcast of a to its own type -> a", drop_cast_to_same},
    {"cast(cast(a)) -> cast(a), where the inner one loses nothing", join_casts},
    {"bitcast(bitcast(a)) -> bitcast(a)", join_bitcasts},
};

}  // namespace

std::span<const AlgebraRule> scalar_rules() { return kScalarRules; }

}  // namespace sinter::codegen
