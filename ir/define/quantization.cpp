// Small integers and f8 with a scale, for a whole tensor or for each index of one axis.
#include "ir/define/composite.h"

namespace sinter::ir {

namespace {

/// Operand `index`: of rank 0, or along attribute axis.
Expr parameter(const Call& call, std::size_t index) {
  const Expr& value = call[index];
  const Expr& a = call[0];
  if (value.rank() == 0) return value;
  const auto axis = call.attributes().get_or<std::int64_t>(AttributeName::Axis, -1);
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
  return {cast(value, dtype)};
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

}  // namespace sinter::ir
