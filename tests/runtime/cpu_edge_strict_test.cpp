// Corners of the language on the CPU in strict mode, against the reference.
#include <doctest/doctest.h>

#include "tests/support/edge_graphs.h"

namespace sinter::tests {

TEST_CASE("corners of the language are right in strict mode, fused and not, whatever rounds") {
  CHECK(check_edge_graphs(Device::cpu(), Mode::Strict) == "");
}

}  // namespace sinter::tests
