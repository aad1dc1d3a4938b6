// Operators along rows of every length, from 32 elements to 262,144, against a plain copy of as many bytes.
#include <fmt/format.h>

#include <array>

#include "bench/suite.h"

namespace sinter::bench {

namespace {

constexpr std::int64_t kBytesRead = std::int64_t{256} << 20;
constexpr std::array<std::int64_t, 15> kLengths = {
    32, 100, 128, 1000, 1024, 2560, 4096, 5000, 8192, 16384, 32768, 50257, 65536, 131072, 262144};

struct DTypeInfo {
  const char* name;
  std::int64_t size_bytes;
};
constexpr std::array<DTypeInfo, 2> kDTypes = {{{"bf16", 2}, {"f32", 4}}};

struct RowOperator {
  const char* name;
  const char* extra_operands;  // beside x: vectors as long as a row
  const char* attributes;
  bool reduces;             // one element a row
  const char* result = "";  // its dtype; empty: that of x
  InputFamily family = InputFamily::Uniform;
};
constexpr std::array<RowOperator, 7> kOperators = {{
    {"softmax", "", "axis: 1", false},
    {"rms_norm", "w", "axes: [1]", false},
    {"layer_norm", "wb", "axes: [1]", false},
    {"logsumexp", "", "axes: [1]", true},
    {"sum", "", "axes: [1]", true},
    {"argmax", "", "axis: 1", true, "i64"},
    // Of numbers of both signs the bounds of long sums are wider than the sums.
    {"cumsum", "", "axis: 1", false, "", InputFamily::Positive},
}};

std::string graph_text(const RowOperator& op, const char* dtype, std::int64_t rows,
                       std::int64_t length) {
  const std::string matrix = fmt::format("{}[{}, {}]", dtype, rows, length);
  std::string parameters = fmt::format("%x: {}", matrix);
  std::string operands = "%x";
  for (const char* name = op.extra_operands; *name != '\0'; ++name) {
    parameters += fmt::format(", %{}: {}[{}]", *name, dtype, length);
    operands += fmt::format(", %{}", *name);
  }
  const std::string_view result_dtype = *op.result == '\0' ? dtype : op.result;
  const std::string result = op.reduces ? fmt::format("{}[{}]", result_dtype, rows) : matrix;
  return fmt::format("graph {0}({1}) {{\n  %0: {2} = {0}({3}) {{{4}}}\n  return %0\n}}\n", op.name,
                     parameters, result, operands, op.attributes);
}

}  // namespace

std::vector<Case> rows_sweep_suite() {
  std::vector<Case> cases;
  for (const RowOperator& op : kOperators) {
    for (const DTypeInfo& dtype : kDTypes) {
      for (const std::int64_t length : kLengths) {
        const std::int64_t row_bytes = length * dtype.size_bytes;
        const std::int64_t rows = (kBytesRead + row_bytes - 1) / row_bytes;
        cases.push_back({.suite = "rows_sweep",
                         .name = fmt::format("rows_{}_{}_{}", op.name, dtype.name, length),
                         .graph = graph_text(op, dtype.name, rows, length),
                         .has_copy_peer = true,
                         .point = SweepPoint{fmt::format("{} {}", op.name, dtype.name), length},
                         .family = op.family});
      }
    }
  }
  return cases;
}

}  // namespace sinter::bench
