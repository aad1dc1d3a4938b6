// Named dimensions get their numbers from the extents of a graph's inputs.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace sinter::ir {

using Sizes = std::map<std::string, std::int64_t>;

/// How one size follows from an extent: (extent - rest) / coefficient, where `rest` has only sizes
/// of earlier steps.
struct SizeStep {
  std::size_t input = 0;
  std::size_t dimension = 0;
  std::string name;
  std::int64_t coefficient = 1;
  IndexExpr rest;

  std::int64_t solve(std::int64_t extent, std::int64_t rest_value) const;
};

/// The steps that bind every size that the parameters' shapes determine: names first, then
/// expressions like 2*n + m in which one size is still unknown.
std::vector<SizeStep> size_steps(const Graph& graph);

/// Whether every extent is at least 0 and their product, with 1 for 0, is 2^60 at most: then every
/// offset in bytes fits 63 bits, for elements of at most 8 bytes.
bool is_addressable(std::span<const std::int64_t> extents);
/// UserError where they are not; `role` ("input x") names the tensor.
void check_addressable(std::span<const std::int64_t> extents, const std::string& role);

/// The sizes that make the parameters' shapes equal to `extents`, one list a parameter, in order.
/// UserError where number, rank or extents do not fit or are too large, or a size cannot be told from
/// the inputs.
Sizes bind_sizes(const Graph& graph, std::span<const std::vector<std::int64_t>> extents);

/// The numbers of `shape`. UserError where a size is missing, an extent is negative, or the shape is
/// not addressable.
std::vector<std::int64_t> evaluate_shape(const Shape& shape, const Sizes& sizes);

}  // namespace sinter::ir
