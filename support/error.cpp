// Composes the text of errors that know the user's source line.
#include "sinter/error.h"

#include <fmt/format.h>

namespace sinter {

namespace {

std::string with_location(const std::string& message, const SourceLocation& location) {
  if (location.line == 0) return message;
  return fmt::format("{}:{}: {}", location.file, location.line, message);
}

}  // namespace

UserError::UserError(const std::string& message, SourceLocation location)
    : Error(with_location(message, location)), location_(std::move(location)) {}

}  // namespace sinter
