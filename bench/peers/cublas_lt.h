// cuBLASLt as a peer: the product D = A·B (+ C) of row-major bf16 or f16 matrices, accumulated in f32.
// Opened at run time; NVIDIA's cuBLAS documentation has the interface.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ir/dtype.h"
#include "runtime/device_impl.h"

namespace sinter::bench {

struct ProductShape {
  std::int64_t m = 0, n = 0, k = 0;
  ir::DType dtype = ir::DType::BF16;
  bool adds_c = false;
};

struct ProductBuffers {
  const void* a = nullptr;  // [m, k]
  const void* b = nullptr;  // [k, n]
  const void* c = nullptr;  // [m, n], read where adds_c
  void* d = nullptr;        // [m, n]
};

/// The algorithms that the heuristic offers for one shape, at most 32.
class CublasLtProduct {
 public:
  /// EnvironmentError where there is no cuBLASLt, RuntimeError where it refuses.
  CublasLtProduct(runtime::DeviceImpl& device, const ProductShape& shape);
  ~CublasLtProduct();
  CublasLtProduct(const CublasLtProduct&) = delete;
  CublasLtProduct& operator=(const CublasLtProduct&) = delete;

  std::size_t algorithms() const;
  /// RuntimeError where the library refuses.
  void launch(runtime::StreamHandle stream, std::size_t algorithm, const ProductBuffers& buffers);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sinter::bench
