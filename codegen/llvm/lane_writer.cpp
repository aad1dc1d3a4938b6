// Instructions on registers of one width.
#include "codegen/llvm/lane_writer.h"

#include <fmt/format.h>

#include "support/check.h"

namespace sinter::codegen::llvm {

using ir::DType;

namespace {

/// "<8 x float> %x".
std::string typed(const Register& value) { return type_of(value) + " " + value.text; }

}  // namespace

Register LaneWriter::constant(const ir::Literal& literal) const {
  const std::string text = lane_text(literal);
  if (width_ == 1) return {text, literal.dtype, 1};
  const std::string type = vector_type(lane_type(literal.dtype), width_);
  const std::string lane = lane_type(literal.dtype);
  const std::string first =
      fmt::format("insertelement ({} poison, {} {}, i64 0)", type, lane, text);
  const std::string instruction =
      fmt::format("shufflevector {} {}, {} poison, ", type, first, type) +
      fmt::format("<{} x i32> zeroinitializer", width_);
  return {out_.assign_at_entry("all." + text, instruction), literal.dtype, width_};
}

Register LaneWriter::integer(DType dtype, std::int64_t value) const {
  return constant(ir::make_integer_literal(dtype, value));
}

Register LaneWriter::number(DType dtype, double value) const {
  return constant(ir::make_literal(dtype, value));
}

Register LaneWriter::widen(const Register& value) const {
  if (value.width == width_) return value;
  support::check(value.width == 1, "a register of {} lanes among {}", value.width, width_);
  const std::string type = vector_type(lane_type(value.dtype), width_);
  const Register first = assign(
      "first", fmt::format("insertelement {} poison, {}, i64 0", type, typed(value)), value.dtype);
  return assign("all",
                fmt::format("shufflevector {} {}, {} poison, ", type, first.text, type) +
                    fmt::format("<{} x i32> zeroinitializer", width_),
                value.dtype);
}

Register LaneWriter::assign(std::string_view hint, const std::string& text, DType dtype) const {
  return {out_.assign(hint, text), dtype, width_};
}

Register LaneWriter::binary(std::string_view opcode, const Register& a, const Register& b) const {
  return assign(opcode, fmt::format("{} {}, {}", opcode, typed(a), b.text), a.dtype);
}

Register LaneWriter::compare(std::string_view opcode, const Register& a, const Register& b) const {
  const std::string_view hint = opcode.substr(opcode.find(' ') + 1);
  return assign(hint, fmt::format("{} {}, {}", opcode, typed(a), b.text), DType::Bool);
}

Register LaneWriter::select(const Register& condition, const Register& yes,
                            const Register& no) const {
  return assign("select", fmt::format("select {}, {}, {}", typed(condition), typed(yes), typed(no)),
                yes.dtype);
}

Register LaneWriter::convert(std::string_view opcode, const Register& a, DType dtype) const {
  if (lane_type(a.dtype) == lane_type(dtype)) return {a.text, dtype, a.width};
  const std::string to = vector_type(lane_type(dtype), width_);
  return assign(opcode, fmt::format("{} {} to {}", opcode, typed(a), to), dtype);
}

Register LaneWriter::call(std::string_view intrinsic, const std::vector<Register>& operands) const {
  const DType dtype = operands.front().dtype;
  const std::string type = type_of(operands.front());
  std::string types, values;
  for (const Register& operand : operands) {
    types += (types.empty() ? "" : ", ") + type_of(operand);
    values += (values.empty() ? "" : ", ") + typed(operand);
  }
  const std::string name = fmt::format("@{}.{}", intrinsic, intrinsic_suffix(dtype, width_));
  out_.declare(fmt::format("declare {} {}({})", type, name, types));
  const std::string_view hint = intrinsic.substr(intrinsic.find('.') + 1);
  return assign(hint, fmt::format("call {} {}({})", type, name, values), dtype);
}

Register LaneWriter::sum_lanes(const Register& vector) const {
  if (vector.width == 1) return vector;
  const LaneWriter scalar = with_width(1);
  const std::string type = type_of(Register{vector.text, vector.dtype, 1});
  const std::string name =
      fmt::format("@llvm.vector.reduce.add.{}", intrinsic_suffix(vector.dtype, vector.width));
  out_.declare(fmt::format("declare {} {}({})", type, name, type_of(vector)));
  return scalar.assign("sum", fmt::format("call {} {}({})", type, name, typed(vector)),
                       vector.dtype);
}

Register LaneWriter::extract(const Register& vector, int lane) const {
  if (vector.width == 1) return vector;
  const std::string text = fmt::format("extractelement {}, i64 {}", typed(vector), lane);
  return {out_.assign("lane", text), vector.dtype, 1};
}

Register LaneWriter::lane_numbers() const {
  if (width_ == 1) return {"0", DType::I64, 1};
  std::string lanes;
  for (int lane = 0; lane < width_; ++lane) {
    lanes += fmt::format("{}i64 {}", lane == 0 ? "" : ", ", lane);
  }
  const std::string type = vector_type("i64", width_);
  const std::string text = fmt::format("add {} zeroinitializer, <{}>", type, lanes);
  return {out_.assign_at_entry("lane_numbers", text), DType::I64, width_};
}

}  // namespace sinter::codegen::llvm
