// What the schedule contraction_wgmma knows of a kernel: its matrix product, and which of its tensors
// the tensor-copy engine can move as tiles.
#pragma once

#include <optional>
#include <string>

#include "codegen/cuda/hopper_text.h"
#include "codegen/matrix_product.h"
#include "codegen/program.h"
#include "ir/facts.h"

namespace sinter::codegen::cuda {

/// A tensor as a matrix whose lines (dense dimension) run along columns or rows.
struct TiledTensor {
  ir::NodeId access = 0;  // its load or store
  std::int64_t param = 0;
  MatrixStrides strides;
  bool lines_are_columns = true;  // false: a line is a column of the matrix
  bool has_batch = false;         // else one matrix serves all
  ir::IndexExpr rows, columns, batch;
};

struct WgmmaProblem {
  MatrixProduct product;
  ir::DType dtype = ir::DType::BF16;  // of both operands
  TiledTensor a, b;
  /// The first store that is a tile with lines along n.
  TiledTensor output;
  /// A load of the epilogue that lies like it and is as wide.
  std::optional<TiledTensor> addend;
  ir::IndexExpr m, n, k, batch;
};

/// The kernel as a problem; nullopt, with the reason in `why_not`, where it is none. Tensors are taken
/// to be contiguous.
std::optional<WgmmaProblem> match_wgmma(const ir::Kernel& kernel, std::string& why_not);

/// The argument that moves boxes of 128 bytes (a line's part) times `box_lines` lines.
Argument tile_argument(const ir::Kernel& kernel, const TiledTensor& tensor, std::int64_t box_lines);
/// Facts under which the engine takes the tensor.
ir::Facts tile_facts(const ir::Kernel& kernel, const TiledTensor& tensor);
/// Whether `facts` hold all of them.
bool is_tiled_by(const ir::Kernel& kernel, const TiledTensor& tensor, const ir::Facts& facts);

}  // namespace sinter::codegen::cuda
