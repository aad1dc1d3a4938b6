// The whole product in one small file; runs before all other tests. An operator is traced, planned,
// compiled for the CPU, run, and proved right by the reference.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "ir/text.h"
#include "reference/compare.h"
#include "runtime/executable_impl.h"
#include "sinter/sinter.h"

namespace sn = sinter;

SINTER_OP(tiny_projection, (sn::Tensor x, sn::Tensor residual, sn::Tensor weight)) {
  return sn::tanh(sn::matmul(x, weight) + residual);
}

namespace {

std::vector<float> wave(std::size_t count, float step) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = std::sin(step * static_cast<float>(i + 1));
  return values;
}

sn::TensorView view_of(std::vector<float>& values, std::vector<std::int64_t> shape) {
  sn::TensorView view;
  view.data = values.data();
  view.shape = std::move(shape);
  return view;
}

}  // namespace

TEST_CASE("an operator is traced into the graph that its text form says") {
  const sn::ir::Graph graph =
      tiny_projection.trace({sn::f32("batch", 3, 16), sn::f32("batch", 3, 16), sn::f32(16, 16)});

  CHECK(graph == sn::ir::parse_graph(sn::ir::to_string(graph)));
  CHECK(graph.type(graph.outputs()[0]).shape.size() == 3);
  CHECK(graph.node(graph.outputs()[0]).location.line > 0);
}

TEST_CASE("it becomes one kernel") {
  const sn::Executable op =
      sn::compile(tiny_projection, sn::Device::cpu(),
                  {sn::f32("batch", 3, 16), sn::f32("batch", 3, 16), sn::f32(16, 16)});

  CHECK(op.impl().plan().kernels.size() == 1);
  CHECK(op.explain().find("matmul") != std::string::npos);
}

TEST_CASE("it runs on the CPU and is right by the reference, for every batch") {
  const sn::Device device = sn::Device::cpu();
  const sn::Executable op = sn::compile(
      tiny_projection, device, {sn::f32("batch", 3, 16), sn::f32("batch", 3, 16), sn::f32(16, 16)});
  const sn::Stream stream = device.make_stream();
  for (const std::int64_t batch : {0, 1, 5}) {
    const auto count = static_cast<std::size_t>(batch * 3 * 16);
    std::vector<float> x = wave(count, 0.7F);
    std::vector<float> residual = wave(count, 0.3F);
    std::vector<float> weight = wave(256, 1.1F);
    std::vector<float> out(count, std::nanf(""));

    op.run(stream,
           std::vector{view_of(x, {batch, 3, 16}), view_of(residual, {batch, 3, 16}),
                       view_of(weight, {16, 16})},
           std::vector{view_of(out, {batch, 3, 16})});

    using sn::reference::HostTensor;
    const std::vector<HostTensor> inputs = {{sn::DType::F32, {batch, 3, 16}, {}, x.data()},
                                            {sn::DType::F32, {batch, 3, 16}, {}, residual.data()},
                                            {sn::DType::F32, {16, 16}, {}, weight.data()}};
    const auto expected = sn::reference::evaluate(op.impl().graph(), inputs);
    const auto verdict = sn::reference::compare(expected.outputs[0],
                                                {sn::DType::F32, {batch, 3, 16}, {}, out.data()});
    CHECK_MESSAGE(verdict.failed == 0, verdict.text);
  }
}

TEST_CASE("a wrong call says what was given and what is needed") {
  const sn::Device device = sn::Device::cpu();
  const sn::Executable op =
      sn::compile(tiny_projection, device, {sn::f32(2, 16), sn::f32(2, 16), sn::f32(16, 16)});
  std::vector<float> data(256);
  const auto good = view_of(data, {2, 16});

  CHECK_THROWS_WITH_AS(
      op.run(device.make_stream(), std::vector{good, good, good}, std::vector{good}),
      "input weight has shape [2, 16]; [16, 16] is needed", sn::UserError);
}
