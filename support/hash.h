// Content hashes for keys and checksums (XXH3-128).
#pragma once

#include <string>
#include <string_view>

namespace sinter::support {

/// 32 lower-case hexadecimal digits of the XXH3-128 hash of `bytes`.
std::string hash_hex(std::string_view bytes);

}  // namespace sinter::support
