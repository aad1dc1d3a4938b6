// Writes one LLVM function as text: unique names, blocks, argument slots and the intrinsics that it
// calls. Instructions of the entry block may be added at any time: what depends only on arguments
// goes there, once.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/program.h"
#include "support/text_writer.h"

namespace sinter::codegen::llvm {

/// `text` with everything that LLVM names cannot hold replaced by '_'.
std::string make_identifier(std::string_view text);

class FunctionWriter {
 public:
  /// The function will be `void symbol(ptr arguments, i64 begin, i64 end)`.
  explicit FunctionWriter(std::string symbol) : symbol_(std::move(symbol)) {}

  /// Appends "%hint = text", the name made unique, and returns it.
  std::string assign(std::string_view hint, const std::string& text);
  /// The same in the entry block; equal texts give one instruction.
  std::string assign_at_entry(std::string_view hint, const std::string& text);
  void line(const std::string& text) { lines_.push_back("  " + text); }
  void comment(const std::string& text) { lines_.push_back("  ; " + text); }

  /// A place for a line that is known later (the phi of a loop).
  std::size_t reserve_line();
  void fill_line(std::size_t place, const std::string& text) { lines_[place] = "  " + text; }

  std::string make_label(std::string_view hint);
  /// Jumps to `label` and goes on there.
  void start_block(const std::string& label, bool fall_through = true);
  void branch(const std::string& label);
  void branch_if(const std::string& condition, const std::string& yes, const std::string& no);
  /// Label of the block that instructions go to now.
  const std::string& block() const { return block_; }

  /// The argument's value, loaded in the entry block: a pointer or an i64. One slot an argument.
  std::string argument(const Argument& argument);
  const std::vector<Argument>& arguments() const { return arguments_; }
  /// Notes that the function calls `declaration` ("declare float @llvm.fabs.f32(float)").
  void declare(const std::string& declaration) { declarations_.insert(declaration); }
  const std::set<std::string>& declarations() const { return declarations_; }
  /// Zeroed memory of one element, for accesses that must touch nothing.
  std::string nowhere();

  const std::string& symbol() const { return symbol_; }
  /// Appends the whole function.
  void finish(support::TextWriter& text) const;

 private:
  std::string unique(std::string_view hint);

  std::string symbol_;
  std::string block_ = "start";
  std::vector<std::string> entry_;
  std::vector<std::string> lines_;
  std::map<std::string, int> used_ = {
      {"arguments", 1}, {"begin", 1}, {"end", 1}, {"entry", 1}, {"start", 1}};
  std::map<std::string, std::string> entry_values_;
  std::vector<Argument> arguments_;
  std::vector<std::string> argument_values_;
  std::set<std::string> declarations_;
};

}  // namespace sinter::codegen::llvm
