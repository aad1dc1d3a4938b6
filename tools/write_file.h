// Files that are there whole or not at all.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sinter::tools {

/// The pieces one after the other, through a temporary file and a rename, so that nothing is left
/// half-written. RuntimeError names path and reason.
void write_file(const std::string& path, std::initializer_list<std::string_view> pieces);

/// RuntimeError, as write_file would throw, where the file cannot be written: before work whose result it is for.
void check_writable(const std::string& path);

}  // namespace sinter::tools
