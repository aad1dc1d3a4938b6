// Random graphs, normalized and planned, then interpreted kernel by kernel: the reference agrees with
// what comes out, whatever was fused.
#include <doctest/doctest.h>

#include <cstring>

#include "codegen/normalize/normalize.h"
#include "codegen/plan/plan.h"
#include "ir/verify.h"
#include "reference/compare.h"
#include "reference/evaluate.h"
#include "tests/plan/fake_schedules.h"
#include "tests/support/kernel_interpreter.h"
#include "tests/support/random_graph.h"
#include "tests/support/random_inputs.h"

namespace sinter::tests {

namespace {

using Tensors = std::map<std::string, BitsTensor>;

constexpr std::uint64_t kGraphs = 150;

/// Inputs that are dense.
Tensors bits_of(const ir::Graph& graph, const std::vector<RandomInput>& inputs) {
  Tensors tensors;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const reference::HostTensor& host = inputs[i].tensor;
    BitsTensor tensor{host.dtype, host.extents, {}};
    const std::size_t width = size_bytes(host.dtype);
    tensor.bits.resize(static_cast<std::size_t>(element_count(host.extents)));
    for (std::size_t e = 0; e < tensor.bits.size(); ++e) {
      std::memcpy(&tensor.bits[e], static_cast<const std::byte*>(host.data) + e * width, width);
    }
    tensors[graph.parameter_name(graph.parameters()[i])] = std::move(tensor);
  }
  return tensors;
}

std::vector<std::byte> bytes_of(const BitsTensor& tensor) {
  const std::size_t width = size_bytes(tensor.dtype);
  std::vector<std::byte> bytes(tensor.bits.size() * width);
  for (std::size_t e = 0; e < tensor.bits.size(); ++e) {
    std::memcpy(bytes.data() + e * width, &tensor.bits[e], width);
  }
  return bytes;
}

/// All tensors of the plan after its kernels ran one after the other.
Tensors run_plan(const codegen::Plan& plan, const std::map<std::string, std::int64_t>& sizes,
                 Tensors tensors) {
  for (const codegen::PlannedKernel& planned : plan.kernels) {
    ir::verify_kernel(planned.kernel);
    Tensors outputs = interpret_kernel(planned.kernel, sizes, tensors);
    for (auto& [name, tensor] : outputs) tensors[name] = std::move(tensor);
  }
  return tensors;
}

void check_plans(std::span<const codegen::Schedule> schedules, bool fuse,
                 codegen::Rounding rounding = codegen::Rounding::Outputs) {
  RandomGraphOptions small;
  small.most_nodes = 6;
  small.most_elements = 60;
  small.most_products = 200;
  codegen::PlanOptions options;
  options.fuse = fuse;
  codegen::NormalizeOptions normalize_options;
  normalize_options.rounding = rounding;
  reference::EvaluateOptions evaluate_options;
  evaluate_options.round_each = rounding == codegen::Rounding::Each;
  for (std::uint64_t seed = 1; seed <= kGraphs; ++seed) {
    const RandomGraph random = make_random_graph(seed, small);
    const auto inputs =
        make_inputs(random.graph, random.sizes, seed, Layout::Contiguous, Values::Any);
    const ir::Graph graph = codegen::normalize(random.graph, normalize_options);
    const codegen::Plan plan =
        codegen::make_plan(graph, codegen::make_cpu_target(), schedules, options);
    INFO(describe(random) << codegen::to_string(plan, graph));

    const Tensors tensors = run_plan(plan, random.sizes, bits_of(random.graph, inputs));

    const auto expected = reference::evaluate(random.graph, tensors_of(inputs), evaluate_options);
    for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
      const BitsTensor& tensor = tensors.at(plan.outputs[i]);
      const std::vector<std::byte> bytes = bytes_of(tensor);
      const auto comparison =
          reference::compare(expected.outputs[i], {tensor.dtype, tensor.extents, {}, bytes.data()});
      CHECK_MESSAGE(comparison.failed == 0, comparison.text);
    }
  }
}

}  // namespace

TEST_CASE("unfused plans compute what the graph means") { check_plans(anything(), false); }

TEST_CASE("plans with at most one fold a kernel compute what the graph means") {
  check_plans(generic_only(), true);
}

TEST_CASE("plans that fuse all they can compute what the graph means") {
  check_plans(anything(), true);
}

TEST_CASE("with rounding each every node is rounded as the graph means") {
  check_plans(anything(), true, codegen::Rounding::Each);
}

}  // namespace sinter::tests
