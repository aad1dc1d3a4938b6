// Host scalars whose value is part of the operator.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/language/run_operator.h"

namespace sn = sinter;

SINTER_OP(scaled_by_constant, (sn::Tensor x, sn::Scalar alpha, sn::Scalar beta)) {
  return x * alpha + beta;
}

namespace sinter::tests {

TEST_CASE("a constant scalar is in the operator's text, and calls do not give it") {
  const std::vector<TensorSpec> specs{f32(3), constant(DType::F32, 0.5), constant(DType::F32, 10)};
  const Array<float> x{{3}, {1, 2, 3}};

  const std::string text = ir::to_string(scaled_by_constant.trace(specs), {false});
  const auto result = run_operator<float>(scaled_by_constant, specs, 0, x);

  CHECK(text.find("(%x: f32[3])") != std::string::npos);
  CHECK(text.find("constant() {value: 0.5: f32}") != std::string::npos);
  CHECK(result.values == std::vector<float>{10.5F, 11, 11.5F});
}

TEST_CASE("another value is another operator, and scalars beside stay parameters") {
  const std::vector<TensorSpec> specs{f32(2), constant(DType::F32, 3), scalar(DType::F32)};
  const Array<float> x{{2}, {1, 2}};
  const Array<float> beta{{}, {0.25F}};

  CHECK(scaled_by_constant.trace(specs) !=
        scaled_by_constant.trace({f32(2), constant(DType::F32, 4), scalar(DType::F32)}));
  CHECK(run_operator<float>(scaled_by_constant, specs, 0, x, beta).values ==
        std::vector<float>{3.25F, 6.25F});
}

TEST_CASE("constants that do not fit are refused") {
  CHECK_THROWS_WITH_AS(constant(DType::I8, 300),
                       doctest::Contains("the literal 300 is not representable as i8"), UserError);
  CHECK_THROWS_WITH_AS(
      scaled_by_constant.trace({constant(DType::F32, 1), scalar(DType::F32), scalar(DType::F32)}),
      doctest::Contains("parameter x of scaled_by_constant is a Tensor; only a Scalar is constant"),
      UserError);
}

}  // namespace sinter::tests
