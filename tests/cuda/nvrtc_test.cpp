// NVRTC and the reading of cubins.
#include <doctest/doctest.h>

#include "runtime/cuda/cubin.h"
#include "runtime/cuda/nvrtc.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

/// An array that is indexed by a run-time value lies in local memory.
const codegen::Source kLocalArray = {"local.cu", "cuda", R"(
extern "C" __global__ void __launch_bounds__(64) first(int* out, int n) {
  __shared__ int rows[100];
  volatile int local[16];
  for (int i = 0; i < n; ++i) local[(i * n) % 16] = i;
  rows[threadIdx.x] = local[n % 16];
  __syncthreads();
  out[threadIdx.x] = rows[63 - threadIdx.x];
}
extern "C" __global__ void second(int* out) { out[0] = 1; }
)"};

std::string compile_error(const codegen::Source& source) {
  try {
    runtime::compile_to_cubin(source, "sm_90a");
    return "";
  } catch (const CompileError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("registers, local and shared memory of each kernel are read from the cubin") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);

  const auto cubin = runtime::compile_to_cubin(kLocalArray, "sm_80").cubin;
  const auto rows = runtime::read_cubin_resources(cubin);

  REQUIRE(rows.size() == 2);
  CHECK(rows[0].symbol == "first");
  CHECK(rows[0].registers > 4);
  CHECK(rows[0].local_bytes == 64);
  CHECK(rows[0].shared_bytes == 400);
  CHECK(rows[1].symbol == "second");
  CHECK(rows[1].local_bytes == 0);
  CHECK(rows[1].shared_bytes == 0);
}

TEST_CASE("bytes that are no whole cubin are refused") {
  CHECK_THROWS_WITH_AS(runtime::read_cubin_resources("ELF"),
                       "not a cubin: 3 bytes without the head of a 64-bit ELF file", RuntimeError);
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  const std::string cubin = runtime::compile_to_cubin(kLocalArray, "sm_80").cubin;
  for (const std::size_t size : {cubin.size() - 1, cubin.size() / 2, std::size_t{70}}) {
    CHECK_THROWS_AS(runtime::read_cubin_resources(cubin.substr(0, size)), RuntimeError);
  }
}

TEST_CASE("trap C03: a failed compile shows the log, the lines and where the source is") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);

  const std::string error = compile_error({"bad.cu", "cuda", "void f() {\n  int x = y;\n}\n"});

  CHECK(error.find("cannot compile 'bad.cu' for sm_90a: errors") != std::string::npos);
  CHECK(error.find("identifier \"y\" is undefined") != std::string::npos);
  CHECK(error.find(">    2 |   int x = y;") != std::string::npos);
  CHECK(error.find("whole source: ") != std::string::npos);
}

TEST_CASE("warnings of a slow kernel are errors, others are not") {
  CHECK(runtime::find_fatal_warning("a\nptxas info : (C7510) Potential loss") ==
        "ptxas info : (C7510) Potential loss");
  CHECK(runtime::find_fatal_warning("ptxas info : (C7519) wgmma fence inserted") == "");
  CHECK(runtime::find_fatal_warning("x.cu(3): warning #177-D: unused") == "");
}

TEST_CASE("trap D08: the toolchain names version and options") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);

  const std::string toolchain = runtime::nvrtc_toolchain();

  CHECK(toolchain.starts_with("NVRTC "));
  CHECK(toolchain.find("--fmad=false") != std::string::npos);
}

}  // namespace sinter::tests
