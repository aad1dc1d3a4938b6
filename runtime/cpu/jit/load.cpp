// One ORC session for the process, one library (JITDylib) an object.
#include "runtime/cpu/jit/load.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>

#include <future>
#include <mutex>
#include <vector>

#include "runtime/cpu/jit/compile.h"
#include "runtime/cpu/jit/llvm_text.h"

namespace sinter::runtime::cpu_jit {

struct LoadedObject {
  LLVMOrcJITDylibRef library = nullptr;
};

namespace {

LLVMOrcLLJITRef make_session() {
  initialize_target();
  LLVMOrcLLJITRef jit = nullptr;
  require(LLVMOrcCreateLLJIT(&jit, nullptr));
  return jit;
}

/// Never destroyed: code may still run while the process ends.
LLVMOrcLLJITRef session() {
  static const LLVMOrcLLJITRef jit = make_session();
  return jit;
}

/// Empty libraries. LLVM's C interface cannot remove one, so that those of unloaded objects are used
/// again.
class LibraryPool {
 public:
  LLVMOrcJITDylibRef take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return make();
    const LLVMOrcJITDylibRef library = spare_.back();
    spare_.pop_back();
    return library;
  }
  void give_back(LLVMOrcJITDylibRef library) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(library);
  }

 private:
  LLVMOrcJITDylibRef make() {
    const std::string name = "object" + std::to_string(count_++);
    LLVMOrcJITDylibRef library = nullptr;
    require(LLVMOrcExecutionSessionCreateJITDylib(LLVMOrcLLJITGetExecutionSession(session()),
                                                  &library, name.c_str()));
    // Functions of the C and math libraries (memset, fmaf on old CPUs) come from the process.
    LLVMOrcDefinitionGeneratorRef process = nullptr;
    require(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
        &process, LLVMOrcLLJITGetGlobalPrefix(session()), nullptr, nullptr));
    LLVMOrcJITDylibAddGenerator(library, process);
    return library;
  }

  std::mutex mutex_;
  std::vector<LLVMOrcJITDylibRef> spare_;
  unsigned count_ = 0;
};

LibraryPool& libraries() {
  static auto* const pool = new LibraryPool;
  return *pool;
}

struct Lookup {
  LLVMErrorRef error = nullptr;
  void* address = nullptr;
};

/// Called once, maybe by another thread that links at the same time.
void take_address(LLVMErrorRef error, LLVMOrcCSymbolMapPairs result, std::size_t count,
                  void* promise) {
  Lookup lookup{error, nullptr};
  if (error == nullptr && count == 1) {
    lookup.address = reinterpret_cast<void*>(static_cast<std::uintptr_t>(result[0].Sym.Address));
  }
  static_cast<std::promise<Lookup>*>(promise)->set_value(lookup);
}

}  // namespace

LoadedObject* load_object(std::string_view object) {
  const LLVMOrcJITDylibRef library = libraries().take();
  // The session takes the buffer.
  require(LLVMOrcLLJITAddObjectFile(
      session(), library,
      LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data(), object.size(), "object")));
  return new LoadedObject{library};
}

void* find_symbol(LoadedObject* loaded, const std::string& symbol) {
  LLVMOrcCJITDylibSearchOrderElement order = {loaded->library,
                                              LLVMOrcJITDylibLookupFlagsMatchExportedSymbolsOnly};
  // The lookup takes the name.
  LLVMOrcCLookupSetElement name = {LLVMOrcLLJITMangleAndIntern(session(), symbol.c_str()),
                                   LLVMOrcSymbolLookupFlagsRequiredSymbol};
  std::promise<Lookup> promise;
  LLVMOrcExecutionSessionLookup(LLVMOrcLLJITGetExecutionSession(session()), LLVMOrcLookupKindStatic,
                                &order, 1, &name, 1, take_address, &promise);
  const Lookup lookup = promise.get_future().get();
  require(lookup.error);
  return lookup.address;
}

void unload_object(LoadedObject* loaded) {
  if (LLVMErrorRef error = LLVMOrcJITDylibClear(loaded->library)) {
    LLVMConsumeError(error);  // the code stays where it is, which hurts nobody
  } else {
    libraries().give_back(loaded->library);
  }
  delete loaded;
}

}  // namespace sinter::runtime::cpu_jit
