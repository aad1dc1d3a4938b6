// The C interface of libsinter_cpu_jit.so, the only part of Sinter with LLVM and OpenBLAS inside.
// Texts that it returns are freed with `free_text`. All functions may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/// Incremented whenever this struct or the meaning of a function changes.
inline constexpr int kSinterCpuJitVersion = 2;

struct SinterCpuJitApi {
  int version;
  /// "19.1.7": of the LLVM that the module was built with, and of the library that it found.
  const char* llvm_version;
  const char* loaded_llvm_version;
  /// The machine: LLVM's name of the CPU, and its features as "+avx,+avx2,-avx512f", sorted.
  const char* cpu;
  const char* features;
  /// "OpenBLAS 0.3.21 ..."
  const char* blas;

  /// IR text to an object file. Null and a message in `error` where it fails ("line:column: ...").
  void* (*compile)(const char* ir_text, std::size_t size, const char* cpu, const char* features,
                   std::size_t* object_size, char** error);
  void (*free_object)(void* object);

  /// Links an object into the process; null and a message where it fails.
  void* (*load)(const void* object, std::size_t size, char** error);
  /// Address of a function of a loaded object; null and a message where there is none.
  void* (*find)(void* loaded, const char* symbol, char** error);
  void (*unload)(void* loaded);
  void (*free_text)(char* text);

  /// C = A·B with row-major C; `transposed` operands are stored column by column. One thread each.
  void (*sgemm)(int transposed_a, int transposed_b, int m, int n, int k, const float* a, int lda,
                const float* b, int ldb, float* c, int ldc);
  void (*dgemm)(int transposed_a, int transposed_b, int m, int n, int k, const double* a, int lda,
                const double* b, int ldb, double* c, int ldc);
  /// Sets the number of threads that OpenBLAS itself uses; returns the former one.
  int (*set_blas_threads)(int count);
};

/// The module's only exported symbol.
const SinterCpuJitApi* sinter_cpu_jit_api();
}
