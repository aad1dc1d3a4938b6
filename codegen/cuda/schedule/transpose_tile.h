// A load or store across in the text of a transposed kernel: its vectors along b in memory, its words in shared
// memory, its elements along a.
#pragma once

#include <string>

#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/schedule/transpose.h"

namespace sinter::codegen::cuda {

/// What a tile of one tensor looks like; numbers are powers of two.
struct TileShape {
  std::int64_t a = 0, b = 0;  // elements
  std::int64_t element_bytes = 4;
  std::int64_t vector_a = 1;  // elements that a thread has along a
  std::int64_t vector_b = 1;  // elements of an access along b
  std::int64_t packed = 1;    // elements of a word, neighbours along a

  /// The shape of an access across. Its vectors along b have 16 bytes at most, and whole words.
  TileShape(const ir::Kernel& kernel, ir::NodeId id, const TransposeKernel& tiles,
            const TileVectors& vectors, std::int64_t tile_a, std::int64_t tile_b);

  std::int64_t word_bytes() const { return packed * element_bytes; }
  std::int64_t bytes() const { return a * b * element_bytes; }
  std::int64_t vectors_of_row() const { return b / vector_b; }
  /// Vectors side by side that one thread moves at a time.
  std::int64_t units() const { return a / packed * vectors_of_row(); }
};

/// The text around it names `item`, a place `a`, `b` in the tile, `room_a`, `room_b` (elements that the tile
/// has) and `threads` a block.
class TileText {
 public:
  /// Refers to `text`.
  TileText(KernelText& text, ir::NodeId id, const TileShape& shape, std::int64_t threads);

  ir::NodeId id() const { return id_; }
  /// Declares the shared memory and, of a load, what its vectors are loaded into.
  void emit_declarations();
  void set_origin(const std::string& base, const std::string& step_a, const std::string& step_b);
  /// Memory to registers, registers to shared memory, shared memory to memory: each a loop over the thread's
  /// share of the tile.
  void emit_reads();
  void emit_puts();
  void emit_writes();

  /// The thread's vector along a at a, b: declared, and of a load, fetched.
  void emit_fetch();
  /// Element e of it.
  std::string element(const std::string& e) const;
  void set_element(const std::string& e, const std::string& value);
  /// Back to shared memory, where emit_writes finds it.
  void emit_return();

 private:
  ir::DType dtype() const;
  bool has_squares() const { return shape_.packed > 1 && shape_.vector_b > 1; }
  std::string bits_type() const;
  std::string vector_type();
  std::string columns_type();
  std::string pointer(const std::string& row) const;
  std::string word(const std::string& row, const std::string& column) const;
  std::string bits_of(const std::string& element) const;
  std::string element_of(const std::string& word, const std::string& e) const;
  void emit_turn();
  void emit_squares(bool is_load);
  template <typename Body>
  void emit_units(const Body& body);

  KernelText& text_;
  const ir::NodeId id_;
  const TileShape shape_;
  const std::int64_t threads_;
  std::string base_, step_a_, step_b_;
  std::string shared_, pack_, words_, turn_;
};

}  // namespace sinter::codegen::cuda
