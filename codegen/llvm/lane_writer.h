// Instructions on registers of one width: the same code emits scalars and vectors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/llvm/function_writer.h"
#include "codegen/llvm/registers.h"

namespace sinter::codegen::llvm {

class LaneWriter {
 public:
  /// `has_f16c`: conversions between f16 and f32 are instructions of the target.
  LaneWriter(FunctionWriter& out, int width, bool has_f16c)
      : out_(out), width_(width), has_f16c_(has_f16c) {}

  FunctionWriter& out() const { return out_; }
  int width() const { return width_; }
  bool has_f16c() const { return has_f16c_; }
  LaneWriter with_width(int width) const { return {out_, width, has_f16c_}; }

  /// The literal in every lane.
  Register constant(const ir::Literal& literal) const;
  Register integer(ir::DType dtype, std::int64_t value) const;
  Register number(ir::DType dtype, double value) const;
  /// A scalar in every lane; a register of this width as it stands.
  Register widen(const Register& value) const;

  /// "opcode type a, b".
  Register binary(std::string_view opcode, const Register& a, const Register& b) const;
  /// "icmp slt", "fcmp olt", ...: gives bool.
  Register compare(std::string_view opcode, const Register& a, const Register& b) const;
  Register select(const Register& condition, const Register& yes, const Register& no) const;
  /// "sext", "fptrunc", "bitcast", ...; `a` itself where neither type nor width changes.
  Register convert(std::string_view opcode, const Register& a, ir::DType dtype) const;
  /// A call of @intrinsic, overloaded on the operands' type.
  Register call(std::string_view intrinsic, const std::vector<Register>& operands) const;
  /// The sum of an integer vector's lanes, a scalar.
  Register sum_lanes(const Register& vector) const;
  /// Any instruction that gives `dtype`.
  Register assign(std::string_view hint, const std::string& text, ir::DType dtype) const;

  /// Scalar of lane `lane`.
  Register extract(const Register& vector, int lane) const;
  /// [0, 1, 2, ...] as i64.
  Register lane_numbers() const;

 private:
  FunctionWriter& out_;
  int width_;
  bool has_f16c_;
};

}  // namespace sinter::codegen::llvm
