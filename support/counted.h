// Numbers of things, for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinter::support {

/// "1 kernel", "2 kernels".
std::string counted(std::size_t number, std::string_view noun);

}  // namespace sinter::support
