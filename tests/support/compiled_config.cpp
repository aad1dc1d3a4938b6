#include "tests/support/compiled_config.h"

#include <doctest/doctest.h>

#include "runtime/cuda/nvrtc.h"

namespace sinter::tests {

std::vector<runtime::EntryResources> check_config_compiles(const codegen::Schedule& schedule,
                                                           const ir::Kernel& kernel,
                                                           const ir::Facts& facts,
                                                           const codegen::Config& config,
                                                           const std::string& arch) {
  CAPTURE(arch);
  CAPTURE(codegen::to_string(config));
  const auto program = schedule.emit(kernel, facts, config, codegen::make_cuda_target(arch));
  const auto compiled = runtime::compile_to_cubin(program.sources.at(0), arch);
  CHECK(compiled.log == "");
  const auto resources = runtime::read_cubin_resources(compiled.cubin);
  for (const auto& one : resources) CHECK(one.local_bytes == 0);
  return resources;
}

}  // namespace sinter::tests
