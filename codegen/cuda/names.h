// C++ identifiers for the user's names (trap C11: a tensor may be called `double`).
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace sinter::codegen::cuda {

/// Letters, digits and '_' of `name`, other bytes as '_', at most 60 of them; never empty, never
/// beginning with a digit or an underscore.
std::string sanitize_name(std::string_view name);

/// Hands out identifiers that differ from each other, from C++ keywords, from CUDA's built-in
/// variables and from all device pieces.
class NameTable {
 public:
  /// `reserved`: further words that the text uses.
  explicit NameTable(std::span<const std::string_view> reserved = {});
  /// sanitize_name(name), followed by "_2", "_3", ... where it is taken.
  std::string make_name(std::string_view name);

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace sinter::codegen::cuda
