// The measure of errors itself: planted errors are found, and the table covers what has an expansion.
#include "tests/support/ulp_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "codegen/expand/expand.h"
#include "tests/support/mpfr_reference.h"

namespace sinter::tests {

using ir::DType;
using ir::Op;

namespace {

const FunctionCase& case_of(Op op) {
  return *std::find_if(std::begin(kFunctionCases), std::end(kFunctionCases),
                       [op](const FunctionCase& c) { return c.op == op; });
}

/// The rows of `results` at `operands`, in bits.
std::vector<UlpRow> judge(Op op, DType dtype, const std::vector<double>& operands,
                          const std::vector<std::uint64_t>& results) {
  Numbers x(dtype, operands.size());
  Numbers y(dtype, operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    x.set_bits(i, ir::encode_float(dtype, operands[i]));
    y.set_bits(i, results[i]);
  }
  return judge_results(case_of(op), dtype, {x}, y, operands.size(), 2);
}

/// Correctly rounded results, the last one so many places off.
std::vector<UlpRow> judge_planted(Op op, DType dtype, const std::vector<double>& operands,
                                  std::uint64_t places) {
  std::vector<std::uint64_t> results;
  for (const double x : operands) results.push_back(correctly_rounded(op, dtype, x).bits);
  results.back() += places;
  return judge(op, dtype, operands, results);
}

std::uint64_t encode(DType dtype, double value) { return ir::encode_float(dtype, value); }

bool is_within(Op op, DType dtype, double x, double y) {
  return judge(op, dtype, {x}, {encode(dtype, y)})[0].is_within();
}

}  // namespace

TEST_CASE("a planted error of three ulp is reported with its input") {
  for (const DType dtype : {DType::F32, DType::F64, DType::BF16, DType::F16}) {
    CAPTURE(to_string(dtype));
    const auto right = judge_planted(Op::Exp, dtype, {0.5, 1, 2, 1.5}, 0);
    const auto wrong = judge_planted(Op::Exp, dtype, {0.5, 1, 2, 1.5}, 3);

    CHECK(right[0].worst.error <= 0.5);
    CHECK(right[0].is_within());
    CHECK(std::fabs(wrong[0].worst.error - 3) <= 0.5);
    CHECK_FALSE(wrong[0].is_within());
    CHECK(wrong[0].worst.inputs == 4);
    CHECK(wrong[0].worst.operands == std::vector{1.5});
    CHECK(to_string(wrong[0]).find("FAIL") != std::string::npos);
  }
}

TEST_CASE("errors of subnormal results count in the smallest subnormal") {
  const auto wrong = judge_planted(Op::Exp, DType::F32, {-100}, 3);

  CHECK(std::fabs(wrong[0].worst.error - 3) <= 0.5);
}

TEST_CASE("zeros must have the right sign") {
  CHECK(is_within(Op::Sin, DType::F32, -0.0, -0.0));
  CHECK_FALSE(is_within(Op::Sin, DType::F32, -0.0, 0.0));
  CHECK_FALSE(is_within(Op::Log, DType::F64, 1.0, -0.0));
  CHECK_FALSE(is_within(Op::Exp, DType::F32, -200.0, -0.0));
  CHECK_FALSE(is_within(Op::Sin, DType::F32, 0.0, 0x1p-149));
}

TEST_CASE("infinities must have the right sign, and NaN must be NaN") {
  CHECK(is_within(Op::Log, DType::F32, 0.0, -HUGE_VAL));
  CHECK_FALSE(is_within(Op::Log, DType::F32, 0.0, HUGE_VAL));
  CHECK_FALSE(is_within(Op::Log, DType::F32, 0.0, -0x1.fffffep127));
  CHECK(is_within(Op::Log, DType::F32, -1.0, std::nan("")));
  CHECK_FALSE(is_within(Op::Log, DType::F32, -1.0, 0.0));
  CHECK_FALSE(is_within(Op::Log, DType::F32, 1.5, std::nan("")));
}

TEST_CASE("overflow gives the infinity, and in f8 the largest number") {
  CHECK(is_within(Op::Exp, DType::F32, 100.0, HUGE_VAL));
  CHECK_FALSE(is_within(Op::Exp, DType::F32, 100.0, -HUGE_VAL));
  CHECK_FALSE(is_within(Op::Exp, DType::F32, 100.0, 0x1.fffffep127));
  CHECK_FALSE(is_within(Op::Exp, DType::F32, 88.0, HUGE_VAL));
  CHECK(is_within(Op::Exp, DType::F8E4M3, 16.0, 448.0));
  CHECK(judge(Op::Log, DType::F8E5M2, {0.0}, {0xfb})[0].is_within());
  CHECK_FALSE(judge(Op::Log, DType::F8E5M2, {0.0}, {0xfc})[0].is_within());
}

TEST_CASE("below 0 errors of lgamma count beside the terms of its reflection") {
  const double near_zero = -2.457024738220797;  // lgamma is 0 there
  const auto rows = judge_planted(Op::Lgamma, DType::F64, {2.5, near_zero}, 8);

  CHECK(rows[0].worst.inputs == 1);
  CHECK(rows[0].worst.error <= 0.5);
  CHECK(rows[1].is_reflected);
  CHECK(rows[1].worst.inputs == 1);
  CHECK(rows[1].worst.error < 0.1);
}

TEST_CASE("every narrow number and every pair of f8 is an input") {
  CHECK(UlpInputs(case_of(Op::Exp), DType::F8E4M3, 7, 1).size() == 256);
  CHECK(UlpInputs(case_of(Op::Exp), DType::F16, 7, 1).size() == 65'536);
  CHECK(UlpInputs(case_of(Op::Pow), DType::F8E5M2, 7, 1).size() == 65'536);
  CHECK(UlpInputs(case_of(Op::Exp), DType::F32, 700, 1).size() == 700);
  CHECK(UlpInputs(case_of(Op::Exp), DType::F64, 700, 1).size() == 7);

  UlpInputs inputs(case_of(Op::Exp), DType::BF16, 7, 1);
  std::vector<Numbers> chunk{Numbers(DType::BF16, 40'000)};
  CHECK(inputs.fill(chunk) == 40'000);
  CHECK(chunk[0].bits_at(39'999) == 39'999);
  CHECK(inputs.fill(chunk) == 25'536);
  CHECK(chunk[0].bits_at(25'535) == 65'535);
  CHECK(inputs.fill(chunk) == 0);
}

TEST_CASE("results rounded from 160 bits are within half an ulp of those of 60 bits") {
  for (const FunctionCase& c : kFunctionCases) {
    if (ir::info(c.op).arity != 1) continue;
    UlpInputs inputs(c, DType::F32, 500, 3);
    std::vector<Numbers> chunk{Numbers(DType::F32, 500)};
    inputs.fill(chunk);
    for (std::size_t i = 0; i < 500; ++i) {
      const double x = chunk[0].at(i);
      const double y = ir::as_double(correctly_rounded(c.op, DType::F32, x));
      CHECK_MESSAGE(ulp_error(c.op, DType::F32, x, y) <= 0.500001, ir::to_string(c.op), " ", x);
    }
  }
}

TEST_CASE("every operator that has an expansion has its error stated") {
  for (const ir::OpInfo& op : ir::all_ops()) {
    if (!ir::is_pointwise(op.op) || codegen::expansion_of(op.op, DType::F32) == nullptr) continue;
    CHECK_MESSAGE(case_of(op.op).op == op.op, op.text);
  }
}

}  // namespace sinter::tests
