// Index expressions as i64 arithmetic. What does not depend on the lane axis stays scalar until it
// meets something that does; LLVM moves what a loop does not change out of it.
#include <fmt/format.h>

#include "codegen/llvm/casts.h"
#include "codegen/llvm/value_emitter.h"
#include "support/check.h"

namespace sinter::codegen::llvm {

using ir::AtomKind;
using ir::DType;
using ir::IndexExpr;

namespace {

bool is_number(const Register& value, std::int64_t number) {
  return value.width == 1 && value.text == std::to_string(number);
}

Register number_register(std::int64_t value) { return {std::to_string(value), DType::I64, 1}; }

}  // namespace

bool ValueEmitter::depends_on_lanes(const IndexExpr& expr) const {
  const ScopeState& scope = scopes_.back();
  return scope.width > 1 && scope.lane_axis && depends_on(kernel_, expr, *scope.lane_axis);
}

/// Neutral operands vanish, for the reader of the output.
Register ValueEmitter::index_binary(const char* opcode, const Register& a, const Register& b) {
  const std::string_view name = opcode;
  if (name == "mul" && is_number(a, 1)) return b;
  if (name == "mul" && is_number(b, 1)) return a;
  if (name == "add" && is_number(a, 0)) return b;
  if (name == "add" && is_number(b, 0)) return a;
  const int width = std::max(a.width, b.width);
  const LaneWriter wide = lanes(width);
  return wide.binary(opcode, wide.widen(a), wide.widen(b));
}

std::string ValueEmitter::scalar_index(const IndexExpr& expr) {
  const Register result = index(expr);
  support::check(result.width == 1, "{} depends on the lane axis", ir::to_string(expr));
  return result.text;
}

Register ValueEmitter::index(const IndexExpr& expr) {
  Register sum = number_register(0);
  for (const ir::Term& term : expr.terms()) sum = index_binary("add", sum, index_term(term));
  return sum;
}

Register ValueEmitter::index_term(const ir::Term& term) {
  Register product = number_register(term.coefficient);
  for (const ir::Atom& factor : term.factors) {
    product = index_binary("mul", product, index_atom(factor));
  }
  return product;
}

Register ValueEmitter::index_atom(const ir::Atom& atom) {
  const ScopeState& scope = scopes_.back();
  switch (atom.kind) {
    case AtomKind::Size: return {out_.argument(argument_of_symbol(atom.name)), DType::I64, 1};
    case AtomKind::Axis: {
      const Register first = {value_of_axis(atom.axis), DType::I64, 1};
      if (scope.width == 1 || scope.lane_axis != atom.axis) return first;
      return index_binary("add", lanes(scope.width).lane_numbers(), first);
    }
    case AtomKind::Value: {
      const Register integer = value(atom.value);
      return emit_index_value(lanes(integer.width), integer);
    }
    case AtomKind::FloorDiv:
    case AtomKind::Mod: return index_division(atom);
    case AtomKind::Min:
    case AtomKind::Max: {
      const Register a = index(atom.operands[0]);
      const Register b = index(atom.operands[1]);
      const LaneWriter wide = lanes(std::max(a.width, b.width));
      const char* name = atom.kind == AtomKind::Min ? "llvm.smin" : "llvm.smax";
      return wide.call(name, {wide.widen(a), wide.widen(b)});
    }
  }
  support::throw_internal("an index atom of unknown kind");
}

/// Divisors are positive where the expression is used (index_expr.h); 0 gives x / 0 = 0 and
/// mod(x, 0) = x without undefined behaviour.
Register ValueEmitter::index_division(const ir::Atom& atom) {
  const bool is_mod = atom.kind == AtomKind::Mod;
  const Register a = index(atom.operands[0]);
  const Register b = index(atom.operands[1]);
  const LaneWriter wide = lanes(std::max(a.width, b.width));
  const Register dividend = wide.widen(a);
  const Register zero = wide.integer(DType::I64, 0);
  const bool is_plain = atom.operands[1].is_constant();
  Register divisor = wide.widen(b);
  Register is_zero;
  if (!is_plain) {
    is_zero = wide.compare("icmp eq", divisor, zero);
    divisor = wide.select(is_zero, wide.integer(DType::I64, 1), divisor);
  }
  const bool is_unsigned = ir::is_provably_nonnegative(atom.operands[0], kernel_.axis_extent());
  Register result;
  if (is_unsigned) {
    result = wide.binary(is_mod ? "urem" : "udiv", dividend, divisor);
  } else {
    const Register remainder = wide.binary("srem", dividend, divisor);
    const Register is_below = wide.compare("icmp slt", remainder, zero);
    if (is_mod) {
      result = wide.select(is_below, wide.binary("add", remainder, divisor), remainder);
    } else {
      const Register quotient = wide.binary("sdiv", dividend, divisor);
      result = wide.binary("add", quotient, wide.convert("sext", is_below, DType::I64));
    }
  }
  if (is_plain) return result;
  return wide.select(is_zero, is_mod ? dividend : zero, result);
}

}  // namespace sinter::codegen::llvm
