// Generated and loaded inputs.
#include "tools/inputs.h"

#include <cstring>

#include "runtime/check/families.h"
#include "support/check.h"
#include "tools/npy.h"

namespace sinter::tools {

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
  if (array.dtype != input.dtype || array.shape != input.shape) {
    support::throw_user("input '{}': file '{}' holds {}[{}]; the task says {}[{}]", input.name,
                        input.file, to_string(array.dtype), fmt::join(array.shape, ", "),
                        to_string(input.dtype), fmt::join(input.shape, ", "));
  }
  return std::move(array.data);
}

}  // namespace sinter::tools
