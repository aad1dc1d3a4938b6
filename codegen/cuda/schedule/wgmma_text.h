// The text of one kernel of contraction_wgmma while it is written: wgmma_emit.cpp has what all roles share,
// wgmma_producer.cpp and wgmma_consumer.cpp the roles. By warpgroup: 0 and 1 multiply, 2 copies (its warp 0 fills the
// ring, its warps 1 and 2 serve the staging buffers of warpgroups 0 and 1).
//
// Barriers, each a phase counter in shared memory:
//   full[stage]     the stage's tiles have landed              1 arrival and the bytes
//   empty[stage]    all warps that read it are done            8 warps of each block of the cluster
//   loaded[slot]    a tile of the addend has landed, or the slot's store has been read   1 arrival
//   ready[slot]     the warpgroup has read or written the slot                           4 warps
#pragma once

#include <set>
#include <string>

#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/schedule/wgmma_tiling.h"

namespace sinter::codegen::cuda {

/// L2 policies: PTX ISA, createpolicy.fractional with all of the fraction.
inline constexpr const char* kEvictFirst = "0x12F0000000000000ull";
inline constexpr const char* kEvictLast = "0x14F0000000000000ull";

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
  WgmmaText(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config);
  Program make_program(const Target& target);

 private:
  std::string comment() const;

  // Parameters and functions.
  MapText add_map(const TiledTensor& tensor, std::int64_t box_lines, const std::string& hint);
  bool a_lines_are_k() const { return problem_.a.lines_are_columns; }
  bool b_lines_are_k() const { return !problem_.b.lines_are_columns; }
  /// Columns of B that one copy of this block brings.
  std::int64_t b_box_columns() const { return tiling_.columns / tiling_.cluster; }
  void add_maps();
  void add_function(const std::string& text);
  void emit_functions();

  // What all roles share.
  std::string barrier(const std::string& kind, const std::string& index) const;
  void emit_head();
  std::int64_t tile_rows() const { return kWgmmaRows * tiling_.cluster; }
  /// for (...) { and the coordinates of the tile: row0 and column0 of this block's part.
  void emit_tile_loop();
  void emit_loop_end();

  // The producer. Its threads give registers to those that multiply; 64-bit indices need some more.
  std::int64_t producer_registers() const { return is_narrow_ ? 40 : 56; }
  void emit_producer();
  void emit_next_stage();
  void emit_ring_loads();
  std::string k0() const { return fmt::format("step * {}", kWgmmaSummed); }
  void emit_a_loads();
  /// In a cluster each block fetches its half of B's columns for both.
  void emit_b_loads();

  // Staging buffers.
  std::string slot_index(std::int64_t slot) const;
  void emit_addend_load(std::int64_t chunk);
  std::string output_place(std::int64_t chunk, const MapText& map) const;
  void emit_output_store(std::int64_t chunk);
  void emit_wait_ready(std::int64_t slot);
  void emit_wait_stored();
  void emit_free(std::int64_t slot);
  void emit_staging_copies();

  // The consumers.
  /// Descriptors (PTX ISA, matrix descriptor): 128-byte swizzle, 1024 bytes between groups of 8 lines,
  /// and for lines along the outer dimension the bytes between blocks of 64 of it. In a cluster the
  /// window's address has the block's rank above its 18 bits.
  std::string descriptor(const std::string& address, bool lines_are_k) const;
  void emit_consumer();
  void emit_step();
  /// A stage is free when all warps of all blocks that its tiles were sent to have said so.
  void emit_release(const std::string& stage);

  // Elements of the result. A thread has, of every 8 columns, a pair of neighbours in each of two rows:

  // sums[4 * (column / 8) + 2 * half + element].
  std::string pair_type() const;
  std::int64_t groups_of_chunk() const { return tiling_.chunk_columns() / 8; }
  std::int64_t pairs_of_chunk() const { return groups_of_chunk() * 2; }
  /// Declares `pair`: the place of the thread's pair in the staging buffer of `slot`. Pieces of 16 bytes
  /// are exchanged within a line as the copy engine does: piece xor line modulo 8.
  void emit_pair_place(const std::string& slot);
  void emit_pair_loops(std::int64_t groups);
  void emit_wait_loaded(const std::string& slot);
  void emit_ready(const std::string& slot);
  void emit_keep();
  /// `bits` of memory_type(dtype) as a value.
  std::string from_bits(const std::string& bits, ir::DType dtype);
  std::string to_bits(const ScalarText& value);
  bool is_store_of(const ir::KernelNode& node, std::int64_t param) const;
  /// Declares the axes of one element, and computes all that follows the product for it. `staged` is the
  /// addend's value where it is staged.
  void emit_element(const std::string& sum_index, const std::string& column,
                    const std::string& staged);
  void emit_epilogue();
  void emit_tail();
  /// 16 products a step are aligned and truncated inside the tensor core: measured on an H200, the error
  /// of a sum of K is below K / 16 units of the last place of the sum of absolute values, one-signed data
  /// included; 4 roundings a step of 16 have room for it.
  Accumulation make_accumulation() const;
  LaunchRecipe make_launch(const Target& target) const;

  const ir::Kernel& kernel_;
  const WgmmaProblem problem_;
  const WgmmaTiling tiling_;
  const bool is_narrow_;
  KernelText text_;
  support::TextWriter& out_;
  std::set<std::string> functions_;
  MapText a_map_, b_map_, output_map_, addend_map_;
};

}  // namespace sinter::codegen::cuda
