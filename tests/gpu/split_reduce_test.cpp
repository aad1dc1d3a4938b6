// The schedule split_reduce on a GPU: every config of every class on whole numbers, whose sums are exact in
// every order, against the interpreter of kernels.
#include <doctest/doctest.h>

#include "tests/gpu/gpu_kernel.h"

namespace sinter::tests {
namespace {

void check_splits(const std::string& text, const std::map<std::string, std::int64_t>& sizes) {
  check_configs_on_gpu("split_reduce", text, sizes);
}

}  // namespace

TEST_CASE("columns, whole vectors and not, with something before and behind") {
  const std::string columns = R"(graph g(%x: bf16[m, n], %b: f32[n]) {
    %0: f32[m, n] = cast(%x) {dtype: f32}
    %1: f32[m, n] = mul(%0, %0)
    %2: f32[n] = sum(%1) {axes: [0]}
    %3: f32[n] = add(%2, %b)
    return %3
  })";
  check_splits(columns, {{"m", 1000}, {"n", 520}});
  check_splits(columns, {{"m", 777}, {"n", 33}});
  check_splits(columns, {{"m", 1}, {"n", 1}});
  check_splits(columns, {{"m", 0}, {"n", 40}});
}

TEST_CASE("whole tensors and few rows") {
  check_splits(R"(graph g(%x: f32[m, n]) {
    %0: f32 = sum(%x) {axes: [0, 1]}
    %1: f32 = max(%x) {axes: [0, 1]}
    return %0, %1
  })",
               {{"m", 512}, {"n", 1024}});
  check_splits(R"(graph g(%x: f32[3, n]) {
    %0: f32[3] = sum(%x) {axes: [1]}
    return %0
  })",
               {{"n", 100001}});
}

TEST_CASE("the place of the largest, over a middle axis") {
  check_splits(R"(graph g(%x: f16[5, m, 72]) {
    %0: i64[5, 72] = argmax(%x) {axis: 1}
    return %0
  })",
               {{"m", 301}});
}

TEST_CASE("axes on both sides of what is kept") {
  check_splits(R"(graph g(%x: f32[m, 40, 50]) {
    %0: f32[40] = sum(%x) {axes: [0, 2]}
    return %0
  })",
               {{"m", 300}});
}

}  // namespace sinter::tests
