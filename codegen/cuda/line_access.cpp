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

std::optional<IndexExpr> line_start(const Kernel& kernel, const KernelNode& access,
                                    const std::vector<AxisId>& line) {
  if (!access.attributes.get_or<ir::Shape>(AttributeName::Where, {}).empty()) return std::nullopt;
  for (const IndexExpr& expr : access.attributes.get<ir::Shape>(AttributeName::Map)) {
    if (!ir::is_affine(expr)) return std::nullopt;
  }
  IndexExpr rest = dense_offset(kernel, access) - flat_index(kernel, line);
  const std::set<AxisId> left = ir::axes_of(rest);
  const bool is_unit = std::none_of(line.begin(), line.end(),
                                    [&](const AxisId axis) { return left.contains(axis); });
  return is_unit ? std::optional(rest) : std::nullopt;
}

LineStep line_step(const Kernel& kernel, const KernelNode& access,
                   const std::vector<AxisId>& line) {
  const auto where = access.attributes.get_or<ir::Shape>(AttributeName::Where, {});
  const auto& map = access.attributes.get<ir::Shape>(AttributeName::Map);
  if (!mentions(kernel, map, line) && !mentions(kernel, where, line)) return LineStep::Invariant;
  const auto start = line_start(kernel, access, line);
  return start && is_multiple(*start, extent_of(kernel, line)) ? LineStep::Unit
                                                               : LineStep::Irregular;
}

NodeId widest_access(const Kernel& kernel, const std::vector<NodeId>& accesses) {
  return *std::max_element(accesses.begin(), accesses.end(), [&](NodeId a, NodeId b) {
    return kernel.node(a).domain.size() < kernel.node(b).domain.size();
  });
}

std::vector<AxisId> longest_line(const Kernel& kernel, const std::vector<NodeId>& accesses,
                                 const std::vector<AxisId>& axes) {
  const KernelNode& widest = kernel.node(widest_access(kernel, accesses));
  for (std::size_t begin = 0; begin < axes.size(); ++begin) {
    std::vector<AxisId> line(axes.begin() + static_cast<long>(begin), axes.end());
    const bool is_regular = std::all_of(accesses.begin(), accesses.end(), [&](const NodeId id) {
      return line_step(kernel, kernel.node(id), line) != LineStep::Irregular;
    });
    if (is_regular && line_step(kernel, widest, line) == LineStep::Unit) return line;
  }
  return {};
}

namespace {

LineVectors longest_vectors(const Kernel& kernel, const std::vector<NodeId>& accesses,
                            const std::vector<AxisId>& line, LineVectors vectors) {
  std::int64_t length = 1;
  for (const NodeId id : accesses) {
    vectors.length = kLongestVector;  // of any: asked for
    if (!is_vector_access(kernel, id, line, vectors)) continue;
    length = std::max(length, kVectorBytes / size_of(kernel, kernel.node(id)));
  }
  vectors.length = std::min(length, kLongestVector);
  return vectors;
}

}  // namespace

LineVectors aligned_vectors(const Kernel& kernel, const std::vector<NodeId>& accesses,
                            const std::vector<AxisId>& line) {
  return longest_vectors(kernel, accesses, line, {});
}

LineVectors shifted_vectors(const Kernel& kernel, const std::vector<NodeId>& accesses,
                            const std::vector<AxisId>& line) {
  if (line.size() != 1) return {};
  LineVectors vectors;
  bool is_store = false;
  for (const NodeId id : accesses) {
    const KernelNode& access = kernel.node(id);
    if (is_store && access.op != ir::Op::Store) continue;
    if (auto start = line_start(kernel, access, line)) {
      vectors.shared_start = std::move(start);
      is_store = access.op == ir::Op::Store;
    }
  }
  return vectors.shared_start ? longest_vectors(kernel, accesses, line, vectors) : vectors;
}

bool is_vector_access(const Kernel& kernel, NodeId access, const std::vector<AxisId>& line,
                      const LineVectors& vectors) {
  const KernelNode& node = kernel.node(access);
  if (vectors.length == 1 || (node.op != ir::Op::Load && node.op != ir::Op::Store)) return false;
  if (tensor_of(kernel, node).is_host) return false;
  if (!vectors.shared_start) return line_step(kernel, node, line) == LineStep::Unit;
  return line_start(kernel, node, line) == vectors.shared_start;
}

std::optional<ir::Facts> vector_facts(const Kernel& kernel, const std::vector<NodeId>& accesses,
                                      const std::vector<AxisId>& line, const LineVectors& vectors) {
  ir::Facts facts;
  for (const NodeId id : accesses) {
    const KernelNode& access = kernel.node(id);
    const ir::KernelParam& tensor = tensor_of(kernel, access);
    if (tensor.is_host) continue;
    facts.add(ir::Fact::contiguous(tensor.name));
    const bool is_unit = vectors.length == 1 ? line_step(kernel, access, line) == LineStep::Unit
                                             : is_vector_access(kernel, id, line, vectors);
    if (!is_unit) continue;
    const std::int64_t bytes = std::min(vectors.length * size_of(kernel, access), kVectorBytes);
    facts.add(ir::Fact::aligned(tensor.name, bytes));
  }
  if (vectors.shared_start) return facts;
  const IndexExpr length = extent_of(kernel, line);
  const auto number = length.as_constant();
  if (number && *number % vectors.length != 0) return std::nullopt;
  if (!number) facts.add(ir::Fact::divisible(length, vectors.length));
  return facts;
}

LineVectors allowed_vectors(const Kernel& kernel, const std::vector<NodeId>& accesses,
                            const std::vector<AxisId>& line, std::span<const LineVectors> ways,
                            const ir::Facts& facts) {
  for (const LineVectors& way : ways) {
    const auto needed = vector_facts(kernel, accesses, line, way);
    if (needed && facts.has_all(needed->list())) return way;
  }
  return {};
}

}  // namespace sinter::codegen::cuda
