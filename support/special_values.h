// Infinity and NaN, in f64.
#pragma once

#include <limits>

namespace sinter::support {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace sinter::support
