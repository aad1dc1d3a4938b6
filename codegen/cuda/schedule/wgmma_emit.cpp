// Emission of contraction_wgmma. Roles by warpgroup: 0 and 1 multiply, 2 copies (its warp 0 fills the
// ring, its warps 1 and 2 serve the staging buffers of warpgroups 0 and 1).
//
// Barriers, each a phase counter in shared memory:
//   full[stage]     the stage's tiles have landed              1 arrival and the bytes
//   empty[stage]    all warps that read it are done            8 warps of each block of the cluster
//   loaded[slot]    a tile of the addend has landed, or the slot's store has been read   1 arrival
//   ready[slot]     the warpgroup has read or written the slot                           4 warps
#include "codegen/cuda/hopper_text.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/schedule/contraction_wgmma.h"
#include "codegen/cuda/schedule/generic.h"
#include "codegen/cuda/schedule/wgmma_tiling.h"
#include "codegen/cuda/types.h"
#include "codegen/expand/expand.h"
#include "codegen/kernel_queries.h"
#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::DType;
using ir::IndexExpr;
using ir::Kernel;
using ir::NodeId;
using ir::Op;
using Scope = support::TextWriter::Scope;

/// Tiles of neighbouring columns are computed one after the other, in panels of so many.
constexpr std::int64_t kPanel = 16;
/// The addend's kept tiles are read at this step of the sum, when they have long landed.
constexpr std::int64_t kKeepStep = 8;
/// L2 policies: PTX ISA, createpolicy.fractional with all of the fraction.
constexpr const char* kEvictFirst = "0x12F0000000000000ull";
constexpr const char* kEvictLast = "0x14F0000000000000ull";

/// Names in the text below.
constexpr std::string_view kWords[] = {"a",
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
                                       "expect_bytes",
                                       "finish_products",
                                       "full",
                                       "group",
                                       "half",
                                       "init_barrier",
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
                                       "wait",
                                       "wait_all_blocks",
                                       "window"};

WgmmaProblem problem_of(const Kernel& kernel) {
  std::string why_not;
  auto problem = match_wgmma(kernel, why_not);
  support::check(problem.has_value(), "contraction_wgmma: {}", why_not);
  return *problem;
}

/// A tensor map of the kernel's text: its parameter's name, and how many coordinates it takes.
struct MapText {
  std::string name;
  int rank = 2;
  /// Coordinates of the element at this place of its line, on this line.
  std::string at(const std::string& along, const std::string& line) const {
    return "(int)(" + along + "), (int)(" + line + ")" + (rank == 3 ? ", (int)batch_index" : "");
  }
};

class WgmmaText {
 public:
  WgmmaText(const Kernel& kernel, const ir::Facts& facts, const Config& config)
      : kernel_(kernel),
        problem_(problem_of(kernel)),
        tiling_(make_wgmma_tiling(kernel, problem_, config.at("columns"), config.at("cluster"),
                                  config.at("stages"))),
        is_narrow_(is_narrow_index(kernel, facts)),
        text_(kernel, facts, false, kWords),
        out_(text_.body()) {}

  Program make_program(const Target& target) {
    for (const char* type : {"u16", "u32", "u64"}) text_.pieces().use(type);
    add_maps();
    emit_functions();
    emit_head();
    emit_producer();
    emit_consumer();
    emit_tail();

    Program program;
    program.backend = Backend::Cuda;
    const std::string symbol = text_.symbol();
    program.sources.push_back(
        {symbol.substr(symbol.find('_') + 1) + ".cu", "cuda",
         text_.finish(comment(), symbol, fmt::format("{}, 1", kWgmmaThreads))});
    Entry entry;
    entry.symbol = symbol;
    entry.arguments = text_.signature().arguments;
    entry.launch = make_launch(target);
    program.entries.push_back(entry);
    program.accumulations.push_back(make_accumulation());
    return program;
  }

 private:
  std::string comment() const {
    return fmt::format(
        "// {}, schedule contraction_wgmma: tiles of {} x {}, {} stages, clusters of {}.",
        text_.symbol(), kWgmmaRows, tiling_.columns, tiling_.stages, tiling_.cluster);
  }

  // Parameters and functions.

  MapText add_map(const TiledTensor& tensor, std::int64_t box_lines, const std::string& hint) {
    MapText map{text_.make_name(hint + "_map"), tensor.has_batch ? 3 : 2};
    text_.add_parameter(tile_argument(kernel_, tensor, box_lines),
                        "const __grid_constant__ TensorMap " + map.name);
    return map;
  }

