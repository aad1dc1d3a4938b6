// Conversions: one rounding each, also from 64-bit integers and f64 to narrow floats.
#include "codegen/llvm/casts.h"

#include <fmt/format.h>

#include "codegen/llvm/narrow_floats.h"

namespace sinter::codegen::llvm {

using ir::DType;

namespace {

Register cast_to_bool(const LaneWriter& lanes, const Register& value) {
  if (!ir::is_float(value.dtype)) {
    return lanes.compare("icmp ne", value, lanes.integer(value.dtype, 0));
  }
  const Register wide = emit_compute_value(lanes, value);
  return lanes.compare("fcmp une", wide, lanes.number(wide.dtype, 0.0));
}

Register cast_integer(const LaneWriter& lanes, const Register& value, DType dtype) {
  const int from = ir::bits(value.dtype);
  const int to = ir::bits(dtype);
  if (to < from) return lanes.convert("trunc", value, dtype);
  return lanes.convert(ir::is_signed_integer(value.dtype) ? "sext" : "zext", value, dtype);
}

Register cast_float_to_integer(const LaneWriter& lanes, const Register& value, DType dtype) {
  const Register wide = emit_compute_value(lanes, value);
  const std::string to = vector_type(lane_type(dtype), lanes.width());
  const std::string name =
      fmt::format("@llvm.fpto{}i.sat.{}", ir::is_signed_integer(dtype) ? "s" : "u",
                  intrinsic_suffix(dtype, lanes.width())) +
      "." + intrinsic_suffix(wide.dtype, lanes.width());
  lanes.out().declare(fmt::format("declare {} {}({})", to, name, type_of(wide)));
  return lanes.assign("saturated",
                      fmt::format("call {} {}({} {})", to, name, type_of(wide), wide.text), dtype);
}

/// An integer of 64 bits as f64 whose lowest bits stand for all that were lost: still on the same
/// side of every number that a narrow float can round to.
Register cast_wide_integer_to_f64(const LaneWriter& lanes, const Register& value) {
  const bool is_signed = ir::is_signed_integer(value.dtype);
  const auto integer = [&](std::int64_t number) { return lanes.integer(value.dtype, number); };
  const Register high = lanes.binary(is_signed ? "ashr" : "lshr", value, integer(16));
  const Register low = lanes.binary("and", value, integer(0xffff));
  const Register sticky =
      lanes.convert("zext", lanes.compare("icmp ne", low, integer(0)), value.dtype);
  const Register marked = lanes.binary("or", high, sticky);
  const Register scaled =
      lanes.binary("fmul", lanes.convert(is_signed ? "sitofp" : "uitofp", marked, DType::F64),
                   lanes.number(DType::F64, 65536.0));
  // Below 2^47 nothing is lost in f64.
  const Register exact = lanes.convert(is_signed ? "sitofp" : "uitofp", value, DType::F64);
  const Register is_small =
      lanes.compare("fcmp olt", lanes.call("llvm.fabs", {exact}), lanes.number(DType::F64, 0x1p47));
  return lanes.select(is_small, exact, scaled);
}

Register cast_integer_to_float(const LaneWriter& lanes, const Register& value, DType dtype) {
  const std::string_view opcode = ir::is_signed_integer(value.dtype) ? "sitofp" : "uitofp";
  if (!ir::is_narrow_float(dtype)) return lanes.convert(opcode, value, dtype);
  if (ir::bits(value.dtype) <= 16) {
    return round_to_narrow(lanes, lanes.convert(opcode, value, DType::F32), dtype);
  }
  const Register wide = ir::bits(value.dtype) == 32 ? lanes.convert(opcode, value, DType::F64)
                                                    : cast_wide_integer_to_f64(lanes, value);
  return emit_cast(lanes, wide, dtype);
}

Register cast_float(const LaneWriter& lanes, const Register& value, DType dtype) {
  if (ir::is_narrow_float(value.dtype)) {
    return emit_cast(lanes, widen_narrow(lanes, value), dtype);
  }
  if (dtype == DType::F64) return lanes.convert("fpext", value, dtype);
  if (dtype == DType::F32) return lanes.convert("fptrunc", value, dtype);
  const bool is_f64 = value.dtype == DType::F64;
  return round_to_narrow(lanes, is_f64 ? round_to_odd(lanes, value) : value, dtype);
}

}  // namespace

Register emit_bitcast(const LaneWriter& lanes, const Register& value, DType dtype) {
  if (value.dtype == dtype) return value;
  const bool from_bool = value.dtype == DType::Bool;
  const Register bits = from_bool ? lanes.convert("zext", value, DType::U8) : value;
  if (dtype != DType::Bool) return lanes.convert("bitcast", bits, dtype);
  const Register byte = lanes.convert("bitcast", bits, DType::U8);
  return lanes.compare("icmp ne", byte, lanes.integer(DType::U8, 0));
}

Register emit_compute_value(const LaneWriter& lanes, const Register& value) {
  return ir::is_narrow_float(value.dtype) ? widen_narrow(lanes, value) : value;
}

Register emit_index_value(const LaneWriter& lanes, const Register& value) {
  return emit_cast(lanes, value, DType::I64);
}

Register emit_cast_operator(const LaneWriter& lanes, const Register& value, DType dtype) {
  const bool is_own_type = value.dtype == dtype && dtype == DType::F8E5M2;
  return emit_cast(lanes, is_own_type ? widen_narrow(lanes, value) : value, dtype);
}

Register emit_cast(const LaneWriter& lanes, const Register& value, DType dtype) {
  if (value.dtype == dtype) return value;
  if (dtype == DType::Bool) return cast_to_bool(lanes, value);
  if (value.dtype == DType::Bool) {
    if (!ir::is_float(dtype)) return lanes.convert("zext", value, dtype);
    return lanes.select(value, lanes.number(dtype, 1.0), lanes.number(dtype, 0.0));
  }
  const bool from_float = ir::is_float(value.dtype);
  const bool to_float = ir::is_float(dtype);
  if (from_float) {
    return to_float ? cast_float(lanes, value, dtype) : cast_float_to_integer(lanes, value, dtype);
  }
  return to_float ? cast_integer_to_float(lanes, value, dtype) : cast_integer(lanes, value, dtype);
}

}  // namespace sinter::codegen::llvm
