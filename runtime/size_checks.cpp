// Checks of one call, by evaluating expressions of sizes.
#include "runtime/size_checks.h"

#include <algorithm>

#include "support/check.h"

namespace sinter::runtime {

namespace {

using ir::AttributeName;
using Sizes = std::map<std::string, std::int64_t>;

bool has_symbol(const ir::Shape& shape) {
  return std::any_of(shape.begin(), shape.end(),
                     [](const ir::Dim& dim) { return !ir::sizes_of(dim).empty(); });
}

bool may_be_negative(const ir::Shape& shape) {
  return std::any_of(shape.begin(), shape.end(),
                     [](const ir::Dim& dim) { return !ir::is_provably_nonnegative(dim, {}); });
}

void check_shape(const ir::Graph& graph, ir::Value value, const Sizes& sizes) {
  for (const ir::Dim& dim : graph.type(value).shape) {
    const std::int64_t extent = ir::evaluate(dim, {sizes, {}, {}});
    if (extent >= 0) continue;
    const ir::Node& node = graph.node(value);
    support::throw_user_at(node.location, "dimension {} of {} is {}; a size is at least 0",
                           ir::to_string(dim), ir::to_string(node.op), extent);
  }
}

void check_slice(const ir::Graph& graph, ir::NodeId id, const Sizes& sizes) {
  const ir::Node& node = graph.node(id);
  const ir::Shape& operand = graph.type(node.operands[0]).shape;
  const auto& begin = node.attributes.get<ir::Shape>(AttributeName::Begin);
  const auto& step = node.attributes.get<std::vector<std::int64_t>>(AttributeName::Step);
  for (std::size_t d = 0; d < operand.size(); ++d) {
    const auto value_of = [&](const ir::Dim& dim) { return ir::evaluate(dim, {sizes, {}, {}}); };
    const std::int64_t count = value_of(node.results[0].shape[d]);
    const std::int64_t extent = value_of(operand[d]);
    const std::int64_t first = value_of(begin[d]);
    if (count == 0) continue;
    std::int64_t last = 0;
    const bool overflows = __builtin_mul_overflow(count - 1, step[d], &last) ||
                           __builtin_add_overflow(first, last, &last);
    const auto is_inside = [&](std::int64_t index) { return index >= 0 && index < extent; };
    if (!overflows && is_inside(first) && is_inside(last)) continue;
    support::throw_user_at(node.location,
                           "slice of dimension {} takes {} elements from {} in steps of {}; they "
                           "leave [0, {})",
                           d, count, first, step[d], extent);
  }
}

}  // namespace

SizeChecks::SizeChecks(const ir::Graph& graph) {
  for (ir::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const ir::Node& node = graph.node(id);
    for (std::uint32_t r = 0; r < node.results.size(); ++r) {
      if (may_be_negative(node.results[r].shape)) shapes_.push_back({id, r});
    }
    if (node.op != ir::Op::Slice) continue;
    const bool depends = has_symbol(node.results[0].shape) ||
                         has_symbol(graph.type(node.operands[0]).shape) ||
                         has_symbol(node.attributes.get<ir::Shape>(AttributeName::Begin));
    if (depends) slices_.push_back(id);
  }
}

void SizeChecks::check(const ir::Graph& graph, const Sizes& sizes) const {
  for (const ir::Value value : shapes_) check_shape(graph, value, sizes);
  for (const ir::NodeId id : slices_) check_slice(graph, id, sizes);
}

}  // namespace sinter::runtime
