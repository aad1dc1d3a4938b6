// Conversions between every pair of types on the CPU.
#include <doctest/doctest.h>

#include <numeric>

#include "ir/kernel.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

using ir::DType;

ir::Kernel cast_kernel(ir::Op op, DType from, DType to) {
  ir::Kernel kernel("cast");
  const ir::AxisId i = kernel.add_axis("i", ir::IndexExpr::size("n"));
  const ir::Shape shape = {ir::IndexExpr::size("n")};
  const auto x = kernel.add_param({"x", from, shape});
  const auto y = kernel.add_param({"y", to, shape, ir::ParamRole::Out});
  const ir::Value loaded = kernel.load(x, {ir::IndexExpr::axis(i)});
  const ir::Value result = kernel.add(op, {loaded}, {{ir::AttributeName::DType, to}});
  kernel.store(result, y, {ir::IndexExpr::axis(i)});
  return kernel;
}

/// Every bit pattern of a type of 8 or 16 bits; corner values of wider ones.
BitsTensor all_values(DType dtype) {
  const int bits = dtype == DType::Bool ? 1 : ir::bits(dtype);
  if (bits > 16) return random_tensor(dtype, {4096}, 11, true);
  BitsTensor tensor{dtype, {std::int64_t{1} << bits}, {}};
  tensor.bits.resize(std::size_t{1} << bits);
  std::iota(tensor.bits.begin(), tensor.bits.end(), 0);
  return tensor;
}

/// Numbers next to every tie between neighbours of the narrow type.
BitsTensor ties(DType from, DType narrow) {
  BitsTensor tensor{from, {}, {}};
  const std::uint64_t count = std::uint64_t{1} << (ir::bits(narrow) - 1);
  const std::uint64_t step = ir::bits(narrow) == 16 ? 13 : 1;
  for (std::uint64_t bits = 0; bits + 1 < count; bits += step) {
    const double tie = 0.5 * (ir::decode_float(narrow, bits) + ir::decode_float(narrow, bits + 1));
    const std::uint64_t middle = ir::encode_float(from, tie);
    for (const std::uint64_t near : {middle - 1, middle, middle + 1}) tensor.bits.push_back(near);
  }
  tensor.extents = {static_cast<std::int64_t>(tensor.bits.size())};
  return tensor;
}

void check_cast(DType from, DType to, const BitsTensor& values, const CpuRun& options = {}) {
  INFO(to_string(from), " to ", to_string(to));
  const ir::Kernel kernel = cast_kernel(ir::Op::Cast, from, to);
  const auto run = run_on_cpu(kernel, {{"n", values.extents[0]}}, {{"x", values}}, options);
  const auto expected = interpret_kernel(kernel, {{"n", values.extents[0]}}, {{"x", values}});
  CHECK(count_differences(run.at("y"), expected.at("y")) == 0);
}

}  // namespace

TEST_CASE("casts between all types agree with the scalar evaluator") {
  for (int from = 0; from < kDTypeCount; ++from) {
    for (int to = 0; to < kDTypeCount; ++to) {
      const auto dtype = static_cast<DType>(from);
      check_cast(dtype, static_cast<DType>(to), all_values(dtype));
    }
  }
}

TEST_CASE("floats round to narrow floats once, to even") {
  for (const DType narrow : {DType::F8E4M3, DType::F8E5M2, DType::F16, DType::BF16}) {
    for (const DType from : {DType::F32, DType::F64}) check_cast(from, narrow, ties(from, narrow));
  }
}

TEST_CASE("f16 without instructions of its own is the same") {
  CpuRun plain;
  plain.has_features = false;

  check_cast(DType::F16, DType::F32, all_values(DType::F16), plain);
  check_cast(DType::F32, DType::F16, all_values(DType::F32), plain);
  check_cast(DType::F32, DType::F16, ties(DType::F32, DType::F16), plain);
}

TEST_CASE("64-bit integers round to bf16 once") {
  BitsTensor values{DType::I64, {}, {}};
  for (int shift = 8; shift < 62; ++shift) {
    // 1 + 2^-8 is a tie of bf16; one more in the last place is above it.
    const std::int64_t tie = (std::int64_t{257} << shift) >> (shift > 54 ? 8 : 0);
    for (const std::int64_t value : {tie - 1, tie, tie + 1, -tie - 1, -tie, 1 - tie}) {
      values.bits.push_back(static_cast<std::uint64_t>(value));
    }
  }
  values.extents = {static_cast<std::int64_t>(values.bits.size())};

  check_cast(DType::I64, DType::BF16, values);
  check_cast(DType::I64, DType::F32, values);
}

TEST_CASE("bitcast keeps the bits") {
  const ir::Kernel kernel = cast_kernel(ir::Op::Bitcast, DType::F32, DType::I32);
  const BitsTensor values = random_tensor(DType::F32, {100}, 5, true);

  const auto run = run_on_cpu(kernel, {{"n", 100}}, {{"x", values}});

  CHECK(run.at("y").bits == values.bits);
}

}  // namespace sinter::tests
