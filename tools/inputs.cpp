// Generated and loaded inputs.
#include "tools/inputs.h"

#include <cstring>

#include "ir/literal.h"
#include "support/check.h"
#include "tools/npy.h"

namespace sinter::tools {

namespace {

// SplitMix64 (Steele, Lea, Flood 2014): a counter-based generator, so any element is independent.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15ULL + (index + 1) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

double random_unit(std::uint64_t seed, std::uint64_t index) {
  return static_cast<double>(random_bits(seed, index) >> 11) * 0x1p-52 - 1.0;
}

std::uint64_t random_element(DType dtype, std::uint64_t seed, std::uint64_t index) {
  if (ir::is_float(dtype)) return ir::make_literal(dtype, random_unit(seed, index)).bits;
  if (dtype == DType::Bool) return random_bits(seed, index) >> 63;
  const auto value = static_cast<std::int64_t>(random_bits(seed, index) % 17);
  return ir::make_integer_literal(dtype, ir::is_signed_integer(dtype) ? value - 8 : value).bits;
}

}  // namespace

void fill_uniform(DType dtype, std::uint64_t seed, std::span<std::byte> data) {
  const std::size_t element = size_bytes(dtype);
  for (std::size_t i = 0; i < data.size() / element; ++i) {
    if (dtype == DType::F32) {  // most inputs; without the detour over a literal
      const auto value = static_cast<float>(random_unit(seed, i));
      std::memcpy(data.data() + i * element, &value, element);
      continue;
    }
    const std::uint64_t bits = random_element(dtype, seed, i);
    std::memcpy(data.data() + i * element, &bits, element);  // little-endian
  }
}

std::vector<std::byte> make_input(const TaskInput& input, std::uint64_t seed) {
  if (input.value) {
    std::vector<std::byte> data(size_bytes(input.dtype));
    std::memcpy(data.data(), &input.value->bits, data.size());  // little-endian
    return data;
  }
  if (input.file.empty()) {
    std::size_t bytes = size_bytes(input.dtype);
    for (const std::int64_t extent : input.shape) bytes *= static_cast<std::size_t>(extent);
    std::vector<std::byte> data(bytes);
    fill_uniform(input.dtype, seed, data);
    return data;
  }
  NpyArray array = read_npy(input.file);
  if (array.dtype != input.dtype || array.shape != input.shape) {
    support::throw_user("input '{}': file '{}' holds {}[{}]; the task says {}[{}]", input.name,
                        input.file, to_string(array.dtype), fmt::join(array.shape, ", "),
                        to_string(input.dtype), fmt::join(input.shape, ", "));
  }
  return std::move(array.data);
}

}  // namespace sinter::tools
