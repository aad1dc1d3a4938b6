// Logging to standard error; standard output carries only what was asked for.
#pragma once

#include <spdlog/spdlog.h>

#include <string>

namespace sinter::runtime {

/// The logger "sinter" on standard error.
spdlog::logger& logger();
/// Warns with this text the first time in this process only.
void warn_once(const std::string& message);
/// SINTER_DEBUG as a level 0 to 5; 0 for operators that SINTER_DEBUG_FILTER leaves out.
int debug_level(const std::string& operator_name);

}  // namespace sinter::runtime
