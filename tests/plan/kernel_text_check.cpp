#include "tests/plan/kernel_text_check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "codegen/plan/plan.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "tests/support/graph_text_check.h"

namespace sinter::tests {

void check_kernel(const std::string& graph, const std::string& expected) {
  const ir::Graph parsed = graph_of(graph);
  std::vector<codegen::KernelRoot> roots;
  for (const ir::Value output : parsed.outputs()) {
    roots.push_back({output, fmt::format("out{}", roots.size())});
  }
  const ir::Kernel kernel = codegen::lower_to_kernel(parsed, roots);
  ir::verify_kernel(kernel);
  const ir::Kernel wanted = ir::parse_kernel("kernel g" + expected);
  if (kernel == wanted) {
    CHECK(kernel == wanted);
    return;
  }
  FAIL_CHECK("graph:\n"
             << graph << "\nkernel:\n"
             << ir::to_string(kernel) << "\nexpected:\n"
             << ir::to_string(wanted));
}

}  // namespace sinter::tests
