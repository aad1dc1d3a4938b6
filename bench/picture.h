// Shares as a picture in SVG.
#pragma once

#include <string>

#include "bench/result.h"

namespace sinter::bench {

/// One row a case, one bar a state of the cache: the share of the limit that binds, which stands behind it. Points
/// of sweeps are curves below (draw_sweep). Cases without a share are left out.
std::string shares_picture(const BenchResult& result);

}  // namespace sinter::bench
