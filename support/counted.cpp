// See counted.h.
#include "support/counted.h"

#include <fmt/format.h>

namespace sinter::support {

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace sinter::support
