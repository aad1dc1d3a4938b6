#include "runtime/profile/warm_up.h"

#include <cmath>

namespace sinter::runtime {

namespace {

constexpr double kWindowMs = 250;
constexpr double kDistanceMs = 500;
constexpr double kLargestChange = 0.005;

}  // namespace

void WarmUp::note(double time_ms, double clock_mhz) {
  spent_ms_ = time_ms;
  if (clock_mhz > 0) readings_.push_back({time_ms, clock_mhz});
}

double WarmUp::average_before(double end_ms) const {
  double sum = 0;
  int count = 0;
  for (auto reading = readings_.rbegin(); reading != readings_.rend(); ++reading) {
    if (reading->time_ms > end_ms) continue;
    if (reading->time_ms <= end_ms - kWindowMs) break;
    sum += reading->clock_mhz;
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

bool WarmUp::has_settled() const {
  const double before = average_before(spent_ms_ - kDistanceMs);
  const double now = average_before(spent_ms_);
  return before > 0 && now > 0 && std::abs(now - before) < kLargestChange * before;
}

bool WarmUp::is_over() const {
  if (spent_ms_ >= options_.most_ms) return true;
  return spent_ms_ >= options_.least_ms && (readings_.empty() || has_settled());
}

}  // namespace sinter::runtime
