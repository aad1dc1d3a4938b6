// Small integers and f8 with a scale, for a whole tensor, for each index of one axis or for groups of
// them; pairs of 4 bits in a byte.
#include <cmath>

#include "ir/define/composite.h"
#include "ir/define/indices.h"
#include "ir/define/window.h"

namespace sinter::ir {

namespace {

/// Operand `index`, of one element for each `group` along the axis.
Expr grouped_parameter(const Call& call, std::size_t index, std::int64_t axis, std::int64_t group) {
  const Expr& value = call[index];
  const Expr& a = call[0];
  if (group < 1) call.fail("group {} is below 1", group);
  if (axis < 0 || axis >= static_cast<std::int64_t>(a.rank())) {
    call.fail("group needs an axis of {}; given {}", to_string(a.type()), axis);
  }
  const Dim groups = floor_div(a.extent(axis) + (group - 1), group);
  const Shape shape = with_extent(a.shape(), axis, groups);
  bool fits = value.rank() == a.rank();
  for (std::size_t d = 0; fits && d < shape.size(); ++d) {
    fits = value.shape()[d] == Dim(1) || !is_provably_different(value.shape()[d], shape[d]);
  }
  if (!fits) {
    call.fail("operand {} must have rank 0 or the shape {}, of groups of {}; given {}", index,
              to_string(shape), group, to_string(value.type()));
  }
  const Expr place = index_along(a, axis, a.extent(axis), a.rank());
  return gather_along(broadcast_to(value, shape), axis, floor_div(place, group), a.shape());
}

/// Operand `index`: of rank 0, along attribute axis, or of groups along it.
Expr parameter(const Call& call, std::size_t index) {
  const Expr& value = call[index];
  const Expr& a = call[0];
  if (value.rank() == 0) return value;
  const auto axis = call.attributes().get_or<std::int64_t>(AttributeName::Axis, -1);
  if (call.attributes().find(AttributeName::Group)) {
    const auto group = call.attributes().get<std::int64_t>(AttributeName::Group);
    return grouped_parameter(call, index, axis, group);
  }
  const bool has_axis = axis >= 0 && axis < static_cast<std::int64_t>(a.rank());
  if (value.rank() != 1 || !has_axis || is_provably_different(value.extent(0), a.extent(axis))) {
    call.fail(
        "operand {} must have rank 0, or rank 1 and the extent of attribute axis; given {} beside "
        "{}",
        index, to_string(call.given(index)), to_string(call.given(0)));
  }
  Shape shape(a.rank(), Dim(1));
  shape[static_cast<std::size_t>(axis)] = a.extent(axis);
  return reshape(value, shape);
}

Expr scale_of(const Call& call) {
  if (!is_float(call[1].dtype())) {
    call.fail("the scale must be floating; given {}", to_string(call.given(1)));
  }
  return parameter(call, 1);
}

void check_zero_point(const Call& call, bool is_allowed) {
  if (call.size() < 3) return;
  if (!is_allowed) call.fail("f8 has no zero point");
  if (is_integer(call[2].dtype())) return;
  call.fail("the zero point must be an integer; given {}", to_string(call.given(2)));
}

bool is_f8(DType dtype) { return is_float(dtype) && bits(dtype) == 8; }

bool is_small_integer(DType dtype) { return is_integer(dtype) && bits(dtype) <= 16; }

/// Saturated to attribute bits of `dtype`, where that is given.
Expr saturate(const Call& call, const Expr& value, DType dtype) {
  if (!call.attributes().find(AttributeName::Bits)) return value;
  const auto width = call.attributes().get<std::int64_t>(AttributeName::Bits);
  if (!is_integer(dtype) || width < 1 || width > bits(dtype)) {
    call.fail("bits {} of {}; a number up to the width of an integer is needed", width,
              to_string(dtype));
  }
  const bool is_signed = is_signed_integer(dtype);
  const double span = std::exp2(static_cast<double>(is_signed ? width - 1 : width));
  return minimum(maximum(value, is_signed ? -span : 0), span - 1);
}

}  // namespace

template <>
Exprs define<Op::Quantize>(const Call& call) {
  call.need_operands(2, 3);
  const auto dtype = call.attributes().get<DType>(AttributeName::DType);
  if (!is_f8(dtype) && !is_small_integer(dtype)) {
    call.fail("dtype {} is none of i8, u8, i16, u16, f8e4m3, f8e5m2", to_string(dtype));
  }
  const Expr scale = scale_of(call);
  if (call.given(1).dtype != call.dtype()) {
    call.fail("the scale must be {}; given {}", to_string(call.dtype()), to_string(call.given(1)));
  }
  check_zero_point(call, is_integer(dtype));
  Expr value = call[0] / scale;
  if (is_integer(dtype)) value = make_node(Op::Round, {value});
  if (call.size() > 2) value = value + cast(parameter(call, 2), value.dtype());
  return {cast(saturate(call, value, dtype), dtype)};
}

template <>
Exprs define<Op::Dequantize>(const Call& call) {
  call.need_operands(2, 3);
  const auto dtype = call.attributes().get<DType>(AttributeName::DType);
  if (!is_float(dtype)) call.fail("dtype {} is not floating", to_string(dtype));
  if (!is_f8(call.dtype()) && !is_small_integer(call.dtype())) {
    call.fail("it takes i8, u8, i16, u16, f8e4m3 or f8e5m2; given {}", to_string(call.dtype()));
  }
  const DType compute = compute_dtype(dtype);
  check_zero_point(call, is_integer(call.dtype()));
  Expr value = cast(call[0], compute);
  if (call.size() > 2) value = value - cast(parameter(call, 2), compute);
  return {value * cast(scale_of(call), compute)};
}

template <>
Exprs define<Op::Pack4>(const Call& call) {
  const Expr& a = call[0];
  const std::int64_t axis = call.axis();
  const Dim half = floor_div(a.extent(axis), 2);
  if (a.extent(axis) != half * 2) {
    call.fail("dimension {} of {} cannot be halved", axis, to_string(a.type()));
  }
  const auto half_byte = [&](std::int64_t first) {
    return cast(slice(a, axis, first, half, 2), DType::U8) & 15;
  };
  return {half_byte(0) | (half_byte(1) << 4)};
}

template <>
Exprs define<Op::Unpack4>(const Call& call) {
  const Expr& a = call[0];
  const std::int64_t axis = call.axis();
  const auto variant = call.attributes().get_or<std::string>(AttributeName::Variant, "signed");
  if (variant != "signed" && variant != "unsigned") {
    call.fail("variant '{}' is none of signed, unsigned", variant);
  }
  if (a.dtype() != DType::U8) call.fail("it takes u8; given {}", to_string(a.type()));
  const Shape shape = with_extent(a.shape(), axis, a.extent(axis) * 2);
  const Expr place = index_along(a, axis, a.extent(axis) * 2, a.rank());
  const Expr byte = gather_along(a, axis, floor_div(place, 2), shape);
  const Expr half = (byte >> cast(mod(place, 2) * 4, DType::U8)) & 15;
  if (variant == "unsigned") return {half};
  return {cast(half ^ 8, DType::I8) - 8};
}

}  // namespace sinter::ir
