// One table with every fact about element types.
#include "ir/dtype.h"

#include <array>

namespace sinter {

namespace {

enum class Kind : std::uint8_t { Bool, Signed, Unsigned, Float };

struct Row {
  DType dtype;
  std::string_view text;
  int bits;
  Kind kind;
  int significand_bits;  // with the hidden one; 0 for integers
};

constexpr std::array<Row, kDTypeCount> kRows = {{
    {DType::Bool, "bool", 8, Kind::Bool, 0},
    {DType::I8, "i8", 8, Kind::Signed, 0},
    {DType::I16, "i16", 16, Kind::Signed, 0},
    {DType::I32, "i32", 32, Kind::Signed, 0},
    {DType::I64, "i64", 64, Kind::Signed, 0},
    {DType::U8, "u8", 8, Kind::Unsigned, 0},
    {DType::U16, "u16", 16, Kind::Unsigned, 0},
    {DType::U32, "u32", 32, Kind::Unsigned, 0},
    {DType::U64, "u64", 64, Kind::Unsigned, 0},
    {DType::F8E4M3, "f8e4m3", 8, Kind::Float, 4},
    {DType::F8E5M2, "f8e5m2", 8, Kind::Float, 3},
    {DType::F16, "f16", 16, Kind::Float, 11},
    {DType::BF16, "bf16", 16, Kind::Float, 8},
    {DType::F32, "f32", 32, Kind::Float, 24},
    {DType::F64, "f64", 64, Kind::Float, 53},
}};

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].dtype) != i) return false;
  }
  return true;
}
static_assert(rows_are_in_order());

const Row& row(DType dtype) { return kRows[static_cast<std::size_t>(dtype)]; }

}  // namespace

std::string_view to_string(DType dtype) { return row(dtype).text; }

std::size_t size_bytes(DType dtype) { return static_cast<std::size_t>(row(dtype).bits) / 8; }

namespace ir {

bool is_float(DType dtype) { return row(dtype).kind == Kind::Float; }

bool is_integer(DType dtype) {
  return row(dtype).kind == Kind::Signed || row(dtype).kind == Kind::Unsigned;
}

bool is_signed_integer(DType dtype) { return row(dtype).kind == Kind::Signed; }

bool is_narrow_float(DType dtype) { return is_float(dtype) && row(dtype).bits < 32; }

int bits(DType dtype) { return row(dtype).bits; }

DType compute_dtype(DType dtype) { return is_narrow_float(dtype) ? DType::F32 : dtype; }

DType sum_dtype(DType dtype) {
  if (is_float(dtype)) return dtype;
  return row(dtype).kind == Kind::Unsigned ? DType::U64 : DType::I64;
}

int significand_bits(DType dtype) { return row(dtype).significand_bits; }

bool is_lossless_cast(DType from, DType to) {
  if (from == to || from == DType::Bool) return true;
  if (is_float(from)) return is_float(to) && bits(to) > bits(from);
  const int value_bits = bits(from) - (is_signed_integer(from) ? 1 : 0);
  if (is_float(to)) return value_bits <= significand_bits(to);
  if (is_signed_integer(to)) return value_bits <= bits(to) - 1;
  return !is_signed_integer(from) && is_integer(to) && value_bits <= bits(to);
}

std::optional<DType> parse_dtype(std::string_view text) {
  for (const Row& candidate : kRows) {
    if (candidate.text == text) return candidate.dtype;
  }
  return std::nullopt;
}

}  // namespace ir
}  // namespace sinter
