// Operators for tests of layouts: each way in which a kernel is planned for tensors that lie across.
#pragma once

#include <string>
#include <vector>

namespace sinter::tests {

/// Texts of graphs with the sizes m and n.
std::vector<std::string> layout_graphs();

}  // namespace sinter::tests
