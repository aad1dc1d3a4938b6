// Suites of many cases at a glance: the shares of a sweep, the layouts of operators.
#pragma once

#include <optional>
#include <string>

#include "bench/result.h"

namespace sinter::bench {

/// Sinter's share of the plain copy in the state of the cache where it is smaller; 0: not measured in every one.
double copy_share(const CaseResult& result);

/// Over all points of sweeps that have a share.
struct SweepSummary {
  std::size_t points = 0;
  double geometric_mean = 0;
  double least = 0;
  std::string least_name;
  std::size_t below = 0;  // of kFineShare
};
inline constexpr double kFineShare = 0.85;
std::optional<SweepSummary> summarize_sweep(const BenchResult& result);

/// Rows of operators and columns of lengths with copy_share in per cent, "!" behind one that is wrong or implausible, "?" behind
/// an inconclusive one, "-" where there is none; then the summary. Empty without a point.
std::string sweep_table(const BenchResult& result);

/// Rows of operators and columns of layouts with the time of the contiguous inputs over that of these, in the state of
/// the cache where it is smaller; names those below kSlowLayout. Empty without a case of layouts.
inline constexpr double kSlowLayout = 0.5;
std::string layouts_table(const BenchResult& result);

}  // namespace sinter::bench
