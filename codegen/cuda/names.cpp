// Mangling of names and the words that a generated text must not redefine.
#include "codegen/cuda/names.h"

#include "codegen/cuda/pieces.h"

namespace sinter::codegen::cuda {
namespace {

constexpr std::size_t kLongestName = 60;

constexpr std::string_view kReserved[] = {
    // C++17 keywords and alternative tokens.
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char16_t", "char32_t", "class", "compl", "const", "const_cast",
    "constexpr", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast",
    "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
    "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
    "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
    "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid",
    "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while",
    "xor", "xor_eq", "restrict", "char8_t", "concept", "consteval", "constinit", "co_await",
    "co_return", "co_yield", "requires",
    // Names of CUDA and of the platform.
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "linux", "unix",
    // Names that schedules use.
    "idx", "index", "total", "lane", "step", "block", "warp"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string sanitize_name(std::string_view name) {
  std::string result;
  for (const char c : name.substr(0, kLongestName)) {
    result += is_letter(c) || is_digit(c) ? c : '_';
  }
  if (result.empty() || !is_letter(result.front())) result.insert(0, "u");
  // Two underscores in a row are the compiler's own.
  std::string single;
  for (const char c : result) {
    if (c != '_' || single.back() != '_') single += c;
  }
  return single;
}

NameTable::NameTable(std::span<const std::string_view> reserved) {
  taken_.insert(reserved.begin(), reserved.end());
  for (const std::string_view word : kReserved) taken_.emplace(word);
  for (const Piece& piece : all_pieces()) taken_.emplace(piece.name);
}

std::string NameTable::make_name(std::string_view name) {
  const std::string clean = sanitize_name(name);
  std::string candidate = clean;
  for (int suffix = 2; !taken_.insert(candidate).second; ++suffix) {
    candidate = clean + "_" + std::to_string(suffix);
  }
  return candidate;
}

}  // namespace sinter::codegen::cuda