  bool a_lines_are_k() const { return problem_.a.lines_are_columns; }
  bool b_lines_are_k() const { return !problem_.b.lines_are_columns; }
  /// Columns of B that one copy of this block brings.
  std::int64_t b_box_columns() const { return tiling_.columns / tiling_.cluster; }

  void add_maps() {
    a_map_ = add_map(problem_.a, a_lines_are_k() ? kWgmmaRows : kWgmmaSummed, "a");
    b_map_ = add_map(problem_.b, b_lines_are_k() ? b_box_columns() : kWgmmaSummed, "b");
    output_map_ = add_map(problem_.output, 64, "output");
    if (tiling_.stages_addend) addend_map_ = add_map(*problem_.addend, 64, "addend");
  }

  void add_function(const std::string& text) {
    if (!functions_.insert(text).second) return;
    if (functions_.size() > 1) text_.functions().blank();
    text_.functions().append(text);
  }

  void emit_functions() {
    add_function(barrier_functions());
    add_function(tile_load_function(a_map_.rank, false));
    add_function(tile_load_function(b_map_.rank, tiling_.cluster > 1));
    add_function(tile_store_function(output_map_.rank));
    if (tiling_.stages_addend) add_function(tile_load_function(addend_map_.rank, false));
    add_function(product_functions(tiling_.columns, problem_.dtype,
                                   a_lines_are_k() ? OperandLines::K : OperandLines::Outer,
                                   b_lines_are_k() ? OperandLines::K : OperandLines::Outer));
  }

  // What all roles share.

  std::string barrier(const std::string& kind, const std::string& index) const {
    return kind + " + 8 * " + index;
  }

