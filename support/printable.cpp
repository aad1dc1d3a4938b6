// UTF-8 by the table of well-formed byte sequences (Unicode standard, table 3-7).
#include "support/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::support {

namespace {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
}

std::string escaped(char c) { return fmt::format("\\x{:02x}", static_cast<unsigned char>(c)); }

}  // namespace

std::size_t code_point_bytes(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (size == 0 || first > 0xf4 || text.size() < size) return 0;
  unsigned lowest = 0x80;
  unsigned highest = 0xbf;
  if (first == 0xe0) lowest = 0xa0;
  if (first == 0xed) highest = 0x9f;
  if (first == 0xf0) lowest = 0x90;
  if (first == 0xf4) highest = 0x8f;
  if (byte(1) < lowest || byte(1) > highest) return 0;
  for (std::size_t i = 2; i < size; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  }
  return size;
}

std::string first_printable(std::string_view text) {
  const std::size_t size = code_point_bytes(text);
  if (size == 0 || is_control(text[0])) return escaped(text[0]);
  return std::string(text.substr(0, size));
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    result += first_printable(text);
    text.remove_prefix(std::max<std::size_t>(code_point_bytes(text), 1));
  }
  return result;
}

}  // namespace sinter::support
