// Text of one function.
#include "codegen/llvm/function_writer.h"

#include <fmt/format.h>

namespace sinter::codegen::llvm {

namespace {

bool is_same(const Argument& a, const Argument& b) {
  return a.kind == b.kind && a.param == b.param && a.dimension == b.dimension && a.expr == b.expr;
}

std::string argument_hint(const Argument& argument) {
  switch (argument.kind) {
    case ArgumentKind::Pointer:
    case ArgumentKind::Workspace:
    case ArgumentKind::Scalar:
    case ArgumentKind::TensorMap: return argument.param;
    case ArgumentKind::Stride:
      return fmt::format("{}.stride{}", argument.param, argument.dimension);
    case ArgumentKind::Size: return ir::to_string(argument.expr);
  }
  return "argument";
}

}  // namespace

std::string make_identifier(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_letter && !is_digit && c != '.' && c != '_') c = '_';
  }
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, "_");
  return name;
}

std::string FunctionWriter::unique(std::string_view hint) {
  const std::string name = make_identifier(hint);
  const int count = used_[name]++;
  if (count == 0) return name;
  // A user's own name may look like a numbered one: ask again.
  return unique(fmt::format("{}.{}", name, count));
}

std::string FunctionWriter::assign(std::string_view hint, const std::string& text) {
  std::string name = "%" + unique(hint);
  line(fmt::format("{} = {}", name, text));
  return name;
}

std::string FunctionWriter::assign_at_entry(std::string_view hint, const std::string& text) {
  const auto known = entry_values_.find(text);
  if (known != entry_values_.end()) return known->second;
  std::string name = "%" + unique(hint);
  entry_.push_back(fmt::format("  {} = {}", name, text));
  entry_values_.emplace(text, name);
  return name;
}

std::size_t FunctionWriter::reserve_line() {
  lines_.emplace_back();
  return lines_.size() - 1;
}

std::string FunctionWriter::make_label(std::string_view hint) { return unique(hint); }

void FunctionWriter::start_block(const std::string& label, bool fall_through) {
  if (fall_through) branch(label);
  lines_.push_back(label + ":");
  block_ = label;
}

void FunctionWriter::branch(const std::string& label) { line("br label %" + label); }

void FunctionWriter::branch_if(const std::string& condition, const std::string& yes,
                               const std::string& no) {
  line(fmt::format("br i1 {}, label %{}, label %{}", condition, yes, no));
}

std::string FunctionWriter::argument(const Argument& argument) {
  for (std::size_t slot = 0; slot < arguments_.size(); ++slot) {
    if (is_same(arguments_[slot], argument)) return argument_values_[slot];
  }
  const std::size_t slot = arguments_.size();
  const std::string hint = argument_hint(argument);
  const bool is_number =
      argument.kind == ArgumentKind::Size || argument.kind == ArgumentKind::Stride;
  const std::string address = assign_at_entry(
      hint + ".slot", fmt::format("getelementptr i64, ptr %arguments, i64 {}", slot));
  const std::string value = assign_at_entry(
      hint, fmt::format("load {}, ptr {}, align 8", is_number ? "i64" : "ptr", address));
  arguments_.push_back(argument);
  argument_values_.push_back(value);
  return value;
}

std::string FunctionWriter::nowhere() {
  const std::string memory = assign_at_entry("nowhere", "alloca i64, align 8");
  if (entry_values_.emplace("store to nowhere", memory).second) {
    entry_.push_back(fmt::format("  store i64 0, ptr {}, align 8", memory));
  }
  return memory;
}

void FunctionWriter::finish(support::TextWriter& text) const {
  text.line("define void @{}(ptr noalias readonly %arguments, i64 %begin, i64 %end) {{", symbol_);
  text.line("entry:");
  for (const std::string& line : entry_) text.line("{}", line);
  text.line("  br label %start");
  text.line("start:");
  for (const std::string& line : lines_) text.line("{}", line);
  text.line("  ret void");
  text.line("}}");
}

}  // namespace sinter::codegen::llvm
