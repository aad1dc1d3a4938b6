#include "codegen/plan/axis_pool.h"

#include <fmt/format.h>

namespace sinter::codegen {

namespace {

using ir::AttributeName;
using ir::AxisId;
using ir::Dim;
using ir::Shape;

void add_sizes(const Shape& shape, std::set<std::string>& sizes) {
  for (const Dim& dim : shape) sizes.merge(ir::sizes_of(dim));
}

std::set<std::string> sizes_of(const ir::Graph& graph) {
  std::set<std::string> sizes;
  for (const ir::Node& node : graph.nodes()) {
    for (const ir::Type& type : node.results) add_sizes(type.shape, sizes);
    for (const ir::Attribute& attribute : node.attributes.list()) {
      if (const auto* shape = std::get_if<Shape>(&attribute.value)) add_sizes(*shape, sizes);
    }
  }
  return sizes;
}

/// i, j, ..., z, a, ..., h, then i1, j1, ...
std::string axis_name(std::size_t number) {
  const auto letter = static_cast<char>('a' + (number + 8) % 26);
  return number < 26 ? std::string(1, letter) : fmt::format("{}{}", letter, number / 26);
}

}  // namespace

AxisPool::AxisPool(const ir::Graph& graph, ir::Kernel& kernel)
    : kernel_(kernel), reserved_(sizes_of(graph)) {}

AxisId AxisPool::make_axis(const Dim& extent) {
  std::size_t number = 0;
  while (!reserved_.insert(axis_name(number)).second) ++number;
  return kernel_.add_axis(axis_name(number), extent);
}

std::vector<AxisId> AxisPool::axes_of_extent(const Dim& extent,
                                             const std::set<AxisId>& taken) const {
  std::vector<AxisId> result;
  for (AxisId id = 0; id < kernel_.axes().size(); ++id) {
    if (kernel_.axes()[id].extent == extent && !taken.contains(id)) result.push_back(id);
  }
  return result;
}

Shape AxisPool::make_output_indices(const Shape& shape) {
  std::set<AxisId> taken;
  Shape indices;
  for (const Dim& extent : shape) {
    if (extent == Dim(1)) {
      indices.emplace_back(0);
      continue;
    }
    const std::vector<AxisId> existing = axes_of_extent(extent, taken);
    const AxisId axis = existing.empty() ? make_axis(extent) : existing.front();
    taken.insert(axis);
    indices.push_back(ir::IndexExpr::axis(axis));
  }
  return indices;
}

}  // namespace sinter::codegen
