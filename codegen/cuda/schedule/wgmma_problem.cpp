#include "codegen/cuda/schedule/wgmma_problem.h"

#include <algorithm>

#include "codegen/cuda/line_access.h"
#include "codegen/cuda/tensor_map_facts.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AttributeName;
using ir::AxisId;
using ir::DType;
using ir::IndexExpr;
using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;

constexpr std::int64_t kSwizzledBytes = 128;

std::int64_t param_of(const KernelNode& access) {
  return access.attributes.get<std::int64_t>(AttributeName::Param);
}

const ir::KernelParam& tensor_at(const Kernel& kernel, std::int64_t param) {
  return kernel.params()[static_cast<std::size_t>(param)];
}

/// The load under a value: itself, or the operand of a widening cast.
std::optional<NodeId> find_load(const Kernel& kernel, ir::Value value) {
  const KernelNode* node = &kernel.node(value);
  NodeId id = value.node;
  if (node->op == Op::Cast) {
    id = node->operands.front().node;
    node = &kernel.node(id);
  }
  if (node->op != Op::Load) return std::nullopt;
  return id;
}

std::optional<TiledTensor> match_tiled(const Kernel& kernel, const MatrixProduct& product,
                                       NodeId id, const std::vector<AxisId>& rows,
                                       const std::vector<AxisId>& columns) {
  const KernelNode& access = kernel.node(id);
  if (access.attributes.find(AttributeName::Where) != nullptr) return std::nullopt;
  if (tensor_of(kernel, access).is_host) return std::nullopt;
  const auto strides = match_strides(kernel, dense_offset(kernel, access), product, rows, columns);
  if (!strides) return std::nullopt;
  const bool lines_are_columns = strides->column == IndexExpr(1);
  if (!lines_are_columns && strides->row != IndexExpr(1)) return std::nullopt;
  // A stride of 0 would be a tensor that lacks the axis.
  if (strides->row == IndexExpr(0) || strides->column == IndexExpr(0)) return std::nullopt;
  return TiledTensor{id,
                     param_of(access),
                     *strides,
                     lines_are_columns,
                     strides->batch != IndexExpr(0),
                     extent_of(kernel, rows),
                     extent_of(kernel, columns),
                     extent_of(kernel, product.batch)};
}

bool stores_once(const Kernel& kernel, std::int64_t param) {
  int count = 0;
  for (const NodeId id : kernel.stores()) count += param_of(kernel.node(id)) == param ? 1 : 0;
  return count == 1;
}

std::optional<TiledTensor> choose_output(const Kernel& kernel, const MatrixProduct& product) {
  for (const NodeId id : kernel.stores()) {
    const auto tiled = match_tiled(kernel, product, id, product.m, product.n);
    if (!tiled || !tiled->lines_are_columns || !stores_once(kernel, tiled->param)) continue;
    if (!product.batch.empty() && !tiled->has_batch) continue;
    if (size_bytes(tensor_at(kernel, tiled->param).dtype) > 4) continue;
    return tiled;
  }
  return std::nullopt;
}

std::optional<TiledTensor> choose_addend(const Kernel& kernel, const MatrixProduct& product,
                                         const TiledTensor& output) {
  const auto bytes = size_bytes(tensor_at(kernel, output.param).dtype);
  for (const NodeId id : needed_nodes(kernel, kernel.stores(), {product.contract})) {
    if (kernel.node(id).op != Op::Load) continue;
    const auto tiled = match_tiled(kernel, product, id, product.m, product.n);
    if (!tiled || !tiled->lines_are_columns) continue;
    if (!product.batch.empty() && !tiled->has_batch) continue;
    if (size_bytes(tensor_at(kernel, tiled->param).dtype) != bytes) continue;
    return tiled;
  }
  return std::nullopt;
}

}  // namespace

std::optional<WgmmaProblem> match_wgmma(const Kernel& kernel, std::string& why_not) {
  const auto refuse = [&](std::string reason) {
    why_not = std::move(reason);
    return std::nullopt;
  };
  const auto product = match_matrix_product(kernel, why_not);
  if (!product) return std::nullopt;
  WgmmaProblem problem;
  problem.product = *product;
  if (kernel.node(product->contract).results[0] != DType::F32) {
    return refuse("its contraction does not accumulate in f32");
  }
  const auto a_load = find_load(kernel, product->a);
  const auto b_load = find_load(kernel, product->b);
  if (!a_load || !b_load) return refuse("an operand of its contraction is computed");
  problem.dtype = tensor_of(kernel, kernel.node(*a_load)).dtype;
  if (problem.dtype != DType::BF16 && problem.dtype != DType::F16) {
    return refuse(
        fmt::format("its operands are {}, bf16 or f16 are needed", to_string(problem.dtype)));
  }
  if (tensor_of(kernel, kernel.node(*b_load)).dtype != problem.dtype) {
    return refuse("its operands differ in type");
  }
  const auto a = match_tiled(kernel, *product, *a_load, product->m, product->k);
  const auto b = match_tiled(kernel, *product, *b_load, product->k, product->n);
  if (!a || !b) return refuse("an operand is no matrix with a dense dimension");
  problem.a = *a;
  problem.b = *b;
  problem.m = extent_of(kernel, product->m);
  problem.n = extent_of(kernel, product->n);
  problem.k = extent_of(kernel, product->k);
  problem.batch = extent_of(kernel, product->batch);
  const auto output = choose_output(kernel, *product);
  if (!output)
    return refuse("no result of it is a matrix with dense rows of 1, 2 or 4 byte elements");
  problem.output = *output;
  problem.addend = choose_addend(kernel, *product, *output);
  return problem;
}

Argument tile_argument(const Kernel& kernel, const TiledTensor& tensor, std::int64_t box_lines) {
  const ir::KernelParam& param = tensor_at(kernel, tensor.param);
  Argument argument{.kind = ArgumentKind::TensorMap, .param = param.name};
  TensorMapRecipe& map = argument.tensor_map;
  map.dtype = param.dtype;
  map.swizzle_bytes = static_cast<int>(kSwizzledBytes);
  map.l2_promotion_bytes = 256;
  map.box = {kSwizzledBytes / static_cast<std::int64_t>(size_bytes(param.dtype)), box_lines};
  const bool columns = tensor.lines_are_columns;
  map.extents = {columns ? tensor.columns : tensor.rows, columns ? tensor.rows : tensor.columns};
  map.strides = {{columns ? tensor.strides.row : tensor.strides.column}};
  if (tensor.has_batch) {
    map.extents.push_back(tensor.batch);
    map.strides.push_back({tensor.strides.batch});
    map.box.push_back(1);
  }
  return argument;
}

ir::Facts tile_facts(const Kernel& kernel, const TiledTensor& tensor) {
  ir::Facts facts = tensor_map_facts(tile_argument(kernel, tensor, 64));
  facts.add(ir::Fact::contiguous(tensor_at(kernel, tensor.param).name));
  return facts;
}

bool is_tiled_by(const Kernel& kernel, const TiledTensor& tensor, const ir::Facts& facts) {
  return facts.has_all(tile_facts(kernel, tensor).list());
}

}  // namespace sinter::codegen::cuda
