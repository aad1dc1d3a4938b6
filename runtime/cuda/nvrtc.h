// CUDA C++ text -> cubin by NVRTC, which needs no GPU. Opened at run time; thread-safe.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "codegen/program.h"

namespace sinter::runtime {

/// Major and minor version of the loaded library. EnvironmentError where it is missing or broken.
std::pair<int, int> nvrtc_version();
/// "NVRTC 13.0 --fmad=false ...": version of the loaded library and the options of every compile;
/// part of cache keys. EnvironmentError where NVRTC is missing or broken.
std::string nvrtc_toolchain();
/// Real architectures that it can compile for: 75, 80, 90, 100, ...
std::vector<int> nvrtc_architectures();

struct CubinAndLog {
  std::string cubin;
  std::string log;
};

/// Compiles one source for a real architecture ("sm_90a"). CompileError shows the log, the numbered
/// source lines around its first error and where the whole source is kept. Warnings of ptxas that
/// mean a slow or broken kernel (C75xx: serialised wgmma, ignored setmaxnreg) are errors, too.
CubinAndLog compile_to_cubin(const codegen::Source& source, const std::string& arch);

/// The first line of `log` with a C75xx warning that is an error for us; empty where there is none.
std::string find_fatal_warning(const std::string& log);
/// Lines of `text` around line `line` (from 1), with numbers and a mark.
std::string number_excerpt(const std::string& text, int line, int context);

}  // namespace sinter::runtime
