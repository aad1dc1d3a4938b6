// Compiling Programs to object files, and loaded Programs.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "runtime/cpu/jit/cpu_jit_api.h"
#include "runtime/cpu/launch.h"

namespace sinter::runtime {

/// An object file with all entry points. CompileError shows LLVM's message and the lines around it.
Binary compile_cpu_program(const SinterCpuJitApi& jit, const codegen::Program& program,
                           const codegen::Target& target);

/// A Program whose object is linked into this process.
class CpuProgram final : public LoadedProgram {
 public:
  CpuProgram(const SinterCpuJitApi& jit, ThreadPool& pool, codegen::Program program,
             const Binary& binary);
  ~CpuProgram() override;
  CpuProgram(const CpuProgram&) = delete;
  CpuProgram& operator=(const CpuProgram&) = delete;

  std::unique_ptr<BoundProgram> bind(const ir::CallNames& names) override;
  std::vector<EntryResources> resources() const override { return {}; }

 private:
  const SinterCpuJitApi& jit_;
  ThreadPool& pool_;
  codegen::Program program_;
  void* loaded_ = nullptr;
  std::map<std::string, CpuFunction> functions_;  // of Parallel entries, by symbol
};

}  // namespace sinter::runtime
