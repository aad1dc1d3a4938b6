// Which versions of drivers and compilers go together, in words.
#pragma once

#include <optional>
#include <string>

namespace sinter::tools {

struct CudaVersion {
  int major = 0;
  int minor = 0;
};

/// Whether cubins of this NVRTC run on a driver that states this CUDA version, and what to do where
/// they do not. Drivers run what older compilers made; within one major version also what newer ones
/// made (CUDA compatibility guide, minor version compatibility), as we hand them machine code only.
std::string judge_cuda(const std::optional<CudaVersion>& driver,
                       const std::optional<CudaVersion>& nvrtc);

/// The LLVM that the CPU module was built with against the one that it found ("19.1.7"). Interfaces
/// may change between major versions only.
std::string judge_llvm(const std::string& built_with, const std::string& loaded);

/// "0.1.0 (Release, GNU 12.2.0)".
std::string build_text();

}  // namespace sinter::tools
