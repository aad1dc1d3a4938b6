// The small device functions and type names that generated CUDA text may use. Only those that a
// kernel mentions are put at its head, so the text includes no header and compiles in ~40 ms.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "codegen/cuda/native_functions.h"
#include "support/text_writer.h"

namespace sinter::codegen::cuda {

struct Piece {
  std::string_view name;
  std::string_view needs;  // names of other pieces, separated by spaces; those stand earlier
  std::string_view text;
};

/// Every piece; texts stand in this order in a kernel.
std::span<const Piece> all_pieces();

/// Collects the pieces that a kernel uses.
class PieceSet {
 public:
  /// Which pieces stand for elementary functions.
  void set_native(NativeFunctions kind) { native_ = kind; }
  NativeFunctions native() const { return native_; }

  /// Marks the piece and all that it needs; returns its name, to be written into the text.
  /// InternalError where there is none of this name.
  std::string use(std::string_view name);
  void emit(support::TextWriter& out) const;

 private:
  std::set<std::string_view> used_;
  NativeFunctions native_ = NativeFunctions::None;
};

}  // namespace sinter::codegen::cuda
