// The table of functions that the module exports; exceptions become messages here.
#include <cblas.h>
#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "runtime/cpu/jit/compile.h"
#include "runtime/cpu/jit/cpu_jit_api.h"
#include "runtime/cpu/jit/load.h"

namespace sinter::runtime::cpu_jit {

namespace {

const char* loaded_llvm_version() {
  static const std::string version = [] {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned patch = 0;
    LLVMGetVersion(&major, &minor, &patch);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  }();
  return version.c_str();
}

char* copy_text(const std::string& text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

/// The function's result, or null with the exception's message in `error`.
template <typename Function>
void* guarded(char** error, const Function& function) {
  try {
    return function();
  } catch (const std::exception& failure) {
    *error = copy_text(failure.what());
    return nullptr;
  }
}

void* compile(const char* ir_text, std::size_t size, const char* cpu, const char* features,
              std::size_t* object_size, char** error) {
  return guarded(error, [&]() -> void* {
    const std::string object = compile_ir({ir_text, size}, cpu, features);
    void* copy = std::malloc(object.size());
    if (copy == nullptr) throw std::bad_alloc();
    std::memcpy(copy, object.data(), object.size());
    *object_size = object.size();
    return copy;
  });
}

void* load(const void* object, std::size_t size, char** error) {
  return guarded(error, [&]() -> void* {
    return load_object({static_cast<const char*>(object), size});
  });
}

void* find(void* loaded, const char* symbol, char** error) {
  return guarded(error, [&] { return find_symbol(static_cast<LoadedObject*>(loaded), symbol); });
}

void unload(void* loaded) { unload_object(static_cast<LoadedObject*>(loaded)); }

CBLAS_TRANSPOSE transpose(int is_transposed) {
  return is_transposed != 0 ? CblasTrans : CblasNoTrans;
}

void sgemm(int transposed_a, int transposed_b, int m, int n, int k, const float* a, int lda,
           const float* b, int ldb, float* c, int ldc) {
  cblas_sgemm(CblasRowMajor, transpose(transposed_a), transpose(transposed_b), m, n, k, 1.0F, a,
              lda, b, ldb, 0.0F, c, ldc);
}

void dgemm(int transposed_a, int transposed_b, int m, int n, int k, const double* a, int lda,
           const double* b, int ldb, double* c, int ldc) {
  cblas_dgemm(CblasRowMajor, transpose(transposed_a), transpose(transposed_b), m, n, k, 1.0, a, lda,
              b, ldb, 0.0, c, ldc);
}

int set_blas_threads(int count) {
  const int former = openblas_get_num_threads();
  openblas_set_num_threads(count);
  return former;
}

}  // namespace

}  // namespace sinter::runtime::cpu_jit

extern "C" __attribute__((visibility("default"))) const SinterCpuJitApi* sinter_cpu_jit_api() {
  using namespace sinter::runtime::cpu_jit;
  static const SinterCpuJitApi api = {
      kSinterCpuJitVersion,
      LLVM_VERSION_STRING,
      loaded_llvm_version(),
      host().cpu.c_str(),
      host().features.c_str(),
      openblas_get_config(),
      compile,
      [](void* object) { std::free(object); },
      load,
      find,
      unload,
      [](char* text) { std::free(text); },
      sgemm,
      dgemm,
      set_blas_threads,
  };
  return &api;
}
