// Dimensions of operator parameters: numbers, names, and expressions of names.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinter/dtype.h"

namespace sinter {

namespace ir {
class IndexExpr;
}

/// A dimension. `512`, `"batch"` and `2 * Dim("n") + 1` are dimensions; text is parsed ("2*n + 1").
/// Names are bound by the shapes of a call; a named dimension never broadcasts.
class Dim {
 public:
  Dim(std::int64_t number);            // NOLINT(google-explicit-constructor)
  Dim(int number);                     // NOLINT(google-explicit-constructor)
  Dim(const char* expression);         // NOLINT(google-explicit-constructor)
  Dim(const std::string& expression);  // NOLINT(google-explicit-constructor)
  explicit Dim(const ir::IndexExpr& expr);

  const ir::IndexExpr& expr() const { return *expr_; }
  std::string text() const;

  friend Dim operator+(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a, const Dim& b);
  friend Dim operator*(const Dim& a, const Dim& b);
  /// Rounded down; the divisor is positive.
  friend Dim operator/(const Dim& a, const Dim& b);

 private:
  std::shared_ptr<const ir::IndexExpr> expr_;
};

/// dtype and shape of an operator's parameter.
struct TensorSpec {
  DType dtype = DType::F32;
  std::vector<Dim> shape = {};
  /// Of a Scalar whose value is part of the operator: its bits (see sinter::constant).
  std::optional<std::uint64_t> constant_bits = {};
};

// One short form a dtype: sn::f32("batch", 512, 2560).
#define SINTER_SPEC(name, dtype)                         \
  template <typename... Dims>                            \
  TensorSpec name(const Dims&... dims) {                 \
    return TensorSpec{DType::dtype, {Dim(dims)...}, {}}; \
  }
SINTER_SPEC(boolean, Bool)
SINTER_SPEC(i8, I8)
SINTER_SPEC(i16, I16)
SINTER_SPEC(i32, I32)
SINTER_SPEC(i64, I64)
SINTER_SPEC(u8, U8)
SINTER_SPEC(u16, U16)
SINTER_SPEC(u32, U32)
SINTER_SPEC(u64, U64)
SINTER_SPEC(f8e4m3, F8E4M3)
SINTER_SPEC(f8e5m2, F8E5M2)
SINTER_SPEC(f16, F16)
SINTER_SPEC(bf16, BF16)
SINTER_SPEC(f32, F32)
SINTER_SPEC(f64, F64)
#undef SINTER_SPEC

/// The type of a host scalar (a parameter declared sn::Scalar).
inline TensorSpec scalar(DType dtype) { return TensorSpec{dtype, {}, {}}; }

}  // namespace sinter
