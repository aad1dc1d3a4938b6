// Outputs as text and as .npy files.
#include "tools/outputs.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "ir/graph.h"
#include "support/check.h"
#include "support/text_writer.h"
#include "tools/npy.h"

namespace sinter::tools {

namespace {

std::size_t count_of(const TaskOutput& output) {
  return output.data.size() / size_bytes(output.dtype);
}

ir::Literal element(const TaskOutput& output, std::size_t index) {
  ir::Literal literal{output.dtype, 0};
  const std::size_t bytes = size_bytes(output.dtype);
  std::memcpy(&literal.bits, output.data.data() + index * bytes, bytes);  // little-endian
  return literal;
}

NpyArray as_array(const TaskOutput& output) {
  if (is_npy_dtype(output.dtype)) return {output.dtype, output.shape, output.data};
  std::vector<std::byte> wide(count_of(output) * sizeof(float));
  for (std::size_t i = 0; i < count_of(output); ++i) {
    const auto value = static_cast<float>(ir::as_double(element(output, i)));
    std::memcpy(wide.data() + i * sizeof value, &value, sizeof value);
  }
  return {DType::F32, output.shape, std::move(wide)};
}

}  // namespace

std::string to_text(const std::vector<TaskOutput>& outputs, std::int64_t most) {
  support::TextWriter out;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::size_t count = count_of(outputs[i]);
    const std::size_t shown = std::min(count, static_cast<std::size_t>(most));
    std::vector<std::string> texts;
    for (std::size_t e = 0; e < shown; ++e) {
      texts.push_back(ir::to_string(element(outputs[i], e)));
    }
    if (shown < count) texts.emplace_back("...");
    const ir::Type type{outputs[i].dtype, {outputs[i].shape.begin(), outputs[i].shape.end()}};
    out.line("{:<9} {}: {}", fmt::format("output {}", i), ir::to_string(type),
             count == 0 ? "no element" : fmt::format("{}", fmt::join(texts, ", ")));
  }
  return out.text();
}

void make_output_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const bool is_there = std::filesystem::is_directory(folder);
  if (is_there && ::access(folder.c_str(), W_OK | X_OK) == 0) return;
  const std::string reason = error      ? error.message()
                             : is_there ? std::strerror(errno)
                                        : "it is no folder";
  support::throw_runtime("cannot save outputs in folder '{}': {}", folder, reason);
}

void save_outputs(const std::vector<TaskOutput>& outputs, const std::string& folder) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    write_npy(fmt::format("{}/output_{}.npy", folder, i), as_array(outputs[i]));
  }
}

}  // namespace sinter::tools
