// The exhaustive switch; a new operator of ops.def is a compile error here. Integer arithmetic goes
// through unsigned types, where overflow wraps by the language's rules.
#include "codegen/cuda/scalars.h"

#include <vector>

#include "codegen/cuda/native_functions.h"
#include "codegen/cuda/types.h"
#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::DType;
using ir::Op;

/// Writes one operator; its operands are already in their compute type.
class ScalarWriter {
 public:
  ScalarWriter(std::span<const ScalarText> operands, PieceSet& pieces) : pieces_(pieces) {
    for (const ScalarText& operand : operands) {
      compute_ = ir::compute_dtype(operand.dtype);
      texts_.push_back(emit_cast(operand.text, operand.dtype, compute_, pieces));
    }
  }

  const std::string& text(std::size_t operand) const { return texts_.at(operand); }
  DType compute() const { return compute_; }

  bool is_float() const { return ir::is_float(compute_); }
  bool is_bool() const { return compute_ == DType::Bool; }
  bool is_f64() const { return compute_ == DType::F64; }

  std::string infix(const char* symbol) const { return text(0) + " " + symbol + " " + text(1); }

  /// (i32)((u32)a + (u32)b): wraps. Bits above the width never reach those below.
  std::string arithmetic(const char* symbol) const {
    if (is_float()) return infix(symbol);
    return narrowed("(" + wide() + ")" + text(0) + " " + symbol + " (" + wide() + ")" + text(1));
  }

  std::string negate() const {
    if (is_float()) return "-" + text(0);
    return narrowed("0 - (" + wide() + ")" + text(0));
  }

  std::string absolute() const {
    if (is_float()) return call(is_f64() ? "fabs" : "fabsf");
    if (!ir::is_signed_integer(compute_)) return text(0);
    return text(0) + " < 0 ? " + negate() + " : " + text(0);
  }

  std::string logic(const char* bitwise, const char* logical) const {
    return is_bool() ? infix(logical) : narrowed(infix(bitwise));
  }

  std::string complement() const { return is_bool() ? "!" + text(0) : narrowed("~" + text(0)); }

  std::string extremum(const std::string& name, const char* symbol) const {
    if (is_float()) return call(pieces_.use(name + (is_f64() ? "_f64" : "_f32")));
    return infix(symbol) + " ? " + text(0) + " : " + text(1);
  }

  std::string divide(const char* signed_piece, const char* unsigned_piece) const {
    return call(pieces_.use(ir::is_signed_integer(compute_) ? signed_piece : unsigned_piece));
  }

  std::string call(const std::string& function) const {
    std::string joined;
    for (const std::string& operand : texts_) joined += (joined.empty() ? "" : ", ") + operand;
    return function + "(" + joined + ")";
  }
  std::string call(const char* f32_name, const char* f64_name) const {
    return call(std::string(is_f64() ? f64_name : f32_name));
  }
  std::string piece_call(std::string_view name) const { return call(pieces_.use(name)); }

 private:
  std::string wide() const { return pieces_.use(ir::bits(compute_) > 32 ? "u64" : "u32"); }
  std::string narrowed(const std::string& value) const {
    return "(" + value_type(compute_, pieces_) + ")(" + value + ")";
  }

  PieceSet& pieces_;
  std::vector<std::string> texts_;
  DType compute_ = DType::F32;
};

/// The expression in the operands' compute type (bool for comparisons).
std::string emit_computed(Op op, const ScalarWriter& in) {
  switch (op) {
    case Op::Neg: return in.negate();
    case Op::Abs: return in.absolute();
    case Op::Sqrt: return in.call("__fsqrt_rn", "__dsqrt_rn");
    case Op::Floor: return in.call("floorf", "floor");
    case Op::Round: return in.call("rintf", "rint");
    case Op::Not: return in.complement();
    case Op::Add: return in.arithmetic("+");
    case Op::Sub: return in.arithmetic("-");
    case Op::Mul: return in.arithmetic("*");
    case Op::Div: return in.infix("/");
    case Op::FloorDiv: return in.divide("floor_div_signed", "div_or_zero");
    case Op::Mod: return in.divide("floor_mod_signed", "mod_or_self");
    case Op::Minimum: return in.extremum("minimum", "<");
    case Op::Maximum: return in.extremum("maximum", ">");
    case Op::And: return in.logic("&", "&&");
    case Op::Or: return in.logic("|", "||");
    case Op::Xor: return in.logic("^", "!=");
    case Op::ShiftLeft: return in.piece_call("shift_left");
    case Op::ShiftRight: return in.piece_call("shift_right");
    case Op::Eq: return in.infix("==");
    case Op::Ne: return in.infix("!=");
    case Op::Lt: return in.infix("<");
    case Op::Le: return in.infix("<=");
    case Op::Gt: return in.infix(">");
    case Op::Ge: return in.infix(">=");
    case Op::Fma: return in.call("__fmaf_rn", "__fma_rn");
    // These look at their operands' own types: see emit_scalar.
    case Op::Select:
    case Op::Cast:
    case Op::Bitcast:
      break;
      // These have expansions into the operators above (codegen/expand), or are native_functions.
#define SINTER_EXPANSION(name, make) case Op::name:
#include "codegen/expand/expansions.def"
#undef SINTER_EXPANSION
      break;
      // These are no scalar operators.
#include "ir/cases_not_scalar.def"
    case Op::Constant:
    case Op::None: break;
  }
  support::throw_internal("CUDA has no scalar text for operator '{}'", ir::to_string(op));
}

/// The operator also converts to the operand's own type, where f8e5m2 saturates its infinities.
std::string emit_cast_operator(const ScalarText& operand, DType result, PieceSet& pieces) {
  if (operand.dtype != result || result != DType::F8E5M2) {
    return emit_cast(operand.text, operand.dtype, result, pieces);
  }
  const std::string wide = emit_cast(operand.text, result, DType::F32, pieces);
  return emit_cast(wide, DType::F32, result, pieces);
}

}  // namespace

std::string emit_scalar(Op op, std::span<const ScalarText> operands, DType result,
                        PieceSet& pieces) {
  const ScalarText& first = operands.front();
  if (op == Op::Cast) return emit_cast_operator(first, result, pieces);
  if (op == Op::Bitcast) return emit_bitcast(first.text, first.dtype, result, pieces);
  if (op == Op::Select) {
    return first.text + " ? " + operands[1].text + " : " + operands[2].text;
  }
  const ScalarWriter writer(operands, pieces);
  const std::string native = native_function(op, first.dtype, pieces.native());
  const std::string computed =
      native.empty() ? emit_computed(op, writer) : writer.piece_call(native);
  if (!ir::is_narrow_float(result)) return computed;
  return emit_cast("(" + computed + ")", DType::F32, result, pieces);
}

std::string emit_multiply_add(const ScalarText& a, const ScalarText& b, const ScalarText& c,
                              PieceSet& pieces) {
  const std::string left = emit_cast(a.text, a.dtype, c.dtype, pieces);
  const std::string right = emit_cast(b.text, b.dtype, c.dtype, pieces);
  const ScalarText factors[] = {{left, c.dtype}, {right, c.dtype}, c};
  if (ir::is_float(c.dtype)) return emit_scalar(Op::Fma, factors, c.dtype, pieces);
  const std::string product = emit_scalar(Op::Mul, std::span(factors).first(2), c.dtype, pieces);
  const ScalarText terms[] = {c, {"(" + product + ")", c.dtype}};
  return emit_scalar(Op::Add, terms, c.dtype, pieces);
}

}  // namespace sinter::codegen::cuda
