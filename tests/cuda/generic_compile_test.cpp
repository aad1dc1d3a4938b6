// Kernels of the generic CUDA schedule through NVRTC and ptxas, without a GPU.
#include <doctest/doctest.h>

#include "ir/facts.h"
#include "runtime/cuda/cubin.h"
#include "runtime/cuda/nvrtc.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

using namespace sinter;

namespace {

/// Compiles and looks at registers and local memory.
void check_compiles(const codegen::Program& program, const std::string& arch) {
  REQUIRE(program.sources.size() == 1);
  CAPTURE(arch);
  CAPTURE(program.sources[0].text);

  const runtime::CubinAndLog compiled = runtime::compile_to_cubin(program.sources[0], arch);

  CHECK(compiled.log == "");
  const auto resources = runtime::read_cubin_resources(compiled.cubin);
  REQUIRE(resources.size() == program.entries.size());
  CHECK(resources[0].symbol == program.entries[0].symbol);
  CHECK(resources[0].registers > 0);
  CHECK(resources[0].registers <= 128);
  CHECK(resources[0].local_bytes == 0);
}

codegen::Program emit(const ir::Kernel& kernel, const ir::Facts& facts, std::int64_t team,
                      const std::string& arch) {
  const codegen::Config config{"generic", {{"team", team}, {"threads", 256}}};
  return tests::cuda_schedule("generic").emit(kernel, facts, config,
                                              codegen::make_cuda_target(arch));
}

}  // namespace

namespace sinter::tests {

TEST_CASE("every kernel compiles for every architecture without local memory") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  const codegen::Schedule& generic = cuda_schedule("generic");
  for (const std::string& arch : test_architectures()) {
    const codegen::Target target = codegen::make_cuda_target(arch);
    for (const std::string& name : cuda_kernel_names()) {
      const ir::Kernel kernel = read_kernel(name);
      if (generic.refuses(kernel, target)) continue;
      CAPTURE(name);
      const ir::Facts narrow = generic.classes(kernel).front();

      const auto candidates = generic.candidates(kernel, narrow, target, {});
      REQUIRE(!candidates.empty());
      check_compiles(generic.emit(kernel, narrow, candidates[0].config, target), arch);
    }
  }
}

TEST_CASE("kernels compile for strides of any kind and for every team") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  const std::string arch = test_architectures().back();
  for (const char* name : {"scale_add", "conv2d", "argmax", "matmul", "gathered_matmul"}) {
    const ir::Kernel kernel = read_kernel(name);
    CAPTURE(name);
    check_compiles(emit(kernel, {}, 1, arch), arch);
    if (std::string(name) == "scale_add") continue;
    check_compiles(emit(kernel, {}, 32, arch), arch);
    check_compiles(emit(kernel, {}, 256, arch), arch);
  }
}

TEST_CASE("a plain copy of many dimensions needs no division") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  const ir::Kernel kernel = read_kernel("copy3");
  const ir::Facts narrow = cuda_schedule("generic").classes(kernel).front();
  const codegen::Program program = emit(kernel, narrow, 1, "sm_90a");

  const auto compiled = runtime::compile_to_cubin(program.sources[0], "sm_90a");

  // The compiler saw that the offset is the flat index: a division takes more registers.
  CHECK(runtime::read_cubin_resources(compiled.cubin)[0].registers <= 12);
}

}  // namespace sinter::tests
