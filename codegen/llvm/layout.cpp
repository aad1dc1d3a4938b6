// Offsets and strides of accesses.
#include "codegen/llvm/layout.h"

#include <algorithm>

#include "support/check.h"

namespace sinter::codegen::llvm {

using ir::AttributeName;
using ir::IndexExpr;

namespace {

// A size symbol that no user can write, since names hold no parentheses.
constexpr std::string_view kStride = "stride(";

std::string stride_symbol(const std::string& param, std::size_t dimension) {
  return fmt::format("{}{}, {})", kStride, param, dimension);
}

}  // namespace

IndexExpr stride_of(const ir::Kernel& kernel, const ir::Facts& facts, std::int64_t param,
                    std::size_t dimension) {
  const ir::KernelParam& tensor = kernel.params()[static_cast<std::size_t>(param)];
  if (facts.is_contiguous(tensor.name)) {
    IndexExpr stride = 1;
    for (std::size_t d = dimension + 1; d < tensor.shape.size(); ++d) {
      stride = stride * tensor.shape[d];
    }
    return stride;
  }
  const auto known = facts.stride(tensor.name, static_cast<std::int64_t>(dimension));
  return known ? IndexExpr(*known) : IndexExpr::size(stride_symbol(tensor.name, dimension));
}

Argument argument_of_symbol(const std::string& symbol) {
  Argument argument;
  if (!symbol.starts_with(kStride)) {
    argument.kind = ArgumentKind::Size;
    argument.expr = IndexExpr::size(symbol);
    return argument;
  }
  const std::size_t comma = symbol.rfind(", ");
  argument.kind = ArgumentKind::Stride;
  argument.param = symbol.substr(kStride.size(), comma - kStride.size());
  argument.dimension = std::stoll(symbol.substr(comma + 2));
  return argument;
}

IndexExpr offset_of(const ir::Kernel& kernel, const ir::Facts& facts,
                    const ir::KernelNode& access) {
  const auto param = access.attributes.get<std::int64_t>(AttributeName::Param);
  const auto& map = access.attributes.get<ir::Shape>(AttributeName::Map);
  IndexExpr offset = 0;
  for (std::size_t d = 0; d < map.size(); ++d) {
    offset = offset + map[d] * stride_of(kernel, facts, param, d);
  }
  return offset;
}

bool depends_on(const ir::Kernel& kernel, const IndexExpr& expr, ir::AxisId axis) {
  if (ir::axes_of(expr).contains(axis)) return true;
  for (const ir::Value value : ir::values_of(expr)) {
    const std::vector<ir::AxisId>& domain = kernel.domain(value);
    if (std::ranges::binary_search(domain, axis)) return true;
  }
  return false;
}

bool depends_on(const ir::Kernel& kernel, const ir::Shape& expressions, ir::AxisId axis) {
  return std::ranges::any_of(expressions,
                             [&](const IndexExpr& expr) { return depends_on(kernel, expr, axis); });
}

LaneStride lane_stride(const ir::Kernel& kernel, const ir::Facts& facts,
                       const ir::KernelNode& access, ir::AxisId axis) {
  const IndexExpr offset = offset_of(kernel, facts, access);
  if (!depends_on(kernel, offset, axis)) return {LaneStep::Invariant, 0};
  for (const ir::Value value : ir::values_of(offset)) {
    if (std::ranges::binary_search(kernel.domain(value), axis)) return {LaneStep::Irregular, 0};
  }
  const auto distance = ir::coefficient_of(offset, axis);
  if (!distance) return {LaneStep::Irregular, 0};
  if (*distance == IndexExpr(1)) return {LaneStep::Unit, *distance};
  if (*distance == IndexExpr(-1)) return {LaneStep::Reversed, *distance};
  return {LaneStep::Strided, *distance};
}

}  // namespace sinter::codegen::llvm
