// Tensors whose dimensions lie in any order in memory: kernels of that order, on the GPU.
#include <doctest/doctest.h>

#include "tests/support/layout_check.h"
#include "tests/support/layout_graphs.h"
#include "tests/support/skip.h"

namespace sinter::tests {

TEST_CASE("every layout of operands and results agrees with the reference on the GPU") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  using Sizes = std::map<std::string, std::int64_t>;
  for (const Mode mode : {Mode::Default, Mode::Strict}) {
    CompileOptions options;
    options.mode = mode;
    CheckCounts counts;
    for (const std::string& graph : layout_graphs()) {
      CAPTURE(graph);
      for (const Sizes& sizes : {Sizes{{"m", 264}, {"n", 136}}, Sizes{{"m", 37}, {"n", 41}},
                                 Sizes{{"m", 1}, {"n", 40}}, Sizes{{"m", 0}, {"n", 40}}}) {
        CHECK(check_all_layouts(graph, sizes, Device::cuda(0), options, &counts) == "");
      }
    }
    CHECK(counts.compared > 0);
  }
}

}  // namespace sinter::tests
