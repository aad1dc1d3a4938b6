// One case an operator. No fast-math flag is ever written: LLVM then neither reorders nor fuses.
#include "codegen/llvm/scalars.h"

#include <fmt/format.h>

#include "codegen/llvm/casts.h"
#include "codegen/llvm/integers.h"
#include "codegen/llvm/narrow_floats.h"
#include "support/check.h"

namespace sinter::codegen::llvm {

using ir::DType;
using ir::Op;

namespace {

bool is_float_register(const Register& value) {
  return value.dtype == DType::F32 || value.dtype == DType::F64;
}

/// NaN wins and +0.0 is above -0.0; llvm.maximum is not available on every target of LLVM 16.
Register emit_float_extreme(const LaneWriter& lanes, bool is_maximum, const Register& a,
                            const Register& b) {
  const DType bits = a.dtype == DType::F32 ? DType::U32 : DType::U64;
  const Register wins = lanes.compare(is_maximum ? "fcmp ogt" : "fcmp olt", a, b);
  const Register extreme = lanes.select(wins, a, b);
  // Equal numbers have equal bits unless they are zeros: then the signs decide.
  const Register same =
      lanes.convert("bitcast",
                    lanes.binary(is_maximum ? "and" : "or", lanes.convert("bitcast", a, bits),
                                 lanes.convert("bitcast", b, bits)),
                    a.dtype);
  const Register ordered = lanes.select(lanes.compare("fcmp oeq", a, b), same, extreme);
  // The comparison with NaN chose b.
  return lanes.select(lanes.compare("fcmp uno", a, a), a, ordered);
}

Register emit_extreme(const LaneWriter& lanes, bool is_maximum, const Register& a,
                      const Register& b) {
  if (is_float_register(a)) return emit_float_extreme(lanes, is_maximum, a, b);
  const std::string sign = ir::is_signed_integer(a.dtype) ? "s" : "u";
  return lanes.call("llvm." + sign + (is_maximum ? "max" : "min"), {a, b});
}

Register emit_compare(const LaneWriter& lanes, std::string_view float_condition,
                      std::string_view integer_condition, const Register& a, const Register& b) {
  if (is_float_register(a)) return lanes.compare(fmt::format("fcmp {}", float_condition), a, b);
  const bool is_equality = integer_condition == "eq" || integer_condition == "ne";
  const std::string_view sign = is_equality ? "" : (ir::is_signed_integer(a.dtype) ? "s" : "u");
  return lanes.compare(fmt::format("icmp {}{}", sign, integer_condition), a, b);
}

Register emit_abs(const LaneWriter& lanes, const Register& a) {
  if (is_float_register(a)) return lanes.call("llvm.fabs", {a});
  if (!ir::is_signed_integer(a.dtype)) return a;
  const Register zero = lanes.integer(a.dtype, 0);
  const Register is_negative = lanes.compare("icmp slt", a, zero);
  return lanes.select(is_negative, lanes.binary("sub", zero, a), a);
}

Register emit_negation(const LaneWriter& lanes, const Register& a) {
  if (!is_float_register(a)) return lanes.binary("sub", lanes.integer(a.dtype, 0), a);
  return lanes.assign("fneg", fmt::format("fneg {} {}", type_of(a), a.text), a.dtype);
}

/// Operands are in their compute type.
Register emit_compute(const LaneWriter& lanes, Op op, std::span<const Register> x,
                      const ir::Attributes& attributes) {
  const bool is_float = is_float_register(x[0]);
  switch (op) {
    case Op::Neg: return emit_negation(lanes, x[0]);
    case Op::Abs: return emit_abs(lanes, x[0]);
    case Op::Sqrt: return lanes.call("llvm.sqrt", {x[0]});
    case Op::Floor: return lanes.call("llvm.floor", {x[0]});
    case Op::Round: return lanes.call("llvm.roundeven", {x[0]});
    case Op::Not:
      if (x[0].dtype == DType::Bool) {
        return lanes.binary("xor", x[0], lanes.integer(DType::Bool, 1));
      }
      return lanes.binary("xor", x[0], lanes.integer(x[0].dtype, -1));
    case Op::Add: return lanes.binary(is_float ? "fadd" : "add", x[0], x[1]);
    case Op::Sub: return lanes.binary(is_float ? "fsub" : "sub", x[0], x[1]);
    case Op::Mul: return lanes.binary(is_float ? "fmul" : "mul", x[0], x[1]);
    case Op::Div: return lanes.binary("fdiv", x[0], x[1]);
    case Op::FloorDiv: return emit_floor_div(lanes, x[0], x[1]);
    case Op::Mod: return emit_mod(lanes, x[0], x[1]);
    case Op::Minimum: return emit_extreme(lanes, false, x[0], x[1]);
    case Op::Maximum: return emit_extreme(lanes, true, x[0], x[1]);
    case Op::And: return lanes.binary("and", x[0], x[1]);
    case Op::Or: return lanes.binary("or", x[0], x[1]);
    case Op::Xor: return lanes.binary("xor", x[0], x[1]);
    case Op::ShiftLeft: return emit_shift_left(lanes, x[0], x[1]);
    case Op::ShiftRight: return emit_shift_right(lanes, x[0], x[1]);
    case Op::Eq: return emit_compare(lanes, "oeq", "eq", x[0], x[1]);
    case Op::Ne: return emit_compare(lanes, "une", "ne", x[0], x[1]);
    case Op::Lt: return emit_compare(lanes, "olt", "lt", x[0], x[1]);
    case Op::Le: return emit_compare(lanes, "ole", "le", x[0], x[1]);
    case Op::Gt: return emit_compare(lanes, "ogt", "gt", x[0], x[1]);
    case Op::Ge: return emit_compare(lanes, "oge", "ge", x[0], x[1]);
    case Op::Select: return lanes.select(x[0], x[1], x[2]);
    case Op::Fma: return lanes.call("llvm.fma", {x[0], x[1], x[2]});
    case Op::Cast:
      return emit_cast_operator(lanes, x[0], attributes.get<DType>(ir::AttributeName::DType));
    case Op::Bitcast:
      return emit_bitcast(lanes, x[0], attributes.get<DType>(ir::AttributeName::DType));
#define SINTER_EXPANSION(name, make) case Op::name:
#include "codegen/expand/expansions.def"
#undef SINTER_EXPANSION
      support::throw_internal("{} reached LLVM emission without expansion", to_string(op));
#include "ir/cases_not_scalar.def"
    case Op::Constant:
    case Op::None: break;
  }
  support::throw_internal("{} is not a scalar operator", to_string(op));
}

}  // namespace

Register emit_limit(const LaneWriter& lanes, Op op, const Register& value,
                    const Register& constant) {
  // NaN is neither below nor above and stays.
  const char* condition = op == Op::Minimum ? "fcmp olt" : "fcmp ogt";
  return lanes.select(lanes.compare(condition, constant, value), constant, value);
}

Register emit_scalar(const LaneWriter& lanes, Op op, std::span<const Register> operands,
                     const ir::Attributes& attributes) {
  // These move bits: a narrow float stays as it is.
  const bool keeps_bits = op == Op::Select || ir::info(op).op_class == ir::OpClass::Cast;
  if (keeps_bits) return emit_compute(lanes, op, operands, attributes);
  std::vector<Register> wide;
  for (const Register& operand : operands) wide.push_back(emit_compute_value(lanes, operand));
  const Register result = emit_compute(lanes, op, wide, attributes);
  const DType narrow = operands[0].dtype;
  const bool rounds = ir::is_narrow_float(narrow) && result.dtype != DType::Bool;
  return rounds ? round_to_narrow(lanes, result, narrow) : result;
}

}  // namespace sinter::codegen::llvm
