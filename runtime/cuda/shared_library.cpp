// dlopen and dlsym with errors that say what was tried.
#include "runtime/cuda/shared_library.h"

#include <dlfcn.h>

#include "support/check.h"

namespace sinter::runtime {

SharedLibrary SharedLibrary::open(const std::string& what, const std::vector<std::string>& names) {
  std::string tried;
  for (const std::string& name : names) {
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return {handle, name};
    const char* reason = dlerror();
    tried += tried.empty() ? "" : "; ";
    tried += reason ? reason : name;
  }
  support::throw_environment("cannot load {}: {}", what, tried);
}

void* SharedLibrary::address_if_there(const char* symbol) const { return dlsym(handle_, symbol); }

void* SharedLibrary::address(const char* symbol) const {
  void* found = address_if_there(symbol);
  if (!found) support::throw_environment("{} has no function '{}': too old", name_, symbol);
  return found;
}

}  // namespace sinter::runtime
