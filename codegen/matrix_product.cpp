// Axes by where they occur; layouts by strides that merge.
#include "codegen/matrix_product.h"

#include <algorithm>

#include "codegen/kernel_queries.h"

namespace sinter::codegen {

using ir::AttributeName;
using ir::AxisId;
using ir::IndexExpr;
using ir::Op;

namespace {

bool holds(const std::vector<AxisId>& domain, AxisId axis) {
  return std::ranges::binary_search(domain, axis);
}

/// The axes of the result in the order in which the first store lays them out.
std::vector<AxisId> output_order(const ir::Kernel& kernel, const ir::KernelNode& contract) {
  const ir::KernelNode& store = kernel.node(kernel.stores().at(0));
  std::vector<AxisId> order;
  for (const IndexExpr& expr : store.attributes.get<ir::Shape>(AttributeName::Map)) {
    if (const auto axis = expr.as_axis()) order.push_back(*axis);
  }
  std::vector<AxisId> sorted = order;
  std::ranges::sort(sorted);
  return sorted == contract.domain ? order : contract.domain;
}

/// Takes the longest tail of `order` that is in `domain` and not in `other`.
std::vector<AxisId> take_tail(std::vector<AxisId>& order, const std::vector<AxisId>& domain,
                              const std::vector<AxisId>& other) {
  std::vector<AxisId> tail;
  while (!order.empty() && holds(domain, order.back()) && !holds(other, order.back())) {
    tail.insert(tail.begin(), order.back());
    order.pop_back();
  }
  return tail;
}

/// The common stride of axes that can be walked as one; nullopt where they cannot.
std::optional<IndexExpr> merged_stride(const ir::Kernel& kernel, const IndexExpr& offset,
                                       const std::vector<AxisId>& axes) {
  IndexExpr stride = 0;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const auto own = ir::coefficient_of(offset, axes[i]);
    if (!own || !ir::axes_of(*own).empty()) return std::nullopt;
    const bool is_last = i + 1 == axes.size();
    const IndexExpr next =
        stride *
        (is_last
             ? IndexExpr(1)
             : extent_of(kernel, {axes.begin() + static_cast<std::ptrdiff_t>(i) + 1, axes.end()}));
    if (!is_last && *own != next) return std::nullopt;
    if (is_last) stride = *own;
  }
  return stride;
}

}  // namespace

std::vector<AxisId> MatrixProduct::rows() const {
  std::vector<AxisId> axes = batch;
  axes.insert(axes.end(), m.begin(), m.end());
  return axes;
}

std::optional<MatrixProduct> match_matrix_product(const ir::Kernel& kernel, std::string& why_not) {
  const auto refuse = [&](std::string reason) {
    why_not = std::move(reason);
    return std::nullopt;
  };
  MatrixProduct product;
  int folds = 0;
  for (ir::NodeId id = 0; id < kernel.nodes().size(); ++id) {
    if (!is_fold(kernel.node(id))) continue;
    ++folds;
    product.contract = id;
  }
  const ir::KernelNode& node = kernel.node(product.contract);
  if (folds != 1 || node.op != Op::Contract) return refuse("it is not one contraction alone");
  for (const ir::NodeId store : kernel.stores()) {
    if (kernel.node(store).domain == node.domain) continue;
    return refuse("it stores over other axes than those of its contraction");
  }
  product.a = node.operands[0];
  product.b = node.operands[1];
  std::vector<AxisId> order = output_order(kernel, node);
  // The fastest axis of the result is a column: of A·B, or of the transposed product.
  if (!order.empty() && !holds(kernel.domain(product.b), order.back())) {
    std::swap(product.a, product.b);
  }
  product.k = folded_axes(node);
  const std::vector<AxisId>& in_a = kernel.domain(product.a);
  const std::vector<AxisId>& in_b = kernel.domain(product.b);
  product.n = take_tail(order, in_b, in_a);
  product.m = take_tail(order, in_a, in_b);
  product.batch = order;
  for (const AxisId axis : product.k) {
    if (!holds(in_a, axis) || !holds(in_b, axis)) {
      return refuse("it sums over an axis of only one operand");
    }
  }
  if (product.m.empty() || product.n.empty()) return refuse("it is no product of two matrices");
  return product;
}

std::optional<MatrixStrides> match_strides(const ir::Kernel& kernel, const IndexExpr& offset,
                                           const MatrixProduct& product,
                                           const std::vector<AxisId>& rows,
                                           const std::vector<AxisId>& columns) {
  if (!ir::is_affine(offset)) return std::nullopt;
  const auto batch_stride = merged_stride(kernel, offset, product.batch);
  const auto row_stride = merged_stride(kernel, offset, rows);
  const auto column_stride = merged_stride(kernel, offset, columns);
  if (!batch_stride || !row_stride || !column_stride) return std::nullopt;
  const IndexExpr origin =
      ir::substitute(offset, {[](AxisId) { return std::optional<IndexExpr>(0); }, {}, {}});
  if (origin != IndexExpr(0)) return std::nullopt;
  return MatrixStrides{*batch_stride, *row_stride, *column_stride};
}

}  // namespace sinter::codegen
