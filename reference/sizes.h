// Named dimensions get their numbers from the inputs' extents.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace sinter::reference {

using Sizes = std::map<std::string, std::int64_t>;

/// The sizes that make the parameters' shapes equal to `extents`, one vector a parameter, in order.
/// A dimension that is a name binds it; one like 2*n + 1 binds n where nothing else does. UserError
/// where extents disagree with each other or with the shapes, in rank or number.
Sizes bind_sizes(const ir::Graph& graph, std::span<const std::vector<std::int64_t>> extents);

/// The numbers of `shape`. UserError where a size is missing or an extent is negative.
std::vector<std::int64_t> evaluate_shape(const ir::Shape& shape, const Sizes& sizes);

/// "[2, 3]".
std::string extents_text(std::span<const std::int64_t> extents);

}  // namespace sinter::reference
