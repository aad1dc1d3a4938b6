// Input tensors of a task, in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tools/task.h"

namespace sinter::tools {

/// Fills with seeded values, the same on every machine: floats uniform in [-1, 1], integers uniform
/// in [-8, 8] (unsigned: [0, 16]), bool 0 or 1.
void fill_uniform(DType dtype, std::uint64_t seed, std::span<std::byte> data);

/// The bytes of an input, row-major: its value, read from its file, or filled. UserError where the file holds
/// another dtype or shape than the task says.
std::vector<std::byte> make_input(const TaskInput& input, std::uint64_t seed);

}  // namespace sinter::tools
