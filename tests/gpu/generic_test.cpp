// Kernels of the generic schedule on a GPU, against the interpreter.
#include <doctest/doctest.h>

#include "tests/gpu/gpu_kernel.h"
#include "tests/support/cpu_kernel.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

using Sizes = std::map<std::string, std::int64_t>;

bool has_gpu() {
  std::string why;
  const bool found = first_gpu(&why) != nullptr;
  if (!found) skip(why);
  return found;
}

/// One thread an element, in every class: the interpreter's order, so its bits.
void check_in_order(const std::string& name, const Sizes& sizes) {
  for (const std::size_t facts_class : {0, 1, 2}) {
    check_gpu_kernel(name, sizes, {.facts_class = facts_class});
  }
  check_gpu_kernel(name, sizes, {.facts_class = 2, .is_spread = true});
}

/// A warp and a block an element: any order, so values.
void check_shared(const std::string& name, const Sizes& sizes, double tolerance) {
  for (const std::int64_t team : {32, 256}) {
    check_gpu_kernel(name, sizes, {.team = team}, tolerance);
    check_gpu_kernel(name, sizes, {.facts_class = 2, .team = team, .is_spread = true}, tolerance);
  }
}

}  // namespace

TEST_CASE("pointwise kernels are exact in every class and layout") {
  if (!has_gpu()) return;
  check_in_order("scale_add", {{"m", 37}, {"n", 65}});
  check_in_order("copy3", {{"l", 3}, {"m", 5}, {"n", 129}});
  check_in_order("concat", {{"m", 4}, {"n", 3}});
}

TEST_CASE("predicates and index values are exact") {
  if (!has_gpu()) return;
  for (const std::int64_t n : {1, 2, 3, 7, 300}) check_in_order("shifted", {{"n", n}});
}

TEST_CASE("every operator and conversion gives the interpreter's bits, special values included") {
  if (!has_gpu()) return;
  for (const std::string& name : cuda_kernel_names()) {
    if (name.find("operators_") != 0 && name.find("casts_") != 0) continue;
    const ir::Kernel kernel = read_kernel(name);
    const Sizes sizes = {{"n", 2000}};
    const auto inputs = random_inputs(kernel, sizes, 11, true);
    CAPTURE(name);

    const auto actual = run_on_gpu(kernel, sizes, inputs);

    for (const auto& [output, expected] : interpret_kernel(kernel, sizes, inputs)) {
      CAPTURE(output);
      CHECK(count_differences(actual.at(output), expected) == 0);
    }
  }
}

TEST_CASE("reductions in order are exact, shared ones are close") {
  if (!has_gpu()) return;
  const Sizes sizes = {{"m", 5}, {"n", 1000}};
  check_in_order("row_sum", sizes);
  check_shared("row_sum", sizes, 1e-5);
  check_in_order("total", sizes);
  check_shared("total", sizes, 0);
}

TEST_CASE("a reduction by a function is exact in any order") {
  if (!has_gpu()) return;
  check_in_order("argmax", {{"m", 9}, {"n", 333}});
  check_shared("argmax", {{"m", 9}, {"n", 333}}, 0);
}

TEST_CASE("contractions in order are exact, shared ones are close") {
  if (!has_gpu()) return;
  check_in_order("matmul", {{"m", 13}, {"n", 33}, {"depth", 70}});
  check_shared("matmul", {{"m", 13}, {"n", 33}, {"depth", 70}}, 1e-2);
  check_in_order("conv2d", {{"batch", 1}, {"height", 5}, {"width", 6}});
}

TEST_CASE("scans are exact") {
  if (!has_gpu()) return;
  check_in_order("running_max", {{"m", 7}, {"n", 130}});
}

TEST_CASE("gathered rows are exact") {
  if (!has_gpu()) return;
  check_in_order("gathered_matmul", {{"tokens", 6}, {"n", 9}, {"width", 11}, {"vocabulary", 8}});
  check_in_order("top_k", {{"m", 3}, {"n", 40}});
  check_in_order("transposed_window", {{"m", 6}, {"n", 11}});
}

TEST_CASE("empty shapes store nothing, and empty folds give the identity") {
  if (!has_gpu()) return;
  check_in_order("scale_add", {{"m", 0}, {"n", 65}});
  check_in_order("row_sum", {{"m", 5}, {"n", 0}});
  check_shared("row_sum", {{"m", 5}, {"n", 0}}, 0);
  check_in_order("matmul", {{"m", 3}, {"n", 4}, {"depth", 0}});
  check_in_order("running_max", {{"m", 7}, {"n", 0}});
}

}  // namespace sinter::tests
