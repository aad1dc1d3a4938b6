// Every composite and reduction in every kind of dtype on the GPU, and gradients, against the reference.
#include <doctest/doctest.h>

#include "ir/differentiate/gradient.h"
#include "ir/text.h"
#include "tests/support/device_run.h"
#include "tests/support/gradient_graphs.h"
#include "tests/support/operator_graphs.h"
#include "tests/support/skip.h"

namespace sinter::tests {

TEST_CASE("every operator of ops.def agrees with the reference on the GPU") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  CheckCounts counts;
  for (const ir::Graph& graph : make_operator_graphs()) {
    for (const Values values : {Values::Normal, Values::Special}) {
      const auto inputs = make_inputs(graph, {}, 7, Layout::Contiguous, values);
      const std::string trouble = check_on_device(graph, inputs, Device::cuda(0), {}, &counts);
      CHECK_MESSAGE(trouble.empty(), ir::to_string(graph), trouble);
    }
  }
}

TEST_CASE("gradients of every operator agree with the reference on the GPU") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  CheckCounts counts;
  for (const ir::Graph& graph : make_differentiable_graphs(DType::BF16)) {
    const ir::Graph gradient = ir::make_gradient(graph, {}, {});
    const auto inputs = make_inputs(gradient, {}, 7, Layout::Contiguous, Values::Normal);
    const std::string trouble = check_on_device(gradient, inputs, Device::cuda(0), {}, &counts);
    CHECK_MESSAGE(trouble.empty(), ir::to_string(gradient), trouble);
  }
}

}  // namespace sinter::tests
