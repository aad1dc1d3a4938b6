// Order statistics of samples: no distribution is assumed.
#pragma once

#include <vector>

namespace sinter::runtime {

/// 0 where there are no values.
double median_of(std::vector<double> values);

struct Quantiles {
  double least = 0;
  double quarter = 0, median = 0, three_quarters = 0;
  /// The median of what was sampled lies between these with a probability of at least 95 %: as many samples
  /// lie below it as a fair coin shows heads. Half the least step between two samples is added on each
  /// side: a clock that counts steps tells no more.
  double low = 0, high = 0;
};

/// Of at least one value.
Quantiles quantiles_of(std::vector<double> values);

}  // namespace sinter::runtime
