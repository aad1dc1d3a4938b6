// What a task computed, in host memory: printed and saved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sinter/dtype.h"

namespace sinter::tools {

struct TaskOutput {
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  // row-major, dense
};

/// A line an output: "output 0  f32[2, 3]: 0.5, -1.0, ..." with its first `most` elements in row-major
/// order.
std::string to_text(const std::vector<TaskOutput>& outputs, std::int64_t most);

/// Makes the folder, and those above it. RuntimeError where it cannot be, or nothing can be written to it.
void make_output_folder(const std::string& folder);

/// Writes output i to "output_<i>.npy" in the folder, each file whole or not at all; bf16 and f8, which .npy
/// files do not have, as the f32 numbers that they are. RuntimeError names the file and the reason.
void save_outputs(const std::vector<TaskOutput>& outputs, const std::string& folder);

}  // namespace sinter::tools
