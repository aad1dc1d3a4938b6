// A counter-based generator: any element is independent of the others.
#include "runtime/check/families.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/literal.h"
#include "runtime/check/shares.h"
#include "support/check.h"

namespace sinter {

namespace {

constexpr std::size_t kLeastDrawn = std::size_t{1} << 16;  // elements of a share

constexpr std::array kFamilies = {
    InputFamily::Uniform,   InputFamily::Normal,  InputFamily::Positive, InputFamily::Cancelling,
    InputFamily::WideRange, InputFamily::Special, InputFamily::Integers};

}  // namespace

std::span<const InputFamily> all_input_families() { return kFamilies; }

std::string_view to_string(InputFamily family) {
  switch (family) {
    case InputFamily::Uniform: return "uniform";
    case InputFamily::Normal: return "normal";
    case InputFamily::Positive: return "positive";
    case InputFamily::Cancelling: return "cancelling";
    case InputFamily::WideRange: return "wide";
    case InputFamily::Special: return "special";
    case InputFamily::Integers: return "integers";
  }
  support::throw_internal("no such family");
}

}  // namespace sinter

namespace sinter::runtime {

namespace {

/// SplitMix64 (Steele, Lea and Flood, 2014) of a counter; `lane` numbers the draws of one element.
class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t index) : seed_(seed), index_(index) {}

  std::uint64_t bits(std::uint64_t lane = 0) const {
    std::uint64_t z =
        (seed_ + (lane << 32)) * 0x9e3779b97f4a7c15ULL + (index_ + 1) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// In [0, 1), 53 bits.
  double unit(std::uint64_t lane = 0) const {
    return static_cast<double>(bits(lane) >> 11) * 0x1p-53;
  }
  double sign() const { return (bits(1) >> 63) != 0 ? -1.0 : 1.0; }
  /// In [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) const {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// Twelve uniform numbers less 6, so that no library function takes part.
  double normal() const {
    double sum = -6;
    for (std::uint64_t lane = 0; lane < 3; ++lane) {
      const std::uint64_t four = bits(lane);
      for (int shift = 0; shift < 64; shift += 16) {
        sum += (static_cast<double>((four >> shift) & 0xffff) + 0.5) * 0x1p-16;
      }
    }
    return sum;
  }
  std::uint64_t index() const { return index_; }

 private:
  std::uint64_t seed_;
  std::uint64_t index_;
};

/// Rounded to `dtype`; infinities of f8e5m2 too, though conversions to it saturate.
std::uint64_t encode(DType dtype, double value) {
  if (dtype == DType::F8E5M2 && std::isinf(value)) return value > 0 ? 0x7c : 0xfc;
  return ir::make_literal(dtype, value).bits;
}

double special_value(DType dtype, const Draw& draw) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double largest = ir::as_double(ir::make_literal(dtype, dtype == DType::F64 ? 1e308 : 1e30));
  const std::array values = {
      std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, 0.0, -0.0,
      std::isinf(largest) ? 65504.0 : largest,  6e-8,      1e-40};
  return values[draw.bits(2) % values.size()];
}

double wide_value(DType dtype, const Draw& draw) {
  const int limit = dtype == DType::F16 || ir::bits(dtype) == 8 ? 4 : 10;
  const auto exponent = static_cast<int>(draw.bits(2) % static_cast<std::uint64_t>(2 * limit + 1));
  return draw.sign() * std::ldexp(1 + draw.unit(), exponent - limit);
}

double float_value(InputFamily family, DType dtype, std::size_t ordinal, const Draw& draw) {
  switch (family) {
    case InputFamily::Uniform: return 2 * draw.unit() - 1;
    case InputFamily::Normal: return draw.normal();
    case InputFamily::Positive: return draw.unit();
    case InputFamily::Cancelling: {
      const double near_one = 1 + draw.unit() / 8;
      return ordinal % 2 == 0 && draw.index() % 2 == 1 ? -near_one : near_one;
    }
    case InputFamily::WideRange: return wide_value(dtype, draw);
    case InputFamily::Special:
      return draw.bits(1) % 64 == 0 ? special_value(dtype, draw) : 2 * draw.unit() - 1;
    case InputFamily::Integers: return static_cast<double>(draw.between(-8, 8));
  }
  support::throw_internal("no such family");
}

std::uint64_t integer_value(InputFamily family, DType dtype, const Draw& draw) {
  if (dtype == DType::Bool) return draw.bits() >> 63;
  const bool is_signed = ir::is_signed_integer(dtype);
  const std::int64_t low = is_signed ? -8 : 0;
  if (family != InputFamily::Special || draw.bits(1) % 4 != 0) {
    return ir::make_integer_literal(dtype, draw.between(low, low + 16)).bits;
  }
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - ir::bits(dtype));
  const std::array<std::uint64_t, 4> extremes = {0, ones, ones >> 1, (ones >> 1) + 1};
  return extremes[draw.bits(2) % extremes.size()];
}

}  // namespace

void fill_family(InputFamily family, DType dtype, std::uint64_t seed, std::size_t ordinal,
                 std::span<std::byte> data) {
  const std::size_t element = size_bytes(dtype);
  const bool is_float = ir::is_float(dtype);
  run_in_shares(data.size() / element, kLeastDrawn, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Draw draw(seed + ordinal, i);
      const std::uint64_t bits = is_float ? encode(dtype, float_value(family, dtype, ordinal, draw))
                                          : integer_value(family, dtype, draw);
      std::memcpy(data.data() + i * element, &bits, element);  // little-endian
    }
  });
}

}  // namespace sinter::runtime
