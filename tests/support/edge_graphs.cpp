// The graphs by theme.
#include "tests/support/edge_graphs.h"

#include "ir/dtype.h"
#include "ir/text.h"
#include "tests/support/device_run.h"

namespace sinter::tests {

namespace {

/// One operator on two vectors.
std::string binary_text(const std::string& op, DType dtype) {
  const std::string type = std::string(to_string(dtype)) + "[37]";
  return "graph g(%x: " + type + ", %y: " + type + ") {\n  %0: " + type + " = " + op +
         "(%x, %y)\n  return %0\n}\n";
}

void add_integer_operators(std::vector<EdgeGraph>& graphs) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!ir::is_integer(dtype)) continue;
    for (const char* op : {"shift_left", "shift_right", "floor_div", "mod"}) {
      graphs.push_back({std::string(op) + " " + std::string(to_string(dtype)),
                        binary_text(op, dtype),
                        {},
                        Values::Special});
    }
  }
  for (const std::string distance : {"-1", "8", "127", "-128", "0", "7"}) {
    graphs.push_back({"shift by " + distance,
                      "graph g(%x: i8[37]) {\n  %0: i8 = constant() {value: " + distance +
                          ":i8}\n  %1: i8[37] = broadcast(%0) {shape: [37]}\n"
                          "  %2: i8[37] = shift_right(%x, %1)\n  %3: i8[37] = shift_left(%x, %1)\n"
                          "  return %2, %3\n}\n",
                      {},
                      Values::Special});
  }
}

const char* const kRankEight =
    R"(graph g(%x: f32[2, 1, 3, 2, 1, 2, 3, 2], %y: f32[3, 2, 1, 2, 3, 2]) {
  %0: f32[2, 5, 3, 2, 1, 2, 3, 2] = broadcast(%x) {shape: [2, 5, 3, 2, 1, 2, 3, 2]}
  %1: f32[2, 5, 3, 2, 1, 2, 3, 2] = broadcast(%y) {shape: [2, 5, 3, 2, 1, 2, 3, 2]}
  %2: f32[2, 5, 3, 2, 1, 2, 3, 2] = mul(%0, %1)
  %3: f32[2, 3, 2, 1, 2, 3, 5, 2] = permute(%2) {axes: [7, 6, 5, 4, 3, 2, 1, 0]}
  %4: f32[2, 2, 2, 5] = sum(%3) {axes: [1, 3, 5, 7]}
  %5: f32[2, 3, 2, 1, 2, 3, 5, 2] = slice(%3) {shape: [2, 3, 2, 1, 2, 3, 5, 2], begin: [1, 2, 1, 0, 1, 2, 4, 1], step: [-1, -1, -1, -1, -1, -1, -1, -1]}
  return %4, %5
})";

const char* const kFewAxes = R"(graph g(%x: i8[5, 7], %y: bf16) {
  %0: i64[5, 7] = sum(%x) {axes: []}
  %1: i8[5, 7] = max(%x) {axes: []}
  %2: i8 = min(%x) {axes: [0, 1]}
  %3: bf16 = sum(%y) {axes: []}
  %4: bf16 = mean(%y) {axes: []}
  %5: bf16 = exp(%4)
  return %0, %1, %2, %3, %5
})";

const char* const kEmpty = R"(graph g(%x: f32[m, k], %w: f32[k, n], %b: f32[n]) {
  %0: f32[m, n] = matmul(%x, %w)
  %1: f32[m, n] = broadcast(%b) {shape: [m, n]}
  %2: f32[m, n] = add(%0, %1)
  %3: f32[n] = sum(%2) {axes: [0]}
  %4: f32[m] = max(%2) {axes: [1]}
  %5: f32[m] = mean(%2) {axes: [1]}
  %6: f32 = min(%x) {axes: [0, 1]}
  return %2, %3, %4, %5, %6
})";

const char* const kScans = R"(graph g(%x: i32[m, n]) {
  %0: i32[m, n] = scan(%x) {axis: 1, reducer: add, exclusive: true, reverse: true}
  %1: i32[m, n] = scan(%x) {axis: 0, reducer: maximum, exclusive: false, reverse: false}
  return %0, %1
})";

const char* const kSelfCast = R"(graph g(%x: f8e5m2[300]) {
  %0: f8e5m2[300] = cast(%x) {dtype: f8e5m2}
  %1: f8e5m2[300] = reshape(%x) {shape: [300]}
  %2: f8e5m2[300] = add(%x, %x)
  %3: f8e5m2[300] = cast(%2) {dtype: f8e5m2}
  %4: f8e5m2[300] = sub(%3, %x)
  return %0, %1, %4
})";

}  // namespace

std::vector<EdgeGraph> edge_graphs() {
  std::vector<EdgeGraph> graphs;
  add_integer_operators(graphs);
  graphs.push_back({"rank 8", kRankEight, {}, Values::Normal});
  graphs.push_back({"no axes", kFewAxes, {}, Values::Uniform});
  for (const std::int64_t m : {0, 5}) {
    for (const std::int64_t k : {0, 3}) {
      for (const std::int64_t n : {0, 4}) {
        graphs.push_back({"empty", kEmpty, {{"m", m}, {"k", k}, {"n", n}}, Values::Uniform});
      }
    }
  }
  for (const std::int64_t m : {0, 1, 3}) {
    graphs.push_back({"scans", kScans, {{"m", m}, {"n", 1 - m / 3}}, Values::Special});
  }
  graphs.push_back({"f8e5m2 to itself", kSelfCast, {}, Values::Special});
  return graphs;
}

std::vector<EdgeGraph> cast_graphs() {
  std::vector<EdgeGraph> graphs;
  for (int from = 0; from < kDTypeCount; ++from) {
    for (int to = 0; to < kDTypeCount; ++to) {
      const std::string a(to_string(static_cast<DType>(from)));
      const std::string b(to_string(static_cast<DType>(to)));
      graphs.push_back({a + " to " + b,
                        "graph g(%x: " + a + "[67]) {\n  %0: " + b +
                            "[67] = cast(%x) {dtype: " + b + "}\n  %1: " + a +
                            "[67] = cast(%0) {dtype: " + a + "}\n  return %0, %1\n}\n",
                        {},
                        Values::Special});
    }
  }
  return graphs;
}

std::string check_edge_graph(const EdgeGraph& edge, const Device& device,
                             const CompileOptions& options) {
  const ir::Graph graph = ir::parse_graph(edge.text);
  const Executable op = compile_lazily(graph, device, options);
  for (const Layout layout : {Layout::Contiguous, Layout::Reversed, Layout::Any}) {
    const auto inputs = make_inputs(graph, edge.sizes, 3, layout, edge.values);
    CheckCounts counts;
    const std::string trouble = check_executable(op, inputs, options, &counts);
    if (!trouble.empty()) return edge.name + ", " + to_string(layout) + ": " + trouble;
  }
  return {};
}

}  // namespace sinter::tests
