// Every composite and reduction in every kind of dtype on the CPU, against the reference.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/support/device_run.h"
#include "tests/support/operator_graphs.h"

namespace sinter::tests {

TEST_CASE("every operator of ops.def agrees with the reference on the CPU, fused and unfused") {
  CheckCounts counts;
  for (const ir::Graph& graph : make_operator_graphs()) {
    for (const Values values : {Values::Normal, Values::Special}) {
      const auto inputs = make_inputs(graph, {}, 7, Layout::Contiguous, values);
      for (const bool fuse : {true, false}) {
        CompileOptions options;
        options.fuse = fuse;
        const std::string trouble = check_on_device(graph, inputs, Device::cpu(), options, &counts);
        CHECK_MESSAGE(trouble.empty(), ir::to_string(graph), trouble);
      }
    }
  }
}

}  // namespace sinter::tests
