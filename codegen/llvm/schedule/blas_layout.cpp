#include "codegen/llvm/schedule/blas_layout.h"

#include <algorithm>

#include "codegen/kernel_queries.h"
#include "codegen/llvm/layout.h"

namespace sinter::codegen::llvm {

using ir::AttributeName;
using ir::AxisId;
using ir::IndexExpr;
using ir::Op;

namespace {

bool has_stride_symbols(const IndexExpr& expr) {
  return std::ranges::any_of(ir::sizes_of(expr), [](const std::string& symbol) {
    return argument_of_symbol(symbol).kind == ArgumentKind::Stride;
  });
}

}  // namespace

std::optional<MatrixLayout> match_layout(const ir::Kernel& kernel, const ir::Facts& facts,
                                         const MatrixProduct& product, ir::Value operand,
                                         const std::vector<ir::AxisId>& rows,
                                         const std::vector<ir::AxisId>& columns) {
  const ir::KernelNode& load = kernel.node(operand);
  if (load.op != Op::Load || load.attributes.find(AttributeName::Where) != nullptr) {
    return std::nullopt;
  }
  if (load.results != kernel.node(product.contract).results) return std::nullopt;
  const IndexExpr offset = offset_of(kernel, facts, load);
  if (has_stride_symbols(offset)) return std::nullopt;
  const auto strides = match_strides(kernel, offset, product, rows, columns);
  if (!strides) return std::nullopt;
  const auto is_line = [&](const IndexExpr& unit, const IndexExpr& other,
                           const std::vector<AxisId>& line) {
    return unit == IndexExpr(1) &&
           ir::is_provably_nonnegative(other - extent_of(kernel, line), kernel.axis_extent());
  };
  if (!is_line(strides->column, strides->row, columns) &&
      !is_line(strides->row, strides->column, rows)) {
    return std::nullopt;
  }
  return MatrixLayout{load.attributes.get<std::int64_t>(AttributeName::Param), *strides};
}

std::optional<std::int64_t> match_dense_output(const ir::Kernel& kernel, const ir::Facts& facts,
                                               const MatrixProduct& product) {
  std::vector<AxisId> axes = product.rows();
  axes.insert(axes.end(), product.n.begin(), product.n.end());
  for (const ir::NodeId id : kernel.stores()) {
    const ir::KernelNode& store = kernel.node(id);
    const auto param = store.attributes.get<std::int64_t>(AttributeName::Param);
    const ir::KernelParam& tensor = kernel.params()[static_cast<std::size_t>(param)];
    if (tensor.dtype != kernel.node(product.contract).results[0]) continue;
    if (!facts.is_contiguous(tensor.name)) continue;
    if (store.attributes.find(AttributeName::Where) != nullptr) continue;
    if (offset_of(kernel, facts, store) == flat_index(kernel, axes)) return param;
  }
  return std::nullopt;
}

}  // namespace sinter::codegen::llvm
