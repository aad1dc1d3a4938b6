// Text of unknown origin, made fit for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinter::support {

/// Bytes of the UTF-8 code point that `text` begins with: 1 to 4, or 0 where it begins with none
/// (cut short, over-long, a surrogate, above U+10FFFF).
std::size_t code_point_bytes(std::string_view text);

/// The text with every byte that is no part of UTF-8, and every control character but newline and
/// tab, as \xNN: code points are never cut, and a terminal obeys nothing in it.
std::string printable(std::string_view text);

/// The first code point of a text that is not empty, or its first byte as \xNN.
std::string first_printable(std::string_view text);

}  // namespace sinter::support
