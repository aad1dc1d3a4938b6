// Facts about element types.
#include "ir/dtype.h"

#include <doctest/doctest.h>

namespace sinter::ir {

TEST_CASE("every dtype prints and parses back") {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);

    CHECK(parse_dtype(to_string(dtype)) == dtype);
  }
  CHECK_FALSE(parse_dtype("float32"));
}

TEST_CASE("sizes are whole bytes") {
  CHECK(size_bytes(DType::Bool) == 1);
  CHECK(size_bytes(DType::F8E4M3) == 1);
  CHECK(size_bytes(DType::BF16) == 2);
  CHECK(size_bytes(DType::F32) == 4);
  CHECK(size_bytes(DType::U64) == 8);
  CHECK(bits(DType::I16) == 16);
}

TEST_CASE("bool is neither an integer nor a float") {
  CHECK_FALSE(is_integer(DType::Bool));
  CHECK_FALSE(is_float(DType::Bool));
  CHECK(is_integer(DType::U8));
  CHECK_FALSE(is_signed_integer(DType::U8));
  CHECK(is_signed_integer(DType::I64));
}

TEST_CASE("narrow floats compute in f32, all others in their own type") {
  for (const DType dtype : {DType::F8E4M3, DType::F8E5M2, DType::F16, DType::BF16}) {
    CHECK(is_narrow_float(dtype));
    CHECK(compute_dtype(dtype) == DType::F32);
  }
  for (const DType dtype : {DType::F32, DType::F64, DType::I8, DType::Bool}) {
    CHECK_FALSE(is_narrow_float(dtype));
    CHECK(compute_dtype(dtype) == dtype);
  }
}

TEST_CASE("sums of integers and bool are 64 bits wide") {
  CHECK(sum_dtype(DType::Bool) == DType::I64);
  CHECK(sum_dtype(DType::I8) == DType::I64);
  CHECK(sum_dtype(DType::U32) == DType::U64);
  CHECK(sum_dtype(DType::I64) == DType::I64);
  CHECK(sum_dtype(DType::BF16) == DType::BF16);
}

TEST_CASE("significands count the hidden bit") {
  CHECK(significand_bits(DType::F8E4M3) == 4);
  CHECK(significand_bits(DType::F8E5M2) == 3);
  CHECK(significand_bits(DType::F16) == 11);
  CHECK(significand_bits(DType::BF16) == 8);
  CHECK(significand_bits(DType::F32) == 24);
  CHECK(significand_bits(DType::I32) == 0);
}

}  // namespace sinter::ir
