// One ORC session for the process, one JITDylib an object.
#include "runtime/cpu/jit/load.h"

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include <atomic>
#include <memory>
#include <stdexcept>

#include "runtime/cpu/jit/compile.h"

namespace sinter::runtime::cpu_jit {

namespace {

template <typename T>
T take(::llvm::Expected<T> expected) {
  if (!expected) throw std::runtime_error(::llvm::toString(expected.takeError()));
  return std::move(*expected);
}

void require(::llvm::Error error) {
  if (error) throw std::runtime_error(::llvm::toString(std::move(error)));
}

std::unique_ptr<::llvm::orc::LLJIT> make_session() {
  initialize_target();
  return take(::llvm::orc::LLJITBuilder().create());
}

/// Never destroyed: code may still run while the process ends.
::llvm::orc::LLJIT& session() {
  static ::llvm::orc::LLJIT* const jit = make_session().release();
  return *jit;
}

}  // namespace

struct LoadedObject {
  ::llvm::orc::JITDylib* library = nullptr;
};

LoadedObject* load_object(std::string_view object) {
  static std::atomic<unsigned> count{0};
  ::llvm::orc::LLJIT& jit = session();
  const std::string name = "object" + std::to_string(count++);
  auto made = jit.createJITDylib(name);
  if (!made) throw std::runtime_error(::llvm::toString(made.takeError()));
  ::llvm::orc::JITDylib& library = *made;
  // Functions of the C and math libraries (memset, fmaf on old CPUs) come from the process.
  library.addGenerator(take(::llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix())));
  auto buffer = ::llvm::MemoryBuffer::getMemBufferCopy({object.data(), object.size()}, name);
  require(jit.addObjectFile(library, std::move(buffer)));
  return new LoadedObject{&library};
}

void* find_symbol(LoadedObject* loaded, const std::string& symbol) {
  const auto address = take(session().lookup(*loaded->library, symbol));
  return address.toPtr<void*>();
}

void unload_object(LoadedObject* loaded) {
  // Errors leave the code where it is, which hurts nobody.
  ::llvm::consumeError(session().getExecutionSession().removeJITDylib(*loaded->library));
  delete loaded;
}

}  // namespace sinter::runtime::cpu_jit
