#include "bench/tensor_pool.h"

#include <algorithm>

#include "runtime/check/families.h"

namespace sinter::bench {

namespace {

/// Where there was memory that is too small, with some to spare: the next case may need a little more again.
std::size_t grown(std::size_t held_bytes, std::size_t size_bytes) {
  if (held_bytes == 0) return size_bytes;
  return (size_bytes + size_bytes / 16 + 255) / 256 * 256;
}

/// The first `sets` with room for `size_bytes`; `make` makes those that are missing or too small, of as many bytes
/// as it is told.
template <typename Make>
TensorPool::Sets take(TensorPool::Sets& held, std::size_t size_bytes, std::size_t sets,
                      const Make& make) {
  held.resize(std::max(held.size(), sets));
  for (std::size_t set = 0; set < sets; ++set) {
    const std::size_t held_bytes = held[set] ? held[set]->size_bytes() : 0;
    if (held[set] && held_bytes >= size_bytes) continue;
    held[set] = nullptr;  // its memory first, where nobody else holds it
    held[set] = make(grown(held_bytes, size_bytes));
  }
  return {held.begin(), held.begin() + static_cast<std::ptrdiff_t>(sets)};
}

}  // namespace

TensorPool::Input TensorPool::input(InputFamily family, DType dtype, std::size_t ordinal,
                                    std::size_t size_bytes, std::size_t sets) {
  Input& held = inputs_[{family, dtype, ordinal}];
  const std::size_t held_bytes = held.host ? held.host->size() : 0;
  if (held.host == nullptr || held_bytes < size_bytes) {
    auto bytes = std::make_shared<std::vector<std::byte>>(grown(held_bytes, size_bytes));
    runtime::fill_family(family, dtype, ordinal + 1, 0, *bytes);
    held.host = std::move(bytes);
  }
  const auto make = [&](std::size_t wanted_bytes) {
    const std::size_t bytes = std::min(wanted_bytes, held.host->size());
    auto buffer = std::make_shared<Buffer>(device_.allocate(bytes));
    buffer->copy_in(held.host->data(), bytes);
    return buffer;
  };
  return {held.host, take(held.sets, size_bytes, sets, make)};
}

TensorPool::Sets TensorPool::output(std::size_t ordinal, std::size_t size_bytes, std::size_t sets) {
  return take(outputs_[ordinal], size_bytes, sets, [&](std::size_t wanted_bytes) {
    return std::make_shared<Buffer>(device_.allocate(wanted_bytes));
  });
}

std::byte* TensorPool::staging(std::size_t ordinal, std::size_t size_bytes) {
  std::vector<std::byte>& bytes = staging_[ordinal];
  if (bytes.size() < size_bytes) bytes.resize(size_bytes);
  return bytes.data();
}

}  // namespace sinter::bench