  void emit_head() {
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
    out_.line("const idx column_tiles = (columns + {}) / {};", tiling_.columns - 1,
              tiling_.columns);
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

  std::int64_t tile_rows() const { return kWgmmaRows * tiling_.cluster; }

  /// for (...) { and the coordinates of the tile: row0 and column0 of this block's part.
  void emit_tile_loop() {
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

  void emit_loop_end() {
    out_.dedent();
    out_.line("}}");
  }

  // The producer. Its threads give registers to those that multiply; 64-bit indices need some more.

  std::int64_t producer_registers() const { return is_narrow_ ? 40 : 56; }

  void emit_producer() {
    out_.line("if (group == 2) {{");
    out_.indent();
    out_.line("asm volatile(\"setmaxnreg.dec.sync.aligned.u32 {};\");", producer_registers());
    out_.line("if (warp == 0 && lane == 0) {{");
    {
      const Scope scope(out_);
      emit_ring_loads();
    }
    out_.line("}} else if ((warp == 1 || warp == 2) && lane == 0) {{");
    {
      const Scope scope(out_);
      emit_staging_copies();
    }
    out_.line("}}");
    out_.dedent();
    out_.line("}} else {{");
    out_.indent();
  }

  void emit_next_stage() {
    out_.line("if (++stage == {}) {{", tiling_.stages);
    out_.line("  stage = 0;");
    out_.line("  parity ^= 1;");
    out_.line("}}");
  }

  void emit_ring_loads() {
    out_.line("u32 stage = 0;");
    out_.line("u32 parity = 1;  // a stage that nobody has filled is empty");
    emit_tile_loop();
    out_.line("for (idx step = 0; step < steps; ++step) {{");
    {
      const Scope scope(out_);
      out_.line("const u32 a_at = ring + stage * {};", tiling_.stage_bytes);
      out_.line("const u32 b_at = a_at + {};", tiling_.a_bytes);
      out_.line("const u32 arrived = {};", barrier("full", "stage"));
      out_.line("wait({}, parity);", barrier("empty", "stage"));
      out_.line("expect_bytes(arrived, {});", tiling_.stage_bytes);
      emit_a_loads();
      emit_b_loads();
      emit_next_stage();
    }
    out_.line("}}");
    emit_loop_end();
  }

  std::string k0() const { return fmt::format("step * {}", kWgmmaSummed); }

  void emit_a_loads() {
    const auto load = [&](std::int64_t offset, const std::string& at) {
      out_.line("load_tile_{}d(a_at + {}, {}, {}, arrived, {});", a_map_.rank, offset, a_map_.name,
                at, kEvictFirst);
    };
    if (a_lines_are_k()) return load(0, a_map_.at(k0(), "row0"));
    for (std::int64_t rows = 0; rows < kWgmmaRows; rows += 64) {
      load(rows * 128, a_map_.at(fmt::format("row0 + {}", rows), k0()));
    }
  }

  /// In a cluster each block fetches its half of B's columns for both.
  void emit_b_loads() {
    const bool shares = tiling_.cluster > 1;
    const auto load = [&](const std::string& offset, const std::string& at) {
      out_.line("{}_tile_{}d(b_at + {}, {}, {}, arrived, {}{});", shares ? "multicast" : "load",
                b_map_.rank, offset, b_map_.name, at, kEvictLast, shares ? ", 3" : "");
    };
    const std::int64_t width = b_box_columns();
    if (b_lines_are_k()) {
      return load(fmt::format("rank * {}", width * 128),
                  b_map_.at(k0(), fmt::format("column0 + rank * {}", width)));
    }
    for (std::int64_t column = 0; column < width; column += 64) {
      load(fmt::format("rank * {} + {}", width * 128, column * 128),
           b_map_.at(fmt::format("column0 + rank * {} + {}", width, column), k0()));
    }
  }

  // Staging buffers.

  std::string slot_index(std::int64_t slot) const {
    return fmt::format("(served * {} + {})", tiling_.slots, slot);
  }

  void emit_addend_load(std::int64_t chunk) {
    const std::string slot = slot_index(chunk % tiling_.slots);
    out_.line("expect_bytes({}, {});", barrier("loaded", slot), kStagingBytes);
    out_.line("load_tile_{}d(staging_at + {} * {}, {}, {}, {}, {});", addend_map_.rank,
              kStagingBytes, slot, addend_map_.name, output_place(chunk, addend_map_),
              barrier("loaded", slot), kEvictFirst);
  }

  std::string output_place(std::int64_t chunk, const MapText& map) const {
    return map.at(fmt::format("column0 + {}", chunk * tiling_.chunk_columns()),
                  "row0 + served * 64");
  }

  void emit_output_store(std::int64_t chunk) {
    out_.line("store_tile_{}d(staging_at + {} * {}, {}, {}, {});", output_map_.rank, kStagingBytes,
              slot_index(chunk % tiling_.slots), output_map_.name, output_place(chunk, output_map_),
              kEvictFirst);
  }

  void emit_wait_ready(std::int64_t slot) {
    out_.line("wait({}, parity >> {} & 1);", barrier("ready", slot_index(slot)), slot);
    out_.line("parity ^= {}u;", 1 << slot);
  }

  void emit_wait_stored() {
    out_.line("asm volatile(\"cp.async.bulk.wait_group.read 0;\" ::: \"memory\");");
  }

  void emit_free(std::int64_t slot) {
    out_.line("arrive({});", barrier("loaded", slot_index(slot)));
  }

  void emit_staging_copies() {
    out_.line("const u32 served = warp - 1;");
    out_.line("u32 parity = 0;  // of ready, one bit a slot");
    emit_tile_loop();
    const std::int64_t slots = tiling_.slots;
    const std::int64_t rounds = tiling_.rounds;
    if (tiling_.stages_addend) {
      for (std::int64_t slot = 0; slot < slots; ++slot) emit_addend_load(slot);
    }
    if (tiling_.keeps_addend) {
      out_.line("// Chunks behind the first ones, whose addend is in registers by now.");
      for (std::int64_t round = 1; round < rounds; ++round) {
        for (std::int64_t slot = 0; slot < slots; ++slot) {
          emit_wait_ready(slot);
          if (round > 1) {
            emit_output_store((round - 1) * slots + slot);
            emit_wait_stored();
          }
          emit_addend_load(round * slots + slot);
        }
      }
      for (std::int64_t slot = 0; slot < slots; ++slot) {
        emit_wait_ready(slot);
        emit_output_store((rounds - 1) * slots + slot);
        emit_wait_stored();
        emit_free(slot);
      }
      for (std::int64_t slot = 0; slot < slots; ++slot) {
        emit_wait_ready(slot);
        emit_output_store(slot);
      }
      emit_wait_stored();
    } else {
      for (std::int64_t round = 0; round < rounds; ++round) {
        for (std::int64_t slot = 0; slot < slots; ++slot) {
          emit_wait_ready(slot);
          emit_output_store(round * slots + slot);
        }
        emit_wait_stored();
        if (tiling_.stages_addend) continue;
        for (std::int64_t slot = 0; slot < slots; ++slot) emit_free(slot);
      }
    }
    emit_loop_end();
    out_.line("asm volatile(\"cp.async.bulk.wait_group 0;\" ::: \"memory\");");
  }

  // The consumers.

  /// Descriptors (PTX ISA, matrix descriptor): 128-byte swizzle, 1024 bytes between groups of 8 lines,
  /// and for lines along the outer dimension the bytes between blocks of 64 of it. In a cluster the
  /// window's address has the block's rank above its 18 bits.
  std::string descriptor(const std::string& address, bool lines_are_k) const {
    const std::uint64_t leading = lines_are_k ? 1 : kWgmmaSummed * 128 / 16;
    const std::uint64_t high = (1ull << 62) | (1024ull / 16) << 32 | leading << 16;
    return fmt::format("{:#x}ull | ({} & 0x3ffff) >> 4", high, address);
  }

  void emit_consumer() {
    out_.line("asm volatile(\"setmaxnreg.inc.sync.aligned.u32 {};\");",
              (kWgmmaRegisters - producer_registers()) / 2);
    out_.line("u32 stage = 0;");
    out_.line("u32 parity = 0;");
    out_.line("u32 loaded_parity = {};  // one bit a slot{}", tiling_.stages_addend ? "0" : "~0u",
              tiling_.stages_addend ? "" : "; all are free");
    emit_tile_loop();
    out_.line("float sums[{}];", tiling_.columns / 2);
    if (tiling_.keeps_addend) {
      out_.line("{} kept[{}][{}];", pair_type(), tiling_.slots, pairs_of_chunk());
    }
    // The class says that there is a step: without it the sums would be read before they are written.
    out_.line("idx step = 0;");
    out_.line("#pragma unroll 1");
    out_.line("do {{");
    {
      const Scope scope(out_);
      emit_step();
    }
    out_.line("}} while (++step < steps);");
    out_.line("finish_products(sums);");
    emit_release("(stage == 0 ? " + std::to_string(tiling_.stages) + " : stage) - 1");
    out_.blank();
    emit_epilogue();
    emit_loop_end();
    out_.dedent();
    out_.line("}}");
  }

  void emit_step() {
    out_.line("const u32 a_at = ring + stage * {} + group * 8192;", tiling_.stage_bytes);
    out_.line("const u32 b_at = ring + stage * {} + {};", tiling_.stage_bytes, tiling_.a_bytes);
    out_.line("const u64 a = {};", descriptor("a_at", a_lines_are_k()));
    out_.line("const u64 b = {};", descriptor("b_at", b_lines_are_k()));
    out_.line("wait({}, parity);", barrier("full", "stage"));
    out_.line("asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");");
    for (int part = 0; part < 4; ++part) {
      // 16 of the sum: 32 bytes along a line, or 16 lines.
      const auto offset = [&](bool lines_are_k) { return part * (lines_are_k ? 2 : 128); };
      out_.line("multiply(sums, a + {}, b + {}, {});", offset(a_lines_are_k()),
                offset(b_lines_are_k()), part == 0 ? "step != 0" : "1");
    }
    out_.line("asm volatile(\"wgmma.commit_group.sync.aligned;\" ::: \"memory\");");
    out_.line("asm volatile(\"wgmma.wait_group.sync.aligned 1;\" ::: \"memory\");");
    out_.line("if (step != 0) {{");
    {
      const Scope scope(out_);
      emit_release("(stage == 0 ? " + std::to_string(tiling_.stages) + " : stage) - 1");
    }
    out_.line("}}");
    emit_next_stage();
    if (tiling_.keeps_addend) emit_keep();
  }

  /// A stage is free when all warps of all blocks that its tiles were sent to have said so.
  void emit_release(const std::string& stage) {
    if (tiling_.cluster > 1) {
      out_.line("if (lane < 2) arrive_at({}, lane);", barrier("empty", "(" + stage + ")"));
    } else {
      out_.line("if (lane == 0) arrive({});", barrier("empty", "(" + stage + ")"));
    }
  }

  // Elements of the result. A thread has, of every 8 columns, a pair of neighbours in each of two rows:
  // sums[4 * (column / 8) + 2 * half + element].

  std::string pair_type() const {
    return tiling_.output_bytes == 1 ? "u16" : tiling_.output_bytes == 2 ? "u32" : "u64";
  }
  std::int64_t groups_of_chunk() const { return tiling_.chunk_columns() / 8; }
  std::int64_t pairs_of_chunk() const { return groups_of_chunk() * 2; }

  /// Declares `pair`: the place of the thread's pair in the staging buffer of `slot`. Pieces of 16 bytes
  /// are exchanged within a line as the copy engine does: piece xor line modulo 8.
  void emit_pair_place(const std::string& slot) {
    out_.line("const u32 line = warp * 16 + half * 8 + lane / 4;");
    out_.line("const u32 byte = (of_8 * 8 + lane % 4 * 2) * {};", tiling_.output_bytes);
    out_.line("const u32 place = line * 128 + ((byte / 16 ^ lane / 4) * 16 | byte % 16);");
    out_.line("{0}* const pair = ({0}*)(staging + (group * {1} + {2}) * {3} + place);", pair_type(),
              tiling_.slots, slot, kStagingBytes);
  }

  void emit_pair_loops(std::int64_t groups) {
    out_.line("#pragma unroll");
    out_.line("for (u32 of_8 = 0; of_8 < {}; ++of_8) {{", groups);
    out_.indent();
    out_.line("#pragma unroll");
    out_.line("for (u32 half = 0; half < 2; ++half) {{");
    out_.indent();
  }

  void emit_wait_loaded(const std::string& slot) {
    const std::string index = fmt::format("(group * {} + {})", tiling_.slots, slot);
    out_.line("wait({}, loaded_parity >> {} & 1);", barrier("loaded", index), slot);
    out_.line("loaded_parity ^= 1u << {};", slot);
  }

  void emit_ready(const std::string& slot) {
    const std::string index = fmt::format("(group * {} + {})", tiling_.slots, slot);
    out_.line("asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");");
    out_.line("__syncwarp();");
    out_.line("if (lane == 0) arrive({});", barrier("ready", index));
  }

  void emit_keep() {
    out_.line("if (step == min((idx){}, steps - 1)) {{", kKeepStep);
    out_.indent();
    out_.line("#pragma unroll");
    out_.line("for (u32 slot = 0; slot < {}; ++slot) {{", tiling_.slots);
    out_.indent();
    emit_wait_loaded("slot");
    emit_pair_loops(groups_of_chunk());
    emit_pair_place("slot");
    out_.line("kept[slot][of_8 * 2 + half] = *pair;");
    emit_loop_end();
    emit_loop_end();
    emit_ready("slot");
    emit_loop_end();
    emit_loop_end();
  }

  /// `bits` of memory_type(dtype) as a value.
  std::string from_bits(const std::string& bits, DType dtype) {
    if (dtype == DType::F32) return "__uint_as_float((u32)(" + bits + "))";
    if (dtype == DType::Bool) return "((" + bits + ") & 0xff) != 0";
    return "(" + memory_type(dtype, text_.pieces()) + ")(" + bits + ")";
  }
  std::string to_bits(const ScalarText& value) {
    if (value.dtype == DType::F32) return "__float_as_uint(" + value.text + ")";
    const std::string width = tiling_.output_bytes == 1   ? "unsigned char"
                              : tiling_.output_bytes == 2 ? "u16"
                                                          : "u32";
    return "(" + width + ")" + value.text;
  }

  bool is_store_of(const ir::KernelNode& node, std::int64_t param) const {
    return node.op == Op::Store &&
           node.attributes.get<std::int64_t>(ir::AttributeName::Param) == param;
  }

  /// Declares the axes of one element, and computes all that follows the product for it. `staged` is the
  /// addend's value where it is staged.
  void emit_element(const std::string& sum_index, const std::string& column,
                    const std::string& staged) {
    out_.line("const idx row = row0 + (group * 64 + warp * 16 + half * 8 + lane / 4);");
    out_.line("const idx column = column0 + ({});", column);
    // Elements beyond the edges are computed from the last ones, and not stored.
    out_.line("const idx row_read = min(row, rows - 1);");
    out_.line("const idx column_read = min(column, columns - 1);");
    text_.emit_axes("row_read", problem_.product.m);
    text_.emit_axes("column_read", problem_.product.n);
    text_.emit_axes("batch_index", problem_.product.batch);
    const ir::Value sum{problem_.product.contract, 0};
    out_.line("const float {} = sums[{}];", text_.name_value(sum), sum_index);
    const std::vector<NodeId> stops = {problem_.product.contract};
    for (const NodeId id : needed_nodes(kernel_, kernel_.stores(), stops)) {
      const ir::KernelNode& node = kernel_.node(id);
      if (id == problem_.product.contract) continue;
      if (!staged.empty() && id == problem_.addend->access) {
        text_.set_value({id, 0}, staged);
      } else if (is_store_of(node, problem_.output.param)) {
        out_.line("results |= ({})({}) << {} * element;", pair_type(),
                  to_bits(text_.value(node.operands.front())), 8 * tiling_.output_bytes);
      } else if (node.op == Op::Store) {
        out_.line("if (row < rows && column < columns) {{");
        {
          const Scope scope(out_);
          text_.emit_node(id, {});
        }
        out_.line("}}");
      } else {
        text_.emit_node(id, {});
      }
    }
  }

  void emit_epilogue() {
    const std::int64_t slots = tiling_.slots;
    out_.line("#pragma unroll");
    out_.line("for (u32 turn = 0; turn < {}; ++turn) {{", tiling_.chunks);
    out_.indent();
    if (tiling_.keeps_addend) {
      out_.line("const u32 chunk = (turn + {}) % {};", slots, tiling_.chunks);
    } else {
      out_.line("const u32 chunk = turn;");
    }
    out_.line("const u32 slot = chunk % {};", slots);
    emit_wait_loaded("slot");
    emit_pair_loops(groups_of_chunk());
    emit_pair_place("slot");
    std::string staged;
    if (tiling_.stages_addend) {
      const std::string kept = fmt::format("chunk < {} ? kept[slot][of_8 * 2 + half] : ", slots);
      out_.line("const {} addends = {}*pair;", pair_type(), tiling_.keeps_addend ? kept : "");
      const std::string bits = fmt::format("addends >> {} * element", 8 * tiling_.output_bytes);
      const auto param = static_cast<std::size_t>(problem_.addend->param);
      staged = "(" + from_bits(bits, kernel_.params()[param].dtype) + ")";
    }
    out_.line("{} results = 0;", pair_type());
    out_.line("#pragma unroll");
    out_.line("for (u32 element = 0; element < 2; ++element) {{");
    out_.indent();
    emit_element(
        fmt::format("(chunk * {} + of_8) * 4 + half * 2 + element", groups_of_chunk()),
        fmt::format("chunk * {} + of_8 * 8 + lane % 4 * 2 + element", tiling_.chunk_columns()),
        staged);
    emit_loop_end();
    out_.line("*pair = results;");
    emit_loop_end();
    emit_loop_end();
    emit_ready("slot");
    emit_loop_end();
  }

  void emit_tail() {
    if (tiling_.cluster == 1) return;
    out_.line("// A block stays until nobody signals it any more.");
    out_.line("__syncwarp();");
    out_.line("wait_all_blocks();");
  }

  /// 16 products a step are aligned and truncated inside the tensor core: measured on an H200, the error
  /// of a sum of K is below K / 16 units of the last place of the sum of absolute values, one-signed data
  /// included; 4 roundings a step of 16 have room for it.
  Accumulation make_accumulation() const {
    return {ir::floor_div(problem_.k + 15, 16) * 4 + 4, DType::F32};
  }

  LaunchRecipe make_launch(const Target& target) const {
    LaunchRecipe launch;
    const IndexExpr row_tiles = ir::floor_div(problem_.m + (tile_rows() - 1), tile_rows());
    const IndexExpr column_tiles =
        ir::floor_div(problem_.n + (tiling_.columns - 1), tiling_.columns);
    const IndexExpr resident = target.units / tiling_.cluster;
    launch.grid[0] = ir::min(row_tiles * column_tiles * problem_.batch, resident) * tiling_.cluster;
    launch.block[0] = kWgmmaThreads;
    launch.cluster[0] = tiling_.cluster;
    launch.shared_bytes = tiling_.shared_bytes;
    return launch;
  }

  const Kernel& kernel_;
  const WgmmaProblem problem_;
  const WgmmaTiling tiling_;
  const bool is_narrow_;
  KernelText text_;
  support::TextWriter& out_;
  std::set<std::string> functions_;
  MapText a_map_, b_map_, output_map_, addend_map_;
};

}  // namespace

Program emit_wgmma(const Kernel& kernel, const ir::Facts& facts, const Config& config,
                   const Target& target) {
  if (config.schedule == "generic") return emit_generic(kernel, facts, config, target);
  const Kernel expanded = expand_elementary(kernel);
  return WgmmaText(expanded, facts, config).make_program(target);
}

}  // namespace sinter::codegen::cuda
