// Counting, and the table.
#include "tests/support/fuzz_coverage.h"

#include <fmt/format.h>

#include <numeric>
#include <set>

#include "ir/rewrite_graph.h"
#include "tests/support/required_use.h"

namespace sinter::tests {

using ir::Op;
using ir::Value;

namespace {

std::size_t index_of(Layout layout) { return static_cast<std::size_t>(layout); }

/// The pairs that there are, from the uses that there are.
struct Pairs {
  std::set<std::pair<Op, DType>> dtypes;
  std::set<std::pair<Op, std::size_t>> layouts;
};

Pairs required_pairs() {
  Pairs pairs;
  for (const RequiredUse& use : all_required_uses()) {
    pairs.dtypes.insert({use.op, use.dtype});
    const bool is_leaf = ir::info(use.op).op_class == ir::OpClass::Leaf;
    if (!is_leaf) pairs.layouts.insert({use.op, index_of(use.layout)});
  }
  return pairs;
}

/// "f32", "transposed" as columns of at most six letters.
std::string heading(std::string_view name) { return fmt::format(" {:>6}", name.substr(0, 6)); }

std::string cell(bool is_possible, std::int64_t count) {
  if (!is_possible && count == 0) return fmt::format(" {:>6}", ".");
  return fmt::format(" {:>6}", count);
}

}  // namespace

void FuzzCoverage::add(const FuzzCase& fuzz) {
  const ir::Graph& graph = fuzz.graph;
  const std::vector<bool> live = ir::live_nodes(graph);
  for (std::size_t id = 0; id < graph.nodes().size(); ++id) {
    const ir::Node& node = graph.nodes()[id];
    if (!live[id] || node.op == Op::Parameter) continue;
    std::size_t layout = kInner;
    DType dtype = node.results[0].dtype;
    if (!node.operands.empty()) {
      const Value operand = node.operands[principal_operand(node.op)];
      dtype = graph.type(operand).dtype;
      for (std::size_t p = 0; p < graph.parameters().size(); ++p) {
        const bool is_tensor = !graph.is_host_scalar(graph.parameters()[p]);
        if (graph.parameters()[p] == operand.node && is_tensor)
          layout = index_of(fuzz.kinds[p].layout);
      }
    }
    ++counts_[static_cast<std::size_t>(node.op)][static_cast<std::size_t>(dtype)][layout];
  }
}

void FuzzCoverage::add(const FuzzCoverage& other) {
  for (std::size_t op = 0; op < kOps; ++op) {
    for (std::size_t dtype = 0; dtype < kDTypeCount; ++dtype) {
      for (std::size_t layout = 0; layout <= kLayouts; ++layout) {
        counts_[op][dtype][layout] += other.counts_[op][dtype][layout];
      }
    }
  }
}

std::int64_t FuzzCoverage::of_dtype(Op op, DType dtype) const {
  const auto& row = counts_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)];
  return std::accumulate(row.begin(), row.end(), std::int64_t{0});
}

std::int64_t FuzzCoverage::of_layout(Op op, std::size_t layout) const {
  std::int64_t count = 0;
  for (const auto& row : counts_[static_cast<std::size_t>(op)]) count += row[layout];
  return count;
}

std::int64_t FuzzCoverage::missing_uses() const {
  std::int64_t missing = 0;
  for (const RequiredUse& use : all_required_uses()) {
    const bool is_leaf = ir::info(use.op).op_class == ir::OpClass::Leaf;
    const std::size_t layout = is_leaf ? kInner : index_of(use.layout);
    const auto& row =
        counts_[static_cast<std::size_t>(use.op)][static_cast<std::size_t>(use.dtype)];
    if (row[layout] == 0) ++missing;
  }
  return missing;
}

std::vector<std::string> FuzzCoverage::missing_pairs() const {
  std::vector<std::string> missing;
  const Pairs pairs = required_pairs();
  for (const auto& [op, dtype] : pairs.dtypes) {
    if (of_dtype(op, dtype) == 0) {
      missing.push_back(fmt::format("{} {}", ir::to_string(op), to_string(dtype)));
    }
  }
  for (const auto& [op, layout] : pairs.layouts) {
    if (of_layout(op, layout) == 0) {
      missing.push_back(
          fmt::format("{} {}", ir::to_string(op), to_string(static_cast<Layout>(layout))));
    }
  }
  return missing;
}

std::string FuzzCoverage::table() const {
  const Pairs pairs = required_pairs();
  std::string text = fmt::format("{:<20}", "operator");
  for (int d = 0; d < kDTypeCount; ++d) text += heading(to_string(static_cast<DType>(d)));
  for (const Layout layout : all_layouts()) text += heading(to_string(layout));
  text += heading("inner") + "\n";
  for (const ir::OpInfo& row : ir::all_ops()) {
    if (row.level == ir::OpLevel::Kernel || row.op == Op::Parameter) continue;
    text += fmt::format("{:<20}", row.text);
    for (int d = 0; d < kDTypeCount; ++d) {
      const auto dtype = static_cast<DType>(d);
      text += cell(pairs.dtypes.contains({row.op, dtype}), of_dtype(row.op, dtype));
    }
    for (std::size_t layout = 0; layout <= kLayouts; ++layout) {
      text += cell(pairs.layouts.contains({row.op, layout}), of_layout(row.op, layout));
    }
    text += "\n";
  }
  return text;
}

}  // namespace sinter::tests
