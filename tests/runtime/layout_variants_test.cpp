// Tensors whose dimensions lie in any order in memory: kernels of that order, on the CPU.
#include <doctest/doctest.h>

#include <thread>

#include "ir/text.h"
#include "runtime/executable_impl.h"
#include "tests/support/device_run.h"
#include "tests/support/layout_check.h"
#include "tests/support/layout_graphs.h"

namespace sinter::tests {

TEST_CASE("every layout of operands and results agrees with the reference on the CPU") {
  for (const Mode mode : {Mode::Default, Mode::Strict}) {
    CompileOptions options;
    options.mode = mode;
    CheckCounts counts;
    for (const std::string& graph : layout_graphs()) {
      CAPTURE(graph);
      for (const std::int64_t m : {37, 1, 0}) {
        const std::map<std::string, std::int64_t> sizes = {{"m", m}, {"n", 40}};
        CHECK(check_all_layouts(graph, sizes, Device::cpu(), options, &counts) == "");
      }
    }
    CHECK(counts.compared > 0);
  }
}

TEST_CASE("many threads that want one layout get the same variants") {
  const Executable op = compile_lazily(ir::parse_graph(layout_graphs()[4]), Device::cpu());
  runtime::KernelLayouts layouts(op.impl().plan().kernels[0], Device::cpu().impl(), {},
                                 {{"m", "n"}, {"x", "out0"}});
  const std::int64_t sizes[] = {40, 32}, across[] = {1, 40}, along[] = {32, 1};

  std::vector<std::vector<const runtime::Variant*>> found(8);
  std::vector<std::thread> threads;
  for (auto& variants : found) {
    threads.emplace_back([&] {
      runtime::CallFrame frame;
      frame.sizes.assign(std::begin(sizes), std::end(sizes));
      frame.tensors = {{4096, sizes, across}, {8192, sizes, along}};
      layouts.find(frame);
      for (const runtime::Launch& launch : frame.launches) variants.push_back(launch.variant);
    });
  }
  for (std::thread& thread : threads) thread.join();

  CHECK(!found[0].empty());
  for (const auto& variants : found) CHECK(variants == found[0]);
  CHECK(layouts.kernels().size() == 1 + found[0].size());
}

}  // namespace sinter::tests
