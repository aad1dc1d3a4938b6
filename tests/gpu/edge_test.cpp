// Corners of the language on the GPU against the reference.
#include <doctest/doctest.h>

#include "tests/support/edge_graphs.h"
#include "tests/support/skip.h"

namespace sinter::tests {

TEST_CASE("corners of the language are right on the GPU, whatever rounds") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  for (const Rounding rounding : {Rounding::Outputs, Rounding::Each}) {
    CompileOptions options;
    options.rounding = rounding;
    for (const EdgeGraph& edge : edge_graphs()) {
      const std::string trouble = check_edge_graph(edge, Device::cuda(0), options);
      CHECK_MESSAGE(trouble.empty(), trouble);
    }
  }
}

TEST_CASE("casts between all types, there and back, on the GPU") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  for (const EdgeGraph& edge : cast_graphs()) {
    const std::string trouble = check_edge_graph(edge, Device::cuda(0));
    CHECK_MESSAGE(trouble.empty(), trouble);
  }
}

}  // namespace sinter::tests
