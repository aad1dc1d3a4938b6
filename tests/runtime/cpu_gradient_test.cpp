// Gradients of every operator on the CPU, against the reference's evaluation of the same graph.
#include <doctest/doctest.h>

#include "ir/differentiate/gradient.h"
#include "ir/text.h"
#include "tests/support/device_run.h"
#include "tests/support/gradient_graphs.h"

namespace sinter::tests {

TEST_CASE("gradients of every operator agree with the reference on the CPU") {
  CheckCounts counts;
  for (const DType dtype : {DType::F32, DType::BF16}) {
    for (const ir::Graph& graph : make_differentiable_graphs(dtype)) {
      const ir::Graph gradient = ir::make_gradient(graph, {}, {});
      const auto inputs = make_inputs(gradient, {}, 7, Layout::Contiguous, Values::Normal);

      const std::string trouble = check_on_device(gradient, inputs, Device::cpu(), {}, &counts);

      CHECK_MESSAGE(trouble.empty(), ir::to_string(gradient), trouble);
    }
  }
}

}  // namespace sinter::tests
