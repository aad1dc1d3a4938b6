// Every narrow number, and random wide ones.
#include "tests/support/ulp_inputs.h"

#include <algorithm>
#include <limits>

namespace sinter::tests {

using ir::DType;

namespace {

std::vector<std::uint64_t> special_bits(DType dtype) {
  const bool is_wide = dtype == DType::F64;
  const double smallest_normal = is_wide ? 0x1p-1022 : 0x1p-126;
  const double largest = is_wide ? std::numeric_limits<double>::max() : 0x1.fffffep127;
  std::vector<std::uint64_t> bits{1, std::uint64_t{1} << (ir::bits(dtype) - 1) | 1};
  for (const double x : {0.0, 0.5, 1.0, 2.0, 3.0, smallest_normal, largest, HUGE_VAL}) {
    bits.push_back(ir::encode_float(dtype, x));
    bits.push_back(ir::encode_float(dtype, -x));
  }
  bits.push_back(ir::encode_float(dtype, std::nan("")));
  return bits;
}

}  // namespace

UlpInputs::UlpInputs(const FunctionCase& c, DType dtype, std::uint64_t f32_count,
                     std::uint64_t seed)
    : dtype_(dtype),
      range_(dtype == DType::F64 ? c.f64 : c.f32),
      special_bits_(special_bits(dtype)),
      random_(seed * 4096 + static_cast<std::uint64_t>(c.op) * 16 +
              static_cast<std::uint64_t>(dtype)) {
  const int all_bits = ir::bits(dtype) * ir::info(c.op).arity;
  is_exhaustive_ = all_bits <= 16;
  const std::uint64_t share = dtype == DType::F64 ? 100 : dtype == DType::F32 ? 1 : 10;
  size_ =
      is_exhaustive_ ? std::uint64_t{1} << all_bits : std::max<std::uint64_t>(f32_count / share, 1);
}

std::size_t UlpInputs::fill(std::vector<Numbers>& operands) {
  const std::uint64_t left = size_ - done_;
  const std::size_t count = std::min<std::uint64_t>(left, operands[0].size());
  const auto width = static_cast<unsigned>(ir::bits(dtype_));
  for (std::size_t i = 0; i < count; ++i, ++done_) {
    for (unsigned o = 0; o < operands.size(); ++o) {
      operands[o].set_bits(i, is_exhaustive_ ? done_ >> (o * width) : next_bits());
    }
  }
  return count;
}

std::uint64_t UlpInputs::next_bits() {
  const std::uint64_t kind = random_.next() % 16;
  if (kind < 8) return random_.next() >> (64 - ir::bits(dtype_));
  if (kind == 8) return random_.pick(special_bits_);
  if (kind < 13) {
    const double value = range_.low + (range_.high - range_.low) * random_.uniform();
    return ir::encode_float(dtype_, value);
  }
  const double size = std::ldexp(1 + random_.uniform(), static_cast<int>(random_.between(-12, 7)));
  return ir::encode_float(dtype_, random_.chance(0.5) ? -size : size);
}

}  // namespace sinter::tests
