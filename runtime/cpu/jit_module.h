// Finds and opens libsinter_cpu_jit.so, the module with LLVM inside.
#pragma once

#include <string>

#include "runtime/cpu/jit/cpu_jit_api.h"

namespace sinter::runtime {

/// The module's functions; opened on the first call, for the life of the process. EnvironmentError
/// names every place that was tried and why it did not do.
const SinterCpuJitApi& cpu_jit();

/// Opens the module at `path`. EnvironmentError with the path and dlerror.
const SinterCpuJitApi& open_cpu_jit(const std::string& path);

/// The message that the module returned, as a string; frees it.
std::string take_text(const SinterCpuJitApi& jit, char* text);

}  // namespace sinter::runtime
