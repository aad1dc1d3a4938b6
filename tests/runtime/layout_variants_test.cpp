// Tensors whose dimensions lie in any order in memory: kernels of that order, on the CPU.
#include <doctest/doctest.h>

#include "runtime/executable_impl.h"
#include "tests/support/device_run.h"
#include "tests/support/layout_check.h"
#include "tests/support/layout_graphs.h"

namespace sinter::tests {

TEST_CASE("every layout of operands and results agrees with the reference on the CPU") {
  for (const Mode mode : {Mode::Default, Mode::Strict}) {
    CompileOptions options;
    options.mode = mode;
    CheckCounts counts;
    for (const std::string& graph : layout_graphs()) {
      CAPTURE(graph);
      for (const std::int64_t m : {37, 1, 0}) {
        const std::map<std::string, std::int64_t> sizes = {{"m", m}, {"n", 40}};
        CHECK(check_all_layouts(graph, sizes, Device::cpu(), options, &counts) == "");
      }
    }
    CHECK(counts.compared > 0);
  }
}

}  // namespace sinter::tests
