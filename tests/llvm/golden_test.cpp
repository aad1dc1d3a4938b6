// The text of few, small kernels. SINTER_UPDATE_GOLDEN=1 rewrites tests/llvm/golden; review the diff.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "codegen/llvm/nest_program.h"
#include "ir/text.h"
#include "runtime/cpu/jit_module.h"
#include "support/options.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Compares the program of the kernel, for the fixed target, with the golden file, and compiles it.
void check_golden(const std::string& schedule, const std::string& kernel_text) {
  const ir::Kernel kernel = ir::parse_kernel(kernel_text);
  const codegen::Target target = codegen::make_cpu_target();
  const ir::Facts facts = cpu_schedule(schedule).classes(kernel).at(0);
  const codegen::Program program = cpu_program(kernel, schedule, facts, target);
  const std::string path = "tests/llvm/golden/" + kernel.name() + ".ll";

  if (support::option_integer(support::Option::UpdateGolden) != 0) {
    std::ofstream(path) << program.sources[0].text;
  }

  CHECK(program.sources[0].text == read_file(path));
  const SinterCpuJitApi& jit = runtime::cpu_jit();
  std::size_t size = 0;
  char* error = nullptr;
  const std::string& text = program.sources[0].text;
  void* object = jit.compile(text.c_str(), text.size(), target.arch.c_str(),
                             target.features.c_str(), &size, &error);
  REQUIRE_MESSAGE(object != nullptr, runtime::take_text(jit, error));
  jit.free_object(object);
}

}  // namespace

TEST_CASE("a bf16 bias and relu") {
  check_golden("generic", R"(kernel bias_relu {
    axis i: m
    axis j: n
    in x: bf16[m, n]
    in bias: f32[n]
    out y: f32[m, n]
    %0: bf16 (i, j) = load() {param: x, map: [i, j]}
    %1: f32 (i, j) = cast(%0) {dtype: f32}
    %2: f32 (j) = load() {param: bias, map: [j]}
    %3: f32 (i, j) = add(%1, %2)
    %4: f32 = constant() {value: 0.0: f32}
    %5: f32 (i, j) = maximum(%3, %4)
    store(%5) {param: y, map: [i, j]}
  })");
}

TEST_CASE("a sum of rows") {
  check_golden("generic", R"(kernel row_sum {
    axis i: m
    axis j: n
    in x: f32[m, n]
    out y: f32[m]
    %0: f32 (i, j) = load() {param: x, map: [i, j]}
    %1: f32 (i) = reduce(%0) {axes: [j], reducer: add}
    store(%1) {param: y, map: [i]}
  })");
}

TEST_CASE("the epilogue of a product") {
  check_golden("blas", R"(kernel residual {
    axis i: m
    axis j: n
    axis k: l
    in x: f32[m, l]
    in w: f32[l, n]
    in r: f32[m, n]
    out y: f32[m, n]
    %x: f32 (i, k) = load() {param: x, map: [i, k]}
    %w: f32 (j, k) = load() {param: w, map: [k, j]}
    %p: f32 (i, j) = contract(%x, %w) {axes: [k], dtype: f32, precision: split}
    %r: f32 (i, j) = load() {param: r, map: [i, j]}
    %y: f32 (i, j) = add(%p, %r)
    store(%y) {param: y, map: [i, j]}
  })");
}

TEST_CASE("the same program twice has the same bytes") {
  const ir::Kernel kernel = ir::parse_kernel(R"(kernel same {
    axis i: n
    in x: f32[n]
    out y: f32[n]
    %0: f32 (i) = load() {param: x, map: [i]}
    %1: f32 (i) = tanh(%0)
    store(%1) {param: y, map: [i]}
  })");
  const codegen::Target target = codegen::make_cpu_target();

  const std::string first = to_string(cpu_program(kernel, "generic", {}, target));

  CHECK(first == to_string(cpu_program(kernel, "generic", {}, target)));
}

}  // namespace sinter::tests
