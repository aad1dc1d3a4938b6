// Input tensors of a task, in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tools/task.h"

namespace sinter::tools {

/// The bytes of an input, row-major: its value, read from its file, or of InputFamily::Uniform. UserError
/// where the file holds another dtype or shape than the task says; bf16 and f8 are read from files of f32
/// whose numbers they hold.
std::vector<std::byte> make_input(const TaskInput& input, std::uint64_t seed);

}  // namespace sinter::tools
