// Object file -> code in this process, by LLVM's ORC.
#pragma once

#include <string>
#include <string_view>

namespace sinter::runtime::cpu_jit {

/// Code in this process until it is unloaded.
struct LoadedObject;

/// Throws std::runtime_error where the object cannot be linked.
LoadedObject* load_object(std::string_view object);
void* find_symbol(LoadedObject* loaded, const std::string& symbol);
void unload_object(LoadedObject* loaded);

}  // namespace sinter::runtime::cpu_jit
