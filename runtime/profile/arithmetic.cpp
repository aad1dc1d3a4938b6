#include "runtime/profile/arithmetic.h"

namespace sinter::runtime {

std::span<const Arithmetic> all_arithmetic() {
  static constexpr Arithmetic kAll[] = {
      Arithmetic::F64,         Arithmetic::F32,         Arithmetic::ProductF64,
      Arithmetic::ProductF32,  Arithmetic::ProductTf32, Arithmetic::ProductF16,
      Arithmetic::ProductBf16, Arithmetic::ProductF8,   Arithmetic::ProductI8};
  return kAll;
}

std::string_view to_string(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::F64: return "f64";
    case Arithmetic::F32: return "f32";
    case Arithmetic::ProductF64: return "f64 products";
    case Arithmetic::ProductF32: return "f32 products";
    case Arithmetic::ProductTf32: return "tf32 products";
    case Arithmetic::ProductF16: return "f16 products";
    case Arithmetic::ProductBf16: return "bf16 products";
    case Arithmetic::ProductF8: return "f8 products";
    case Arithmetic::ProductI8: return "i8 products";
  }
  return {};
}

}  // namespace sinter::runtime
