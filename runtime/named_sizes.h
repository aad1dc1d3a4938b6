// Values that options give to the named dimensions of an operator.
#pragma once

#include <string_view>

#include "ir/bind_sizes.h"
#include "ir/graph.h"

namespace sinter::runtime {

/// UserError where a name is no dimension of `graph` or a value is negative; `option` names what gives them.
void check_named_sizes(const ir::Graph& graph, const ir::Sizes& sizes, std::string_view option);

}  // namespace sinter::runtime
