// Which versions go together.
#include "tools/doctor_versions.h"

#include <doctest/doctest.h>

using sinter::tools::CudaVersion;
using sinter::tools::judge_cuda;
using sinter::tools::judge_llvm;

TEST_CASE("trap C05: a driver and NVRTC fit within a major version and where the driver is newer") {
  struct Row {
    std::optional<CudaVersion> driver;
    std::optional<CudaVersion> nvrtc;
    const char* verdict;
  };
  const Row rows[] = {
      {CudaVersion{13, 0}, CudaVersion{13, 0}, "driver for CUDA 13.0, NVRTC 13.0: fit"},
      {CudaVersion{12, 8}, CudaVersion{12, 4}, "driver for CUDA 12.8, NVRTC 12.4: fit"},
      {CudaVersion{12, 2}, CudaVersion{12, 9},
       "driver for CUDA 12.2, NVRTC 12.9: fit, as their major versions are equal"},
      {CudaVersion{13, 0}, CudaVersion{12, 9},
       "driver for CUDA 13.0, NVRTC 12.9: fit, drivers run what older compilers made"},
      {CudaVersion{12, 4}, CudaVersion{13, 0},
       "driver for CUDA 12.4, NVRTC 13.0: NVRTC is newer than the driver knows; install a driver "
       "for CUDA 13.0 or later, or set SINTER_NVRTC to a libnvrtc.so.12"},
      {CudaVersion{12, 4}, std::nullopt,
       "driver for CUDA 12.4, but no NVRTC: set SINTER_NVRTC to a libnvrtc.so.12"},
      {std::nullopt, CudaVersion{13, 0},
       "NVRTC 13.0, but no driver: GPU code can be made here, not run"},
      {std::nullopt, std::nullopt, "neither a driver nor NVRTC: no GPU code is made or run here"},
  };

  for (const Row& row : rows) CHECK(judge_cuda(row.driver, row.nvrtc) == row.verdict);
}

TEST_CASE("the LLVM that is loaded fits where its major version is the one of the build") {
  CHECK(judge_llvm("19.1.7", "19.1.7") == "19.1.7");
  CHECK(judge_llvm("19.1.7", "19.1.1") ==
        "19.1.1 loaded, built with 19.1.7: fit, as their major versions are equal");
  CHECK(judge_llvm("19.1.7", "20.1.0") ==
        "20.1.0 loaded, built with 19.1.7: do NOT fit; install LLVM 19 or build Sinter anew");
}

TEST_CASE("the build names its version and compiler") {
  CHECK(sinter::tools::build_text().find(" (") != std::string::npos);
}
