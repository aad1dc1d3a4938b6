// The few entry points of libnvrtc that we use, declared here so that no CUDA header is needed.
#include "runtime/cuda/nvrtc.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "runtime/cuda/shared_library.h"
#include "support/check.h"
#include "support/hash.h"
#include "support/options.h"

namespace sinter::runtime {
namespace {

using NvrtcProgram = void*;

// Rounding and contraction are ours to say (DESIGN section 3), so nothing is left to the defaults.
const std::vector<std::string> kOptions = {
    "--std=c++17",
    "-default-device",
    "--minimal",
    "--fmad=false",
    "--prec-div=true",
    "--prec-sqrt=true",
    "--ftz=false",
    "--no-source-include",
    // Generated text may leave an index unused and compare an unsigned number with zero.
    "-diag-suppress=177,186",
};

// nvrtcResult values.
constexpr int kSuccess = 0;
constexpr int kCompilationError = 6;

struct Api {
  int (*version)(int*, int*) = nullptr;
  int (*arch_count)(int*) = nullptr;
  int (*archs)(int*) = nullptr;
  int (*create)(NvrtcProgram*, const char*, const char*, int, const char* const*,
                const char* const*) = nullptr;
  int (*destroy)(NvrtcProgram*) = nullptr;
  int (*compile)(NvrtcProgram, int, const char* const*) = nullptr;
  int (*log_size)(NvrtcProgram, std::size_t*) = nullptr;
  int (*log)(NvrtcProgram, char*) = nullptr;
  int (*cubin_size)(NvrtcProgram, std::size_t*) = nullptr;
  int (*cubin)(NvrtcProgram, char*) = nullptr;
  const char* (*error_text)(int) = nullptr;
  int major = 0;
  int minor = 0;
};

std::vector<std::string> library_names() {
  const std::string chosen = support::option_text(support::Option::Nvrtc);
  if (!chosen.empty()) return {chosen};
  return {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"};
}

Api load_api() {
  const SharedLibrary library =
      SharedLibrary::open("NVRTC (set SINTER_NVRTC to the path of libnvrtc.so)", library_names());
  Api api;
  library.find("nvrtcVersion", api.version);
  library.find("nvrtcGetNumSupportedArchs", api.arch_count);
  library.find("nvrtcGetSupportedArchs", api.archs);
  library.find("nvrtcCreateProgram", api.create);
  library.find("nvrtcDestroyProgram", api.destroy);
  library.find("nvrtcCompileProgram", api.compile);
  library.find("nvrtcGetProgramLogSize", api.log_size);
  library.find("nvrtcGetProgramLog", api.log);
  library.find("nvrtcGetCUBINSize", api.cubin_size);
  library.find("nvrtcGetCUBIN", api.cubin);
  library.find("nvrtcGetErrorString", api.error_text);
  if (api.version(&api.major, &api.minor) != kSuccess) {
    support::throw_environment("{}: nvrtcVersion failed", library.name());
  }
  return api;
}

const Api& nvrtc() {
  // A failed load throws and is tried again by the next caller.
  static const Api api = load_api();
  return api;
}

void require(int result, const char* what) {
  if (result != kSuccess) {
    support::throw_runtime("{} failed: {} ({})", what, nvrtc().error_text(result), result);
  }
}

/// Owns an nvrtcProgram.
class ProgramHandle {
 public:
  explicit ProgramHandle(const codegen::Source& source) {
    require(
        nvrtc().create(&program_, source.text.c_str(), source.name.c_str(), 0, nullptr, nullptr),
        "nvrtcCreateProgram");
  }
  ~ProgramHandle() { nvrtc().destroy(&program_); }
  ProgramHandle(const ProgramHandle&) = delete;
  ProgramHandle& operator=(const ProgramHandle&) = delete;
  NvrtcProgram get() const { return program_; }

  std::string log() const {
    std::size_t size = 0;
    require(nvrtc().log_size(program_, &size), "nvrtcGetProgramLogSize");
    std::string text(size, '\0');
    require(nvrtc().log(program_, text.data()), "nvrtcGetProgramLog");
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
  }

 private:
  NvrtcProgram program_ = nullptr;
};

/// Writes the source where the user can read it; says so, or why it could not be written.
std::string keep_source(const codegen::Source& source) {
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::temp_directory_path(ignored);
  if (folder.empty()) folder = "/tmp";
  const std::filesystem::path path =
      folder / ("sinter-" + support::hash_hex(source.text).substr(0, 16) + ".cu");
  std::ofstream file(path, std::ios::binary);
  file << source.text;
  file.close();
  return file ? "whole source: " + path.string() : "cannot write the source to " + path.string();
}

int first_error_line(const std::string& log) {
  static const std::regex pattern(R"(\((\d+)\): (?:catastrophic )?error)");
  std::smatch match;
  return std::regex_search(log, match, pattern) ? std::stoi(match[1]) : 0;
}

[[noreturn]] void throw_failed_compile(const codegen::Source& source, const std::string& arch,
                                       const std::string& reason, const std::string& log) {
  std::string message = fmt::format("NVRTC {}.{} cannot compile '{}' for {}: {}", nvrtc().major,
                                    nvrtc().minor, source.name, arch, reason);
  if (!log.empty()) message += "\n" + log;
  if (const int line = first_error_line(log)) {
    message += "\n" + number_excerpt(source.text, line, 4);
  }
  throw CompileError(message + "\n" + keep_source(source));
}

}  // namespace

std::pair<int, int> nvrtc_version() { return {nvrtc().major, nvrtc().minor}; }

std::string nvrtc_toolchain() {
  std::string text = fmt::format("NVRTC {}.{}", nvrtc().major, nvrtc().minor);
  for (const std::string& option : kOptions) text += " " + option;
  return text;
}

std::vector<int> nvrtc_architectures() {
  int count = 0;
  require(nvrtc().arch_count(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> archs(static_cast<std::size_t>(count));
  require(nvrtc().archs(archs.data()), "nvrtcGetSupportedArchs");
  return archs;
}

CubinAndLog compile_to_cubin(const codegen::Source& source, const std::string& arch) {
  const ProgramHandle program(source);
  std::vector<std::string> options = kOptions;
  options.push_back("-arch=" + arch);
  std::vector<const char*> arguments;
  for (const std::string& option : options) arguments.push_back(option.c_str());

  const int result =
      nvrtc().compile(program.get(), static_cast<int>(arguments.size()), arguments.data());
  CubinAndLog compiled;
  compiled.log = program.log();
  if (result != kSuccess) {
    const char* what = result == kCompilationError ? "errors" : nvrtc().error_text(result);
    throw_failed_compile(source, arch, what, compiled.log);
  }
  const std::string fatal = find_fatal_warning(compiled.log);
  if (!fatal.empty()) throw_failed_compile(source, arch, fatal, compiled.log);

  std::size_t size = 0;
  require(nvrtc().cubin_size(program.get(), &size), "nvrtcGetCUBINSize");
  compiled.cubin.resize(size);
  require(nvrtc().cubin(program.get(), compiled.cubin.data()), "nvrtcGetCUBIN");
  return compiled;
}

std::string find_fatal_warning(const std::string& log) {
  static const std::regex pattern(R"(\bC75\d\d\b)");
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    // C7519 only says that a wgmma fence was inserted for us.
    if (std::regex_search(line, match, pattern) && match.str() != "C7519") return line;
  }
  return "";
}

std::string number_excerpt(const std::string& text, int line, int context) {
  std::istringstream lines(text);
  std::string excerpt;
  int number = 1;
  for (std::string content; std::getline(lines, content); ++number) {
    if (number < line - context || number > line + context) continue;
    const char* mark = number == line ? ">" : " ";
    excerpt += fmt::format("{}{:5} | {}\n", mark, number, content);
  }
  if (!excerpt.empty()) excerpt.pop_back();
  return excerpt;
}

}  // namespace sinter::runtime
