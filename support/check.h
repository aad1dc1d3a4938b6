// Throwing with formatted messages, and checks of our own invariants.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "sinter/error.h"

namespace sinter::support {

/// Throws UserError with a formatted message.
template <typename... Args>
[[noreturn]] void throw_user(fmt::format_string<Args...> format, Args&&... args) {
  throw UserError(fmt::format(format, std::forward<Args>(args)...));
}

/// The same, naming the user's source line.
template <typename... Args>
[[noreturn]] void throw_user_at(const SourceLocation& location, fmt::format_string<Args...> format,
                                Args&&... args) {
  throw UserError(fmt::format(format, std::forward<Args>(args)...), location);
}

/// Throws RuntimeError with a formatted message.
template <typename... Args>
[[noreturn]] void throw_runtime(fmt::format_string<Args...> format, Args&&... args) {
  throw RuntimeError(fmt::format(format, std::forward<Args>(args)...));
}

/// Throws EnvironmentError with a formatted message.
template <typename... Args>
[[noreturn]] void throw_environment(fmt::format_string<Args...> format, Args&&... args) {
  throw EnvironmentError(fmt::format(format, std::forward<Args>(args)...));
}

/// Throws CompileError with a formatted message.
template <typename... Args>
[[noreturn]] void throw_compile(fmt::format_string<Args...> format, Args&&... args) {
  throw CompileError(fmt::format(format, std::forward<Args>(args)...));
}

/// Throws InternalError unless `condition` holds. Used for our own invariants only.
template <typename... Args>
void check(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) throw InternalError(fmt::format(format, std::forward<Args>(args)...));
}

/// Throws InternalError.
template <typename... Args>
[[noreturn]] void throw_internal(fmt::format_string<Args...> format, Args&&... args) {
  throw InternalError(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace sinter::support
