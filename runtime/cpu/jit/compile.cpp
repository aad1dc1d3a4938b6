// Parses and verifies IR, optimizes it at O2, and writes an object file. LLVM's C interface is the
// same in all versions, and its headers are small.
#include "runtime/cpu/jit/compile.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/cpu/jit/llvm_text.h"

namespace sinter::runtime::cpu_jit {

namespace {

/// Deletes what a C interface made.
template <auto dispose>
struct Disposer {
  template <typename T>
  void operator()(T* object) const {
    dispose(object);
  }
};
template <typename Ref, auto dispose>
using Owned = std::unique_ptr<std::remove_pointer_t<Ref>, Disposer<dispose>>;

using Context = Owned<LLVMContextRef, LLVMContextDispose>;
using Module = Owned<LLVMModuleRef, LLVMDisposeModule>;
using Machine = Owned<LLVMTargetMachineRef, LLVMDisposeTargetMachine>;
using Layout = Owned<LLVMTargetDataRef, LLVMDisposeTargetData>;
using PassOptions = Owned<LLVMPassBuilderOptionsRef, LLVMDisposePassBuilderOptions>;
using Buffer = Owned<LLVMMemoryBufferRef, LLVMDisposeMemoryBuffer>;

/// "b,a" -> "a,b": features by name, whatever their sign.
std::string sort_features(const std::string& list) {
  std::vector<std::string> features;
  std::size_t begin = 0;
  while (begin < list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    features.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  std::sort(features.begin(), features.end(),
            [](const auto& a, const auto& b) { return a.substr(1) < b.substr(1); });
  std::string sorted;
  for (const std::string& feature : features) sorted += (sorted.empty() ? "" : ",") + feature;
  return sorted;
}

/// Options are LLVM's own: only an fma that the IR asks for is one.
Machine make_machine(const std::string& cpu, const std::string& features) {
  initialize_target();
  const std::string triple = take_text(LLVMGetDefaultTargetTriple());
  LLVMTargetRef target = nullptr;
  char* problem = nullptr;
  if (LLVMGetTargetFromTriple(triple.c_str(), &target, &problem) != 0) {
    throw std::runtime_error(take_text(problem));
  }
  Machine machine(LLVMCreateTargetMachine(target, triple.c_str(), cpu.c_str(), features.c_str(),
                                          LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                          LLVMCodeModelDefault));
  if (!machine) throw std::runtime_error("LLVM has no target machine for " + triple);
  return machine;
}

/// LLVM's "ir:3:5: error: text" and an excerpt -> "3:5: text".
std::string shorten_diagnostic(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  const std::string kind = "error: ";
  if (const auto at = line.find(kind); at != std::string::npos) line.erase(at, kind.size());
  return line.rfind("ir:", 0) == 0 ? line.substr(3) : line;
}

Module parse(std::string_view ir_text, LLVMContextRef context) {
  // The parser takes the buffer.
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(ir_text.data(), ir_text.size(), "ir");
  LLVMModuleRef module = nullptr;
  char* problem = nullptr;
  if (LLVMParseIRInContext(context, buffer, &module, &problem) != 0) {
    throw std::runtime_error(shorten_diagnostic(take_text(problem)));
  }
  Module owned(module);
  problem = nullptr;
  const bool is_broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &problem) != 0;
  const std::string found = take_text(problem);
  if (is_broken) throw std::runtime_error(found);
  return owned;
}

/// The usual O2 passes but for the vectorizers: Sinter's code is explicit about its vectors.
void optimize(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  const PassOptions options(LLVMCreatePassBuilderOptions());
  LLVMPassBuilderOptionsSetLoopVectorization(options.get(), 0);
  LLVMPassBuilderOptionsSetSLPVectorization(options.get(), 0);
  LLVMPassBuilderOptionsSetLoopUnrolling(options.get(), 0);
  require(LLVMRunPasses(module, "default<O2>", machine, options.get()));
}

}  // namespace

void initialize_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
  });
}

const Host& host() {
  static const Host description = {take_text(LLVMGetHostCPUName()),
                                   sort_features(take_text(LLVMGetHostCPUFeatures()))};
  return description;
}

std::string compile_ir(std::string_view ir_text, const std::string& cpu,
                       const std::string& features) {
  const Context context(LLVMContextCreate());
  const Machine machine = make_machine(cpu, features);
  const Module module = parse(ir_text, context.get());
  const Layout layout(LLVMCreateTargetDataLayout(machine.get()));
  LLVMSetModuleDataLayout(module.get(), layout.get());
  LLVMSetTarget(module.get(), take_text(LLVMGetTargetMachineTriple(machine.get())).c_str());
  optimize(module.get(), machine.get());
  LLVMMemoryBufferRef object = nullptr;
  char* problem = nullptr;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine.get(), module.get(), LLVMObjectFile, &problem,
                                          &object) != 0) {
    throw std::runtime_error("LLVM cannot write an object file: " + take_text(problem));
  }
  const Buffer owned(object);
  return {LLVMGetBufferStart(object), LLVMGetBufferSize(object)};
}

}  // namespace sinter::runtime::cpu_jit
