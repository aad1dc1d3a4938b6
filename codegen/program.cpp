// Programs as JSON: the fields of each struct, listed once for both directions (json_fields.h). Only
// the recipe of an entry's kind, and the fields of an argument's kind, are written.
#include "codegen/program.h"

#include <string_view>

#include "codegen/json_fields.h"
#include "support/check.h"

namespace sinter::codegen {

constexpr std::string_view kBackendNames[] = {"cuda", "cpu"};
constexpr std::string_view kArgumentNames[] = {"pointer",   "size",       "stride",
                                               "workspace", "tensor_map", "scalar"};
constexpr std::string_view kEntryNames[] = {"launch", "parallel", "blas"};

static std::span<const std::string_view> names_of(Backend) { return kBackendNames; }
static std::span<const std::string_view> names_of(ArgumentKind) { return kArgumentNames; }
static std::span<const std::string_view> names_of(EntryKind) { return kEntryNames; }

template <typename Visit>
void visit_fields(TensorMapStride& stride, const Visit& visit) {
  visit("factor", stride.factor)("dimension", stride.dimension);
}

template <typename Visit>
void visit_fields(TensorMapRecipe& recipe, const Visit& visit) {
  visit("dtype", recipe.dtype)("extents", recipe.extents)("strides", recipe.strides);
  visit("box", recipe.box)("element_strides", recipe.element_strides);
  visit("swizzle_bytes", recipe.swizzle_bytes)("l2_promotion_bytes", recipe.l2_promotion_bytes);
  visit("is_nan_outside", recipe.is_nan_outside);
}

template <typename Visit>
void visit_fields(Argument& argument, const Visit& visit) {
  visit("kind", argument.kind);
  if (argument.kind == ArgumentKind::Size) {
    visit("expr", argument.expr);
  } else {
    visit("param", argument.param);
  }
  if (argument.kind == ArgumentKind::Stride) visit("dimension", argument.dimension);
  if (argument.kind == ArgumentKind::TensorMap) visit("tensor_map", argument.tensor_map);
  if (argument.kind == ArgumentKind::Scalar) visit("dtype", argument.dtype);
}

template <typename Visit>
void visit_fields(LaunchRecipe& recipe, const Visit& visit) {
  visit("grid", recipe.grid)("block", recipe.block)("cluster", recipe.cluster);
  visit("shared_bytes", recipe.shared_bytes)("dependent_launch", recipe.dependent_launch);
}

template <typename Visit>
void visit_fields(ParallelRecipe& recipe, const Visit& visit) {
  visit("extent", recipe.extent)("grain", recipe.grain);
}

template <typename Visit>
void visit_fields(BlasRecipe& recipe, const Visit& visit) {
  visit("a", recipe.a)("b", recipe.b)("c", recipe.c)("dtype", recipe.dtype);
  visit("batch", recipe.batch)("m", recipe.m)("n", recipe.n)("k", recipe.k);
  visit("a_batch_stride", recipe.a_batch_stride)("b_batch_stride", recipe.b_batch_stride);
  visit("a_row_stride", recipe.a_row_stride)("a_col_stride", recipe.a_col_stride);
  visit("b_row_stride", recipe.b_row_stride)("b_col_stride", recipe.b_col_stride);
  visit("panel_rows", recipe.panel_rows);
  visit("convert_a", recipe.convert_a)("convert_b", recipe.convert_b)("epilogue", recipe.epilogue);
}

template <typename Visit>
void visit_fields(Entry& entry, const Visit& visit) {
  visit("symbol", entry.symbol)("kind", entry.kind)("is_called", entry.is_called);
  visit("arguments", entry.arguments);
  if (entry.kind == EntryKind::Launch) visit("launch", entry.launch);
  if (entry.kind == EntryKind::Parallel) visit("parallel", entry.parallel);
  if (entry.kind == EntryKind::Blas) visit("blas", entry.blas);
}

template <typename Visit>
void visit_fields(Workspace& workspace, const Visit& visit) {
  visit("name", workspace.name)("size_bytes", workspace.size_bytes)("zeroed", workspace.zeroed);
}

template <typename Visit>
void visit_fields(Accumulation& accumulation, const Visit& visit) {
  visit("longest_chain", accumulation.longest_chain)("dtype", accumulation.dtype);
}

template <typename Visit>
void visit_fields(Source& source, const Visit& visit) {
  JsonLines lines{source.text};
  visit("name", source.name)("language", source.language)("text", lines);
}

template <typename Visit>
void visit_fields(Program& program, const Visit& visit) {
  visit("backend", program.backend)("workspaces", program.workspaces);
  visit("entries", program.entries)("accumulations", program.accumulations);
  visit("sources", program.sources);
}

std::string to_string(const Program& program) {
  Program copy = program;  // visit_fields serves readers too, so it takes what it may change
  return write_json(copy).dump(2) + "\n";
}

Program parse_program(const std::string& text) {
  Program program;
  try {
    read_json(Json::parse(text), program);
  } catch (const nlohmann::json::exception& error) {
    support::throw_user("program text: {}", error.what());
  }
  return program;
}

}  // namespace sinter::codegen
