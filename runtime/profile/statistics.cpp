#include "runtime/profile/statistics.h"

#include <algorithm>
#include <cmath>

#include "support/check.h"

namespace sinter::runtime {

namespace {

/// Between the two sorted values around `place`, which counts from 0.
double at_place(const std::vector<double>& sorted, double place) {
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = place - static_cast<double>(below);
  return sorted[below] + share * (sorted[above] - sorted[below]);
}

/// The least distance between two different ones of the sorted values; 0 where all are alike.
double least_step(const std::vector<double>& sorted) {
  double step = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double distance = sorted[i] - sorted[i - 1];
    if (distance > 0 && (step == 0 || distance < step)) step = distance;
  }
  return step;
}

}  // namespace

double median_of(std::vector<double> values) {
  return values.empty() ? 0 : quantiles_of(std::move(values)).median;
}

Quantiles quantiles_of(std::vector<double> values) {
  support::check(!values.empty(), "quantiles of no values");
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  // The number of samples below the median is binomial; 1.96 of its standard deviations on each side.
  const double half_width = 1.96 * std::sqrt(last + 1) / 2;
  const auto low = static_cast<std::size_t>(std::max(std::floor(last / 2 - half_width), 0.0));
  const auto high = static_cast<std::size_t>(std::min(std::ceil(last / 2 + half_width), last));
  const double half_step = least_step(values) / 2;
  return {.least = values.front(),
          .quarter = at_place(values, last / 4),
          .median = at_place(values, last / 2),
          .three_quarters = at_place(values, last * 3 / 4),
          .low = values[low] - half_step,
          .high = values[high] + half_step};
}

}  // namespace sinter::runtime
