// Sweeps as curves.
#pragma once

#include <string>

#include "bench/result.h"

namespace sinter::bench {

struct Drawing {
  std::string parts;  // SVG elements
  double height = 0;  // that they take
};

/// A panel an operator, a curve a dtype: copy_share over the row length (logarithmic), below `top`, as wide as
/// `width`. Nothing without a point that has a share.
Drawing draw_sweep(const BenchResult& result, double top, double width);

}  // namespace sinter::bench
