// Tests of lowering: graph text in, kernel text out.
#pragma once

#include <string>

namespace sinter::tests {

/// Fails with both texts unless the outputs of the graph "(%x: f32[n]) { ... }", as one kernel, print
/// as `expected`, which leaves out the head `kernel g`, and the kernel verifies.
void check_kernel(const std::string& graph, const std::string& expected);

}  // namespace sinter::tests
