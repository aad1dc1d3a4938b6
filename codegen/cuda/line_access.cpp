#include "codegen/cuda/line_access.h"

#include <algorithm>

#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AttributeName;
using ir::AxisId;
using ir::IndexExpr;
using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;

constexpr std::int64_t kVectorBytes = 16;
constexpr std::int64_t kLongestVector = 8;

const ir::KernelParam& tensor_of(const Kernel& kernel, const KernelNode& access) {
  return kernel.params()[static_cast<std::size_t>(
      access.attributes.get<std::int64_t>(AttributeName::Param))];
}

bool mentions(const Kernel& kernel, const ir::Shape& exprs, const std::vector<AxisId>& line) {
  for (const IndexExpr& expr : exprs) {
    for (const AxisId axis : ir::axes_of(expr)) {
      if (std::find(line.begin(), line.end(), axis) != line.end()) return true;
    }
    for (const ir::Value value : ir::values_of(expr)) {
      for (const AxisId axis : kernel.domain(value)) {
        if (std::find(line.begin(), line.end(), axis) != line.end()) return true;
      }
    }
  }
  return false;
}

/// Whether every term of `expr` has all factors of `length`, and its coefficient.
bool is_multiple(const IndexExpr& expr, const IndexExpr& length) {
  if (length.terms().size() != 1) return false;
  const ir::Term& unit = length.terms().front();
  return std::all_of(expr.terms().begin(), expr.terms().end(), [&](const ir::Term& term) {
    return term.coefficient % unit.coefficient == 0 &&
           std::includes(term.factors.begin(), term.factors.end(), unit.factors.begin(),
                         unit.factors.end());
  });
}

std::int64_t size_of(const Kernel& kernel, const KernelNode& access) {
  return static_cast<std::int64_t>(size_bytes(tensor_of(kernel, access).dtype));
}

}  // namespace

IndexExpr dense_offset(const Kernel& kernel, const KernelNode& access) {
  const auto& map = access.attributes.get<ir::Shape>(AttributeName::Map);
  const ir::Shape& shape = tensor_of(kernel, access).shape;
  IndexExpr offset = 0;
  for (std::size_t d = 0; d < map.size(); ++d) offset = offset * shape[d] + map[d];
  return offset;
}

LineStep line_step(const Kernel& kernel, const KernelNode& access,
                   const std::vector<AxisId>& line) {
  const auto where = access.attributes.get_or<ir::Shape>(AttributeName::Where, {});
  const auto& map = access.attributes.get<ir::Shape>(AttributeName::Map);
  if (!mentions(kernel, map, line) && !mentions(kernel, where, line)) return LineStep::Invariant;
  if (!where.empty()) return LineStep::Irregular;
  for (const IndexExpr& expr : map) {
    if (!ir::is_affine(expr)) return LineStep::Irregular;
  }
  const IndexExpr rest = dense_offset(kernel, access) - flat_index(kernel, line);
  const std::set<AxisId> left = ir::axes_of(rest);
  const bool is_unit = std::none_of(line.begin(), line.end(),
                                    [&](const AxisId axis) { return left.contains(axis); });
  return is_unit && is_multiple(rest, extent_of(kernel, line)) ? LineStep::Unit
                                                               : LineStep::Irregular;
}

std::int64_t line_vector(const Kernel& kernel, const std::vector<NodeId>& accesses,
                         const std::vector<AxisId>& line) {
  std::int64_t vector = 1;
  for (const NodeId id : accesses) {
    if (line_step(kernel, kernel.node(id), line) != LineStep::Unit) continue;
    vector = std::max(vector, kVectorBytes / size_of(kernel, kernel.node(id)));
  }
  return std::min(vector, kLongestVector);
}

std::optional<ir::Facts> vector_facts(const Kernel& kernel, const std::vector<NodeId>& accesses,
                                      const std::vector<AxisId>& line, std::int64_t vector) {
  ir::Facts facts;
  for (const NodeId id : accesses) {
    const KernelNode& access = kernel.node(id);
    const ir::KernelParam& tensor = tensor_of(kernel, access);
    if (tensor.is_host) continue;
    facts.add(ir::Fact::contiguous(tensor.name));
    if (line_step(kernel, access, line) != LineStep::Unit) continue;
    const std::int64_t bytes = std::min(vector * size_of(kernel, access), kVectorBytes);
    facts.add(ir::Fact::aligned(tensor.name, bytes));
  }
  const IndexExpr length = extent_of(kernel, line);
  const auto number = length.as_constant();
  if (number && *number % vector != 0) return std::nullopt;
  if (!number) facts.add(ir::Fact::divisible(length, vector));
  return facts;
}

}  // namespace sinter::codegen::cuda
