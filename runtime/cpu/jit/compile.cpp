// Parses and verifies IR, optimizes it at O2, and writes an object file.
#include "runtime/cpu/jit/compile.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#if LLVM_VERSION_MAJOR >= 17
#include <llvm/TargetParser/Host.h>
#else
#include <llvm/Support/Host.h>
#endif

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace sinter::runtime::cpu_jit {

namespace {

Host describe_host() {
#if LLVM_VERSION_MAJOR >= 19
  const ::llvm::StringMap<bool> features = ::llvm::sys::getHostCPUFeatures();
#else
  ::llvm::StringMap<bool> features;
  ::llvm::sys::getHostCPUFeatures(features);
#endif
  std::map<std::string, bool> sorted;
  for (const auto& feature : features) sorted[feature.getKey().str()] = feature.getValue();
  Host host;
  host.cpu = ::llvm::sys::getHostCPUName().str();
  for (const auto& [name, is_present] : sorted) {
    if (!host.features.empty()) host.features += ',';
    host.features += (is_present ? "+" : "-") + name;
  }
  return host;
}

#if LLVM_VERSION_MAJOR >= 18
constexpr auto kCodeGenLevel = ::llvm::CodeGenOptLevel::Default;
#else
constexpr auto kCodeGenLevel = ::llvm::CodeGenOpt::Default;
#endif

std::unique_ptr<::llvm::TargetMachine> make_machine(const std::string& cpu,
                                                    const std::string& features) {
  initialize_target();
  const std::string triple = ::llvm::sys::getProcessTriple();
  std::string error;
  const ::llvm::Target* target = ::llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) throw std::runtime_error(error);
  ::llvm::TargetOptions options;
  // Only an fma that the IR asks for is one.
  options.AllowFPOpFusion = ::llvm::FPOpFusion::Strict;
  std::unique_ptr<::llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features, options, ::llvm::Reloc::PIC_, std::nullopt, kCodeGenLevel));
  if (!machine) throw std::runtime_error("LLVM has no target machine for " + triple);
  return machine;
}

std::unique_ptr<::llvm::Module> parse(std::string_view ir_text, ::llvm::LLVMContext& context) {
  ::llvm::SMDiagnostic diagnostic;
  auto module = ::llvm::parseAssemblyString({ir_text.data(), ir_text.size()}, diagnostic, context);
  if (!module) {
    throw std::runtime_error(std::to_string(diagnostic.getLineNo()) + ":" +
                             std::to_string(diagnostic.getColumnNo() + 1) + ": " +
                             diagnostic.getMessage().str());
  }
  std::string problem;
  ::llvm::raw_string_ostream stream(problem);
  if (::llvm::verifyModule(*module, &stream)) throw std::runtime_error(stream.str());
  return module;
}

/// The usual O2 passes but for the vectorizers: Sinter's code is explicit about its vectors.
void optimize(::llvm::Module& module, ::llvm::TargetMachine& machine) {
  ::llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  ::llvm::PassBuilder builder(&machine, tuning);
  ::llvm::LoopAnalysisManager loops;
  ::llvm::FunctionAnalysisManager functions;
  ::llvm::CGSCCAnalysisManager components;
  ::llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(::llvm::OptimizationLevel::O2).run(module, modules);
}

#if LLVM_VERSION_MAJOR >= 18
constexpr auto kObjectFile = ::llvm::CodeGenFileType::ObjectFile;
#else
constexpr auto kObjectFile = ::llvm::CGFT_ObjectFile;
#endif

}  // namespace

void initialize_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    ::llvm::InitializeNativeTarget();
    ::llvm::InitializeNativeTargetAsmPrinter();
    ::llvm::InitializeNativeTargetAsmParser();
  });
}

const Host& host() {
  static const Host description = describe_host();
  return description;
}

std::string compile_ir(std::string_view ir_text, const std::string& cpu,
                       const std::string& features) {
  ::llvm::LLVMContext context;
  const auto machine = make_machine(cpu, features);
  const auto module = parse(ir_text, context);
  module->setDataLayout(machine->createDataLayout());
#if LLVM_VERSION_MAJOR >= 21
  module->setTargetTriple(machine->getTargetTriple());
#else
  module->setTargetTriple(machine->getTargetTriple().str());
#endif
  optimize(*module, *machine);
  ::llvm::SmallVector<char, 0> object;
  ::llvm::raw_svector_ostream stream(object);
  ::llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, kObjectFile)) {
    throw std::runtime_error("LLVM cannot write object files for this target");
  }
  passes.run(*module);
  return {object.begin(), object.end()};
}

}  // namespace sinter::runtime::cpu_jit
