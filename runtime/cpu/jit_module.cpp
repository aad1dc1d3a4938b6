// Places of the module: the option, beside the program, the build folder, the installed folder.
#include "runtime/cpu/jit_module.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>
#include <vector>

#include "support/check.h"
#include "support/options.h"

namespace sinter::runtime {

namespace {

constexpr const char* kFile = "libsinter_cpu_jit.so";

std::vector<std::string> places() {
  const std::string chosen = support::option_text(support::Option::CpuModule);
  if (!chosen.empty()) return {chosen};
  std::vector<std::string> paths;
  std::error_code code;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", code);
  if (!code) paths.push_back((program.parent_path() / kFile).string());
#ifdef SINTER_CPU_MODULE_BUILD_DIR
  paths.push_back(std::string(SINTER_CPU_MODULE_BUILD_DIR) + "/" + kFile);
#endif
#ifdef SINTER_CPU_MODULE_INSTALL_DIR
  paths.push_back(std::string(SINTER_CPU_MODULE_INSTALL_DIR) + "/" + kFile);
#endif
  return paths;
}

const SinterCpuJitApi& find_module() {
  std::string problems;
  for (const std::string& path : places()) {
    try {
      return open_cpu_jit(path);
    } catch (const EnvironmentError& error) {
      problems += fmt::format("\n  {}", error.what());
    }
  }
  support::throw_environment(
      "the CPU backend needs {}; set SINTER_CPU_MODULE to its path. What was tried:{}", kFile,
      problems);
}

}  // namespace

const SinterCpuJitApi& open_cpu_jit(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) support::throw_environment("cannot open {}: {}", path, dlerror());
  using Function = const SinterCpuJitApi* (*)();
  const auto function = reinterpret_cast<Function>(dlsym(library, "sinter_cpu_jit_api"));
  if (function == nullptr) support::throw_environment("{} is no CPU module: {}", path, dlerror());
  const SinterCpuJitApi& api = *function();
  if (api.version != kSinterCpuJitVersion) {
    support::throw_environment("{} has interface version {}, this program needs {}", path,
                               api.version, kSinterCpuJitVersion);
  }
  return api;
}

const SinterCpuJitApi& cpu_jit() {
  static const SinterCpuJitApi& api = find_module();
  return api;
}

std::string take_text(const SinterCpuJitApi& jit, char* text) {
  if (text == nullptr) return "no message";
  std::string copy = text;
  jit.free_text(text);
  return copy;
}

}  // namespace sinter::runtime
