// Compiling, loading and launching on the CPU from several threads at once.
#include <doctest/doctest.h>

#include <thread>

#include "ir/text.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

TEST_CASE("trap E03: threads that compile and launch at once do not disturb each other") {
  const ir::Kernel kernel = ir::parse_kernel(R"(kernel product {
    axis i: m
    axis j: n
    axis k: l
    in x: bf16[m, l]
    in w: bf16[l, n]
    out y: f32[m, n]
    %x: bf16 (i, k) = load() {param: x, map: [i, k]}
    %w: bf16 (j, k) = load() {param: w, map: [k, j]}
    %p: f32 (i, j) = contract(%x, %w) {axes: [k], dtype: f32, precision: split}
    %y: f32 (i, j) = neg(%p)
    store(%y) {param: y, map: [i, j]}
  })");
  const std::map<std::string, std::int64_t> sizes = {{"m", 70}, {"n", 65}, {"l", 33}};
  const auto inputs = random_inputs(kernel, sizes, 5);
  const BitsTensor expected = run_on_cpu(kernel, sizes, inputs, {.schedule = "blas"}).at("y");

  std::vector<BitsTensor> results(6);
  std::vector<std::thread> threads;
  for (BitsTensor& result : results) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        result = run_on_cpu(kernel, sizes, inputs, {.schedule = "blas"}).at("y");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  for (const BitsTensor& result : results) CHECK(result.bits == expected.bits);
}

}  // namespace sinter::tests
