// Program: what emit returns. Source texts, ordered entry points, and for each a launch recipe as
// data. It is printed, cached, bundled and diffed; the runtime interprets it and knows no schedule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/target.h"
#include "ir/dtype.h"
#include "ir/facts.h"
#include "ir/index_expr.h"

namespace sinter::codegen {

/// One argument of an entry point, in order.
enum class ArgumentKind : std::uint8_t {
  Pointer,    // address of tensor `param`
  Size,       // i64 value of `expr` (sizes only)
  Stride,     // i64 stride, in elements, of dimension `dimension` of tensor `param`
  Workspace,  // address of workspace `param`
  TensorMap,  // TMA descriptor of tensor `param`, see `tensor_map`
  Scalar,     // value of the host scalar `param`, of type `dtype`
};

/// Elements of a stride: `factor`, times stride `dimension` of the call's tensor where that is not
/// negative.
struct TensorMapStride {
  ir::IndexExpr factor = 1;
  std::int64_t dimension = -1;
};

/// How the tensor-copy engine (TMA) sees a tensor: made into a CUtensorMap at each launch. Everything
/// is listed with the innermost dimension first, which is dense; interleaving is none.
struct TensorMapRecipe {
  ir::DType dtype = ir::DType::F32;
  std::vector<ir::IndexExpr> extents;         // elements
  std::vector<TensorMapStride> strides;       // of dimension 1 on
  std::vector<std::int64_t> box;              // elements that one copy moves
  std::vector<std::int64_t> element_strides;  // steps between them; empty: 1
  int swizzle_bytes = 0;                      // 0, 32, 64, 128
  int l2_promotion_bytes = 0;                 // 0, 64, 128, 256
  bool is_nan_outside = false;                // elements outside read as NaN instead of 0
};

struct Argument {
  ArgumentKind kind = ArgumentKind::Pointer;
  std::string param;
  std::int64_t dimension = 0;
  ir::IndexExpr expr;
  TensorMapRecipe tensor_map;
  DType dtype = DType::F32;
};

/// Expressions of sizes; evaluated at each launch.
struct LaunchRecipe {
  ir::IndexExpr grid[3] = {1, 1, 1};
  std::int64_t block[3] = {1, 1, 1};
  std::int64_t cluster[3] = {1, 1, 1};
  ir::IndexExpr shared_bytes = 0;
  bool dependent_launch = false;
};

/// CPU: the entry is called for consecutive chunks of [0, extent) on the worker threads, as
/// void entry(const Arg* arguments, i64 begin, i64 end), with one 64-bit slot an argument.
struct ParallelRecipe {
  ir::IndexExpr extent = 1;
  std::int64_t grain = 1;  // smallest chunk worth a thread
};

/// Where `a` or `c` of a BlasRecipe is empty, it is a buffer of the thread that holds one panel,
/// dense: a convert or epilogue entry takes it as the workspace of this name, addressed as if it
/// held all rows.
inline constexpr const char* kPanelA = "panel.a";
inline constexpr const char* kPanelC = "panel.c";

/// CPU: C[m,n] = A[m,k]·B[k,n] by BLAS in panels of rows, one worker thread a panel; after its
/// product, each panel is handed to the epilogue entry while it is in cache.
struct BlasRecipe {
  std::string a, b, c;  // tensors or workspaces (c: f32 or f64, row-major, dense)
  std::string dtype;    // "f32" or "f64": which gemm
  ir::IndexExpr batch = 1, m, n, k;
  ir::IndexExpr a_batch_stride = 0, b_batch_stride = 0;  // elements; 0: shared
  ir::IndexExpr a_row_stride, a_col_stride, b_row_stride, b_col_stride;
  std::int64_t panel_rows = 512;
  std::string convert_a, convert_b;  // entries that fill a workspace with f32, or empty
  std::string epilogue;              // entry called with [begin, end) rows of batch·m, or empty
};

enum class EntryKind : std::uint8_t { Launch, Parallel, Blas };

struct Entry {
  std::string symbol;  // Launch, Parallel: name in the source. Blas: a label
  EntryKind kind = EntryKind::Launch;
  std::vector<Argument> arguments;
  LaunchRecipe launch;
  ParallelRecipe parallel;
  BlasRecipe blas;
  bool is_called = true;  // false: only called by another entry's recipe
};

struct Workspace {
  std::string name;
  ir::IndexExpr size_bytes;
  bool zeroed = false;
};

/// How a kernel adds up one reduction, product or scan: what error bounds depend on.
struct Accumulation {
  /// Roundings that one term goes through at most: its serial chain and the tree above it.
  ir::IndexExpr longest_chain;
  ir::DType dtype = ir::DType::F32;  // of the accumulator
};

struct Source {
  std::string name;      // "residual_projection.cu", ".ll"
  std::string language;  // "cuda" or "llvm"
  std::string text;
};

struct Program {
  Backend backend = Backend::Cpu;
  std::vector<Source> sources;
  std::vector<Workspace> workspaces;
  std::vector<Entry> entries;
  /// One for each reduce, contract and scan of the kernel; none where the schedule does not tell.
  std::vector<Accumulation> accumulations;
};

/// JSON text; parse_program is its inverse. Same Program, same bytes.
std::string to_string(const Program& program);
Program parse_program(const std::string& text);

}  // namespace sinter::codegen
