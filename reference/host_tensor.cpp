// Reading elements of strided host memory.
#include "reference/host_tensor.h"

#include <fmt/ranges.h>

#include <cstring>

#include "reference/rounding.h"

namespace sinter::reference {

std::int64_t count_elements(std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

std::vector<std::int64_t> unravel_index(std::span<const std::int64_t> extents, std::int64_t flat) {
  std::vector<std::int64_t> index(extents.size());
  for (std::size_t d = extents.size(); d-- > 0;) {
    index[d] = flat % extents[d];
    flat /= extents[d];
  }
  return index;
}

Element decode_element(ir::DType dtype, const void* address) {
  std::uint64_t bits = 0;
  // Little-endian, as every machine that Sinter runs on.
  std::memcpy(&bits, address, size_bytes(dtype));
  if (ir::is_float(dtype)) return make_real(decode_real(dtype, bits));
  if (dtype == ir::DType::Bool) return make_bits(bits != 0 ? 1 : 0);
  return make_bits(wrap_to(dtype, bits));
}

Element load_element(const HostTensor& tensor, std::int64_t flat) {
  std::int64_t offset = flat;
  if (!tensor.strides.empty()) {
    offset = 0;
    for (std::size_t d = tensor.extents.size(); d-- > 0;) {
      offset += flat % tensor.extents[d] * tensor.strides[d];
      flat /= tensor.extents[d];
    }
  }
  const auto width = static_cast<std::int64_t>(size_bytes(tensor.dtype));
  return decode_element(tensor.dtype, static_cast<const char*>(tensor.data) + offset * width);
}

std::string extents_text(std::span<const std::int64_t> extents) {
  return fmt::format("[{}]", fmt::join(extents, ", "));
}

}  // namespace sinter::reference
