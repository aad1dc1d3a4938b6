// A bar picture as SVG text.
#pragma once

#include <string>

#include "bench/result.h"

namespace sinter::bench {

/// One row a case, one bar a state of the cache: the share of the limit that binds, which stands behind it.
/// Cases without a share are left out.
std::string shares_picture(const BenchResult& result);

}  // namespace sinter::bench
