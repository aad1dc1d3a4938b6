// Logging to standard error; standard output carries only what was asked for.
#pragma once

#include <string>

namespace sinter::runtime {

/// Writes a line of level info.
void log_info(const std::string& message);
/// Writes a line of level warning.
void log_warning(const std::string& message);
/// Warns with this text the first time in this process only.
void warn_once(const std::string& message);
/// SINTER_DEBUG as a level 0 to 4; 0 for operators that SINTER_DEBUG_FILTER leaves out.
int debug_level(const std::string& operator_name);

}  // namespace sinter::runtime
