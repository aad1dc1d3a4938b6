// Kernels cut in two: both parts, one after the other, compute what the whole does.
#include "codegen/split_kernel.h"

#include <doctest/doctest.h>

#include "codegen/plan/cut_kernel.h"
#include "codegen/plan/plan_layout.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {
namespace {

/// A softmax of a sum that is stored as well; its operands and first result lie across.
const std::string kSumSoftmax = R"(kernel sum_softmax {
  axis i: m
  axis j: n
  in x: f32[n, m]
  in w: f32[n]
  out s: f32[m, n]
  out y: f32[n, m]
  %0: f32 (i, j) = load() {param: x, map: [j, i]}
  %1: f32 (j) = load() {param: w, map: [j]}
  %2: f32 (i, j) = add(%0, %1)
  store(%2) {param: s, map: [i, j]}
  %4: f32 (i) = reduce(%2) {axes: [j], reducer: maximum}
  %5: f32 (i, j) = sub(%2, %4)
  %6: f32 (i, j) = mul(%5, %5)
  %7: f32 (i) = reduce(%6) {axes: [j], reducer: add}
  %8: f32 (i, j) = div(%6, %7)
  store(%8) {param: y, map: [j, i]}
}
)";

using Sizes = std::map<std::string, std::int64_t>;

std::vector<std::string> param_names(const ir::Kernel& kernel) {
  std::vector<std::string> names;
  for (const ir::KernelParam& param : kernel.params()) names.push_back(param.name);
  return names;
}

/// Runs the parts in order; what one stores, the later ones load.
void check_parts(const ir::Kernel& whole, const std::vector<ir::Kernel>& parts) {
  const Sizes sizes = {{"m", 5}, {"n", 7}};
  std::map<std::string, BitsTensor> tensors = random_inputs(whole, sizes, 3);
  const auto expected = interpret_kernel(whole, sizes, tensors);
  for (const ir::Kernel& part : parts) {
    CAPTURE(ir::to_string(part));
    ir::verify_kernel(part);
    for (auto& [name, tensor] : interpret_kernel(part, sizes, tensors)) {
      tensors[name] = std::move(tensor);
    }
  }
  for (const auto& [name, tensor] : expected) {
    CHECK(count_differences(tensors.at(name), tensor) == 0);
  }
}

}  // namespace

TEST_CASE("a kernel is cut where its operands are in order, at its first folds, at its results") {
  const ir::Kernel kernel = ir::parse_kernel(kSumSoftmax);

  const auto cuts = codegen::find_cuts(kernel, {{"x", {0, 1}}, {"y", {1, 0}}});

  REQUIRE(cuts.size() == 3);
  using Names = std::vector<std::string>;
  const Names befores[] = {{"x", "w", "s"}, {"x", "w", "part0"}, {"x", "w", "s", "part0"}};
  const Names behinds[] = {{"s", "y"}, {"x", "w", "part0", "s", "y"}, {"part0", "y"}};
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    const auto split =
        codegen::split_kernel(kernel, cuts[c].values, cuts[c].early_stores, cuts[c].order);
    // The sum is stored in any case: whoever needs it reads it there.
    CHECK(param_names(split.before) == befores[c]);
    CHECK(param_names(split.behind) == behinds[c]);
    CHECK(split.intermediates.size() == (c == 0 ? 0 : 1));
    check_parts(kernel, {split.before, split.behind});
    if (c != 2) continue;
    const ir::Shape in_order = {ir::IndexExpr::size("n"), ir::IndexExpr::size("m")};
    CHECK(split.intermediates[0].shape == in_order);
  }
}

TEST_CASE("what does not fold or lies in order is not cut") {
  const ir::Kernel kernel = ir::parse_kernel(kSumSoftmax);
  CHECK(codegen::find_cuts(kernel, {}).empty());
  CHECK(codegen::find_cuts(kernel, {{"w", {1}}}).empty());
  const auto pointwise = ir::parse_kernel(R"(kernel copy {
  axis i: m
  axis j: n
  in x: f32[n, m]
  out y: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [j, i]}
  store(%0) {param: y, map: [i, j]}
}
)");
  CHECK(codegen::find_cuts(pointwise, {{"x", {0, 1}}}).empty());
  // A cut at the operand would write each element once for every window that it is in.
  const auto windows = ir::parse_kernel(R"(kernel windows {
  axis c: 8
  axis i: n
  axis k: 5
  in x: f32[n + 4, 8]
  out y: f32[8, n]
  %0: f32 (c, i, k) = load() {param: x, map: [i + k, c]}
  %1: f32 (c, i) = reduce(%0) {axes: [k], reducer: maximum}
  store(%1) {param: y, map: [c, i]}
}
)");
  const auto cuts = codegen::find_cuts(windows, {{"x", {0, 1, 2}}});
  REQUIRE(cuts.size() == 1);
  CHECK(cuts[0].values == std::vector{ir::Value{1, 0}});
}

TEST_CASE("parts of parts have tensors of their own, the same for the same orders") {
  const codegen::Target h200 = codegen::make_cuda_target("sm_90a");
  const ir::Kernel kernel = ir::parse_kernel(R"(kernel softmax {
  axis i: m
  axis j: n
  in x: f32[m, n]
  in part0: f32[m, n]
  out y: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i) = reduce(%0) {axes: [j], reducer: maximum}
  %2: f32 (i, j) = sub(%0, %1)
  %3: f32 (i, j) = exp(%2)
  %4: f32 (i) = reduce(%3) {axes: [j], reducer: add}
  %5: f32 (i, j) = div(%3, %4)
  %6: f32 (i, j) = load() {param: part0, map: [i, j]}
  %7: f32 (i, j) = mul(%5, %6)
  store(%7) {param: y, map: [i, j]}
}
)");
  const Sizes sizes = {{"m", 8192}, {"n", 8192}};
  const codegen::DimensionOrders orders = {1, 0, 1, 0, 1, 0};

  const auto plan = codegen::plan_layout(kernel, orders, h200, codegen::cuda_schedules(), sizes);
  const auto again = codegen::plan_layout(kernel, orders, h200, codegen::cuda_schedules(), sizes);

  REQUIRE(plan.kernels.size() == 3);
  REQUIRE(plan.intermediates.size() == 2);
  CHECK(plan.intermediates[0].name == "part1");
  CHECK(plan.intermediates[1].name == "part2");
  std::vector<ir::Kernel> parts;
  for (std::size_t k = 0; k < 3; ++k) {
    parts.push_back(plan.kernels[k].kernel);
    CHECK(again.kernels[k].kernel == parts[k]);
    CHECK(again.kernels[k].schedule == plan.kernels[k].schedule);
  }
  check_parts(codegen::permute_kernel(kernel, orders), parts);
}

}  // namespace sinter::tests
