// Sentences for `sinter doctor`.
#include "tools/doctor_versions.h"

#include <fmt/format.h>

namespace sinter::tools {

namespace {

std::string text_of(const CudaVersion& version) {
  return fmt::format("{}.{}", version.major, version.minor);
}

}  // namespace

std::string judge_cuda(const std::optional<CudaVersion>& driver,
                       const std::optional<CudaVersion>& nvrtc) {
  if (!driver && !nvrtc) return "neither a driver nor NVRTC: no GPU code is made or run here";
  if (!nvrtc) {
    return fmt::format("driver for CUDA {}, but no NVRTC: set SINTER_NVRTC to a libnvrtc.so.{}",
                       text_of(*driver), driver->major);
  }
  if (!driver) {
    return fmt::format("NVRTC {}, but no driver: GPU code can be made here, not run",
                       text_of(*nvrtc));
  }
  const std::string both =
      fmt::format("driver for CUDA {}, NVRTC {}", text_of(*driver), text_of(*nvrtc));
  if (nvrtc->major > driver->major) {
    return fmt::format(
        "{}: NVRTC is newer than the driver knows; install a driver for CUDA {} or later, or set "
        "SINTER_NVRTC to a libnvrtc.so.{}",
        both, text_of(*nvrtc), driver->major);
  }
  if (nvrtc->major < driver->major) return both + ": fit, drivers run what older compilers made";
  if (nvrtc->minor > driver->minor) return both + ": fit, as their major versions are equal";
  return both + ": fit";
}

std::string judge_llvm(const std::string& built_with, const std::string& loaded) {
  if (built_with == loaded) return loaded;
  const bool is_same_major =
      built_with.substr(0, built_with.find('.')) == loaded.substr(0, loaded.find('.'));
  const std::string both = fmt::format("{} loaded, built with {}", loaded, built_with);
  if (is_same_major) return both + ": fit, as their major versions are equal";
  return both + ": do NOT fit; install LLVM " + built_with.substr(0, built_with.find('.')) +
         " or build Sinter anew";
}

std::string build_text() { return SINTER_VERSION " (" SINTER_BUILD ")"; }

}  // namespace sinter::tools
