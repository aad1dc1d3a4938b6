// Generated and loaded inputs.
#include "tools/inputs.h"

#include <cmath>
#include <cstring>

#include "runtime/check/families.h"
#include "support/check.h"
#include "tools/npy.h"

namespace sinter::tools {

namespace {

/// The f32 numbers of a file in a dtype that .npy files do not have, and that holds each of them.
std::vector<std::byte> narrow(const NpyArray& array, const TaskInput& input) {
  const std::size_t count = array.data.size() / sizeof(float);
  const std::size_t bytes = size_bytes(input.dtype);
  std::vector<std::byte> data(count * bytes);
  for (std::size_t i = 0; i < count; ++i) {
    float value = 0;
    std::memcpy(&value, array.data.data() + i * sizeof value, sizeof value);
    const auto literal = ir::make_exact_literal(input.dtype, value);
    if (!literal && !std::isnan(value)) {
      support::throw_user("input '{}': element {} of file '{}' is {}, which {} does not hold",
                          input.name, i, input.file, value, to_string(input.dtype));
    }
    const std::uint64_t bits = (literal ? *literal : ir::make_literal(input.dtype, value)).bits;
    std::memcpy(data.data() + i * bytes, &bits, bytes);  // little-endian
  }
  return data;
}

}  // namespace

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
    runtime::fill_family(InputFamily::Uniform, input.dtype, seed, 0, data);
    return data;
  }
  NpyArray array = read_npy(input.file);
  const bool is_widened = !is_npy_dtype(input.dtype) && array.dtype == DType::F32;
  if (is_widened && array.shape == input.shape) return narrow(array, input);
  if (array.dtype != input.dtype || array.shape != input.shape) {
    support::throw_user("input '{}': file '{}' holds {}[{}]; the task says {}[{}]", input.name,
                        input.file, to_string(array.dtype), fmt::join(array.shape, ", "),
                        to_string(input.dtype), fmt::join(input.shape, ", "));
  }
  return std::move(array.data);
}

}  // namespace sinter::tools
