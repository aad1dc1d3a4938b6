// A few whole kernels, for the reader of generated code. SINTER_UPDATE_GOLDEN=1 rewrites the files.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "support/options.h"
#include "tests/support/kernel_files.h"

namespace sinter::tests {
namespace {

void check_golden(const std::string& name, std::size_t facts_class, std::int64_t team) {
  const codegen::Schedule& generic = cuda_schedule("generic");
  const ir::Kernel kernel = read_kernel(name);
  const codegen::Config config{"generic", {{"team", team}, {"threads", 256}}};
  const std::string path = "tests/cuda/golden/" + name + "_team" + std::to_string(team) + ".cu";

  const codegen::Program program = generic.emit(kernel, generic.classes(kernel).at(facts_class),
                                                config, codegen::make_cuda_target("sm_90a"));

  const std::string& text = program.sources.at(0).text;
  if (support::option_integer(support::Option::UpdateGolden) == 1) {
    std::ofstream(path, std::ios::binary) << text;
  }
  std::stringstream golden;
  golden << std::ifstream(path, std::ios::binary).rdbuf();
  CAPTURE(path);
  CHECK(golden.str() == text);
}

}  // namespace

TEST_CASE("pointwise kernel with broadcasts, contiguous and small") {
  check_golden("scale_add", 0, 1);
}
TEST_CASE("contraction of strided tensors, one thread an element") { check_golden("matmul", 2, 1); }
TEST_CASE("reduction by a function, one block an element") { check_golden("argmax", 1, 256); }
TEST_CASE("scan from the end") { check_golden("running_max", 0, 1); }

}  // namespace sinter::tests
