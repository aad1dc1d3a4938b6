#include "codegen/cuda/tensor_map_facts.h"

#include <numeric>

#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

constexpr std::int64_t kUnitBytes = 16;
constexpr std::int64_t kMaxExtent = std::int64_t{1} << 32;
/// In elements of at most 8 bytes: below 2^40 bytes.
constexpr std::int64_t kMaxStride = (std::int64_t{1} << 37) - 1;

/// Numbers need no fact; what cannot hold stays, so that no call takes the class.
void add_range(const ir::IndexExpr& expr, std::int64_t high, ir::Facts& facts) {
  const auto number = expr.as_constant();
  if (number && *number >= 1 && *number <= high) return;
  facts.add(ir::Fact::range(expr, 1, high));
}

void add_divisible(const ir::IndexExpr& expr, std::int64_t divisor, ir::Facts& facts) {
  const auto number = expr.as_constant();
  if (divisor == 1 || (number && *number % divisor == 0)) return;
  facts.add(ir::Fact::divisible(expr, divisor));
}

}  // namespace

ir::Facts tensor_map_facts(const Argument& argument) {
  support::check(argument.kind == ArgumentKind::TensorMap, "{} is no tensor map", argument.param);
  const TensorMapRecipe& recipe = argument.tensor_map;
  ir::Facts facts;
  facts.add(ir::Fact::aligned(argument.param, kUnitBytes));
  for (const ir::IndexExpr& extent : recipe.extents) add_range(extent, kMaxExtent, facts);
  const std::int64_t elements =
      kUnitBytes / static_cast<std::int64_t>(size_bytes(recipe.dtype));  // that strides count in
  for (const TensorMapStride& stride : recipe.strides) {
    add_range(stride.factor, kMaxStride, facts);
    if (stride.dimension < 0) {
      add_divisible(stride.factor, elements, facts);
      continue;
    }
    // A factor that is a number may bring a part of what is needed.
    const std::int64_t brought =
        stride.factor.is_constant() ? std::gcd(stride.factor.constant(), elements) : 1;
    facts.add(ir::Fact::stride_multiple(argument.param, stride.dimension, elements / brought));
  }
  return facts;
}

}  // namespace sinter::codegen::cuda
