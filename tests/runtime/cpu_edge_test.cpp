// Corners of the language on the CPU against the reference: in the default mode and the fast one, which
// share most kernels. Strict mode has a file of its own.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/support/device_run.h"
#include "tests/support/edge_graphs.h"

namespace sinter::tests {

TEST_CASE("corners of the language are right, fused and not, whatever rounds") {
  CHECK(check_edge_graphs(Device::cpu(), Mode::Default) == "");
  CHECK(check_edge_graphs(Device::cpu(), Mode::Fast) == "");
}

TEST_CASE("casts between all types, there and back") {
  for (const EdgeGraph& edge : cast_graphs()) {
    const std::string trouble = check_edge_graph(edge, Device::cpu());
    CHECK_MESSAGE(trouble.empty(), trouble);
  }
}

TEST_CASE(
    "a narrow chain in which each operator rounds is what single operators give, bit for bit") {
  const std::string types = "(%x: bf16[1000], %y: bf16[1000], %z: bf16[1000]) {\n";
  const ir::Graph chain = ir::parse_graph("graph g" + types + R"(  %0: bf16[1000] = mul(%x, %y)
  %1: bf16[1000] = add(%0, %z)
  %2: bf16[1000] = tanh(%1)
  %3: bf16[1000] = mul(%2, %0)
  return %3
})");
  // Every operator an output: each of them rounds what the next one sees.
  const ir::Graph single = ir::parse_graph("graph g" + types + R"(  %0: bf16[1000] = mul(%x, %y)
  %1: bf16[1000] = add(%0, %z)
  %2: bf16[1000] = tanh(%1)
  %3: bf16[1000] = mul(%2, %0)
  return %3, %0, %1, %2
})");
  const auto inputs = make_inputs(chain, {}, 11, Layout::Contiguous, Values::Normal);
  const Device device = Device::cpu();
  CompileOptions apart;
  apart.fuse = false;
  CompileOptions each;
  each.rounding = Rounding::Each;
  CompileOptions each_apart = each;
  each_apart.fuse = false;

  const auto expected = run_on_device(single, inputs, device, apart).at(0);

  CHECK(run_on_device(chain, inputs, device, each).at(0) == expected);
  CHECK(run_on_device(chain, inputs, device, each_apart).at(0) == expected);
  CHECK(run_on_device(chain, inputs, device).at(0) != expected);
}

}  // namespace sinter::tests
