// Head, tiles, launch and functions of a wgmma kernel.
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/native_functions.h"
#include "codegen/cuda/schedule/contraction_wgmma.h"
#include "codegen/cuda/schedule/generic.h"
#include "codegen/cuda/schedule/wgmma_text.h"
#include "support/check.h"

namespace sinter::codegen::cuda {

using ir::DType;
using ir::IndexExpr;
using ir::Kernel;
using ir::NodeId;
using ir::Op;
using Scope = support::TextWriter::Scope;

namespace {

/// Tiles of neighbouring columns are computed one after the other, in panels of so many.
constexpr std::int64_t kPanel = 16;

/// Names in the text.
constexpr std::string_view kWgmmaWords[] = {"a",
                                            "a_at",
                                            "addends",
                                            "arrive",
                                            "arrive_at",
                                            "arrived",
                                            "b",
                                            "b_at",
                                            "batch_index",
                                            "byte",
                                            "chunk",
                                            "column",
                                            "column0",
                                            "column_read",
                                            "column_tiles",
                                            "columns",
                                            "element",
                                            "empty",
                                            "finish_products",
                                            "full",
                                            "group",
                                            "half",
                                            "kept",
                                            "line",
                                            "load_tile_2d",
                                            "load_tile_3d",
                                            "loaded",
                                            "loaded_parity",
                                            "matrix_tile",
                                            "min",
                                            "multicast_tile_2d",
                                            "multicast_tile_3d",
                                            "multiply",
                                            "of_8",
                                            "pair",
                                            "panel",
                                            "panel_columns",
                                            "panel_tile",
                                            "parity",
                                            "place",
                                            "rank",
                                            "ready",
                                            "results",
                                            "ring",
                                            "row",
                                            "row0",
                                            "row_read",
                                            "row_tile",
                                            "row_tiles",
                                            "rows",
                                            "served",
                                            "shared_bytes",
                                            "slot",
                                            "stage",
                                            "staging",
                                            "staging_at",
                                            "steps",
                                            "store_tile_2d",
                                            "store_tile_3d",
                                            "sums",
                                            "tile",
                                            "tiles",
                                            "TensorMap",
                                            "turn",
                                            "wait_all_blocks",
                                            "window"};

WgmmaProblem problem_of(const Kernel& kernel) {
  std::string why_not;
  auto problem = match_wgmma(kernel, why_not);
  support::check(problem.has_value(), "contraction_wgmma: {}", why_not);
  return *problem;
}

}  // namespace

WgmmaText::WgmmaText(const Kernel& kernel, const ir::Facts& facts, const Config& config)
    : kernel_(kernel),
      problem_(problem_of(kernel)),
      tiling_(make_wgmma_tiling(kernel, problem_, config.at("columns"), config.at("cluster"),
                                config.at("stages"))),
      is_narrow_(is_narrow_index(kernel, facts)),
      text_(kernel, facts, false, kWgmmaWords),
      out_(text_.body()) {}

Program WgmmaText::make_program(const Target& target) {
  for (const char* piece : {"u16", "u32", "u64", "init_barrier", "expect_bytes", "wait"}) {
    text_.pieces().use(piece);
  }
  add_maps();
  emit_functions();
  emit_head();
  emit_producer();
  emit_consumer();
  emit_tail();

  Program program =
      text_.make_program(comment(), fmt::format("{}, 1", kWgmmaThreads), make_launch(target));
  program.accumulations.push_back(make_accumulation());
  return program;
}

std::string WgmmaText::comment() const {
  return fmt::format(
      "// {}, schedule contraction_wgmma: tiles of {} x {}, {} stages, clusters of {}.",
      text_.symbol(), kWgmmaRows, tiling_.columns, tiling_.stages, tiling_.cluster);
}

MapText WgmmaText::add_map(const TiledTensor& tensor, std::int64_t box_lines,
                           const std::string& hint) {
  MapText map{text_.make_name(hint + "_map"), tensor.has_batch ? 3 : 2};
  text_.add_parameter(tile_argument(kernel_, tensor, box_lines),
                      "const __grid_constant__ TensorMap " + map.name);
  return map;
}

void WgmmaText::add_maps() {
  a_map_ = add_map(problem_.a, a_lines_are_k() ? kWgmmaRows : kWgmmaSummed, "a");
  b_map_ = add_map(problem_.b, b_lines_are_k() ? b_box_columns() : kWgmmaSummed, "b");
  output_map_ = add_map(problem_.output, 64, "output");
  if (tiling_.stages_addend) addend_map_ = add_map(*problem_.addend, 64, "addend");
}

void WgmmaText::add_function(const std::string& text) {
  if (!functions_.insert(text).second) return;
  if (functions_.size() > 1) text_.functions().blank();
  text_.functions().append(text);
}

void WgmmaText::emit_functions() {
  add_function(barrier_functions());
  add_function(tile_load_function(a_map_.rank, false));
  add_function(tile_load_function(b_map_.rank, tiling_.cluster > 1));
  add_function(tile_store_function(output_map_.rank));
  if (tiling_.stages_addend) add_function(tile_load_function(addend_map_.rank, false));
  add_function(product_functions(tiling_.columns, problem_.dtype,
                                 a_lines_are_k() ? OperandLines::K : OperandLines::Outer,
                                 b_lines_are_k() ? OperandLines::K : OperandLines::Outer));
}

std::string WgmmaText::barrier(const std::string& kind, const std::string& index) const {
  return kind + " + 8 * " + index;
}

void WgmmaText::emit_head() {
  out_.line("extern __shared__ unsigned char shared_bytes[];");
  out_.line("const u32 window = (u32)__cvta_generic_to_shared(shared_bytes);");
  out_.line("const u32 ring = window + 1023u & ~1023u;");
  out_.line("unsigned char* const staging = shared_bytes + (ring - window) + {};",
            tiling_.staging_at);
  out_.line("const u32 staging_at = ring + {};", tiling_.staging_at);
  std::int64_t at = tiling_.barriers_at;
  const auto place = [&](const char* name, std::int64_t count) {
    out_.line("const u32 {} = ring + {};", name, at);
    at += 8 * count;
  };
  place("full", tiling_.stages);
  place("empty", tiling_.stages);
  place("loaded", 2 * tiling_.slots);
  place("ready", 2 * tiling_.slots);
  out_.line("const u32 group = threadIdx.x / 128;");
  out_.line("const u32 warp = threadIdx.x / 32 % 4;");
  out_.line("const u32 lane = threadIdx.x % 32;");
  out_.line("const u32 rank = {};", tiling_.cluster > 1 ? "blockIdx.x % 2" : "0");
  out_.line("const idx rows = {};", text_.index().emit(problem_.m));
  out_.line("const idx columns = {};", text_.index().emit(problem_.n));
  out_.line("const idx steps = ({} + {}) / {};", text_.index().emit_operand(problem_.k),
            kWgmmaSummed - 1, kWgmmaSummed);
  out_.line("const idx row_tiles = (rows + {}) / {};", tile_rows() - 1, tile_rows());
  out_.line("const idx column_tiles = (columns + {}) / {};", tiling_.columns - 1, tiling_.columns);
  out_.line("const idx tiles = row_tiles * column_tiles * {};",
            text_.index().emit_operand(problem_.batch));
  out_.blank();
  out_.line("if (threadIdx.x == 0) {{");
  {
    const Scope scope(out_);
    out_.line("for (u32 i = 0; i < {}; ++i) {{", tiling_.stages);
    out_.line("  init_barrier({}, 1);", barrier("full", "i"));
    out_.line("  init_barrier({}, {});", barrier("empty", "i"), 8 * tiling_.cluster);
    out_.line("}}");
    out_.line("for (u32 i = 0; i < {}; ++i) {{", 2 * tiling_.slots);
    out_.line("  init_barrier({}, 1);", barrier("loaded", "i"));
    out_.line("  init_barrier({}, 4);", barrier("ready", "i"));
    out_.line("}}");
    out_.line("asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");");
  }
  out_.line("}}");
  out_.line("{}", tiling_.cluster > 1 ? "wait_all_blocks();" : "__syncthreads();");
  out_.blank();
}

void WgmmaText::emit_tile_loop() {
  const std::string first = tiling_.cluster > 1 ? "blockIdx.x / 2" : "blockIdx.x";
  const std::string step = tiling_.cluster > 1 ? "gridDim.x / 2" : "gridDim.x";
  out_.line("for (idx tile = {}; tile < tiles; tile += {}) {{", first, step);
  out_.indent();
  const bool has_batch = !problem_.product.batch.empty();
  if (has_batch) out_.line("const idx batch_index = tile / (row_tiles * column_tiles);");
  out_.line("const idx matrix_tile = tile{};",
            has_batch ? " - batch_index * (row_tiles * column_tiles)" : "");
  out_.line("const idx panel = matrix_tile / ({} * row_tiles);", kPanel);
  out_.line("const idx panel_tile = matrix_tile - panel * ({} * row_tiles);", kPanel);
  out_.line("const idx panel_columns = min((idx){}, column_tiles - panel * {});", kPanel, kPanel);
  out_.line("const idx row_tile = panel_tile / panel_columns;");
  out_.line("const idx row0 = row_tile * {} + rank * {};", tile_rows(), kWgmmaRows);
  out_.line("const idx column0 = (panel * {} + panel_tile - row_tile * panel_columns) * {};",
            kPanel, tiling_.columns);
}

void WgmmaText::emit_loop_end() {
  out_.dedent();
  out_.line("}}");
}

void WgmmaText::emit_tail() {
  if (tiling_.cluster == 1) return;
  out_.line("// A block stays until nobody signals it any more.");
  out_.line("__syncwarp();");
  out_.line("wait_all_blocks();");
}

Accumulation WgmmaText::make_accumulation() const {
  return {ir::floor_div(problem_.k + 15, 16) * 4 + 4, DType::F32};
}

LaunchRecipe WgmmaText::make_launch(const Target& target) const {
  LaunchRecipe launch;
  const IndexExpr row_tiles = ir::floor_div(problem_.m + (tile_rows() - 1), tile_rows());
  const IndexExpr column_tiles = ir::floor_div(problem_.n + (tiling_.columns - 1), tiling_.columns);
  const IndexExpr resident = target.units / tiling_.cluster;
  launch.grid[0] = ir::min(row_tiles * column_tiles * problem_.batch, resident) * tiling_.cluster;
  launch.block[0] = kWgmmaThreads;
  launch.cluster[0] = tiling_.cluster;
  launch.shared_bytes = tiling_.shared_bytes;
  return launch;
}

Program emit_wgmma(const Kernel& kernel, const ir::Facts& facts, const Config& config,
                   const Target& target) {
  if (config.schedule == "generic") return emit_generic(kernel, facts, config, target);
  const Kernel expanded = expand_for_gpu(kernel);
  return WgmmaText(expanded, facts, config).make_program(target);
}

}  // namespace sinter::codegen::cuda
