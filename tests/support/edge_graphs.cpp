// The graphs by theme.
#include "tests/support/edge_graphs.h"

#include <fmt/ranges.h>

#include "ir/dtype.h"
#include "ir/text.h"
#include "tests/support/device_run.h"

namespace sinter::tests {

namespace {

/// The text of a graph of vectors of one length, whose nodes are all outputs: one kernel and one
/// compilation for many operators.
class VectorGraph {
 public:
  VectorGraph(std::int64_t extent, std::string parameters)
      : extent_(extent), text_("graph g(" + std::move(parameters) + ") {\n") {}

  /// The name of the new value; `scalar` has rank 0 and is no output.
  std::string add(DType dtype, const std::string& expression, bool scalar = false) {
    const std::string name = fmt::format("%{}", count_++);
    text_ += fmt::format("  {}: {}{} = {}\n", name, to_string(dtype),
                         scalar ? "" : fmt::format("[{}]", extent_), expression);
    if (!scalar) outputs_.push_back(name);
    return name;
  }
  std::string text() const {
    return fmt::format("{}  return {}\n}}\n", text_, fmt::join(outputs_, ", "));
  }

 private:
  std::int64_t extent_;
  std::string text_;
  int count_ = 0;
  std::vector<std::string> outputs_;
};

void add_integer_operators(std::vector<EdgeGraph>& graphs) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!ir::is_integer(dtype)) continue;
    VectorGraph graph(37, fmt::format("%x: {0}[37], %y: {0}[37]", to_string(dtype)));
    for (const char* op : {"shift_left", "shift_right", "floor_div", "mod"}) {
      graph.add(dtype, fmt::format("{}(%x, %y)", op));
    }
    graphs.push_back({"integers of " + std::string(to_string(dtype)), graph.text(), {}});
  }
  VectorGraph graph(37, "%x: i8[37]");
  for (const int distance : {-1, 8, 127, -128, 0, 7}) {
    const std::string number =
        graph.add(DType::I8, fmt::format("constant() {{value: {}:i8}}", distance), true);
    const std::string by =
        graph.add(DType::I8, fmt::format("broadcast({}) {{shape: [37]}}", number));
    graph.add(DType::I8, fmt::format("shift_right(%x, {})", by));
    graph.add(DType::I8, fmt::format("shift_left(%x, {})", by));
  }
  graphs.push_back({"shifts by numbers", graph.text(), {}});
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
    const auto dtype = static_cast<DType>(from);
    VectorGraph graph(67, fmt::format("%x: {}[67]", to_string(dtype)));
    for (int to = 0; to < kDTypeCount; ++to) {
      const auto other = static_cast<DType>(to);
      const std::string there =
          graph.add(other, fmt::format("cast(%x) {{dtype: {}}}", to_string(other)));
      graph.add(dtype, fmt::format("cast({}) {{dtype: {}}}", there, to_string(dtype)));
    }
    graphs.push_back({"casts of " + std::string(to_string(dtype)), graph.text(), {}});
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

std::string check_edge_graphs(const Device& device, Mode mode) {
  std::string trouble;
  for (const bool fuse : {true, false}) {
    for (const Rounding rounding : {Rounding::Outputs, Rounding::Each}) {
      CompileOptions options;
      options.mode = mode;
      options.fuse = fuse;
      options.rounding = rounding;
      for (const EdgeGraph& edge : edge_graphs()) {
        trouble += check_edge_graph(edge, device, options);
      }
    }
  }
  return trouble;
}

}  // namespace sinter::tests
