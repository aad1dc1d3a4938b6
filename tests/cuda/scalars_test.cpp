// Text of single operators.
#include "codegen/cuda/scalars.h"

#include <doctest/doctest.h>

namespace sinter::codegen::cuda {

TEST_CASE("a cast to the own type does nothing, but saturates infinities of f8e5m2") {
  PieceSet pieces;
  const auto cast = [&](ir::DType dtype) {
    const ScalarText x{"x", dtype};
    return emit_scalar(ir::Op::Cast, {&x, 1}, dtype, pieces);
  };

  CHECK(cast(ir::DType::F8E5M2) == "f32_to_f8e5m2(f8e5m2_to_f32(x))");
  CHECK(cast(ir::DType::F8E4M3) == "x");
  CHECK(cast(ir::DType::BF16) == "x");
  CHECK(cast(ir::DType::F32) == "x");
}

}  // namespace sinter::codegen::cuda
