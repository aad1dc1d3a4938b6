#include "runtime/profile/timing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "support/check.h"

namespace sinter::runtime {
namespace {

using Samples = std::vector<std::vector<Sample>>;

constexpr double kLeastClockShare = 0.75;
constexpr double kMostRejected = 0.2;

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

double usual_clock(const Samples& samples) {
  std::vector<double> clocks;
  for (const auto& of_contender : samples) {
    for (const Sample& sample : of_contender) {
      if (sample.state.clock_mhz > 0) clocks.push_back(sample.state.clock_mhz);
    }
  }
  return median_of(std::move(clocks));
}

bool counts(const Sample& sample, double usual_mhz) {
  const DeviceState& state = sample.state;
  const bool is_slow = state.clock_mhz > 0 && state.clock_mhz < kLeastClockShare * usual_mhz;
  return !state.is_hot && !state.is_braked && !is_slow;
}

/// One sample of each contender, in a new order.
class Rounds {
 public:
  Rounds(DeviceImpl& device, const std::vector<Contender>& contenders, std::int64_t batch)
      : device_(device),
        contenders_(contenders),
        batch_(batch),
        order_(contenders.size()),
        stream_(device.make_stream()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }
  ~Rounds() { device_.free_stream(stream_); }
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  /// Microseconds that the round took in all.
  double run(Samples* samples) {
    std::shuffle(order_.begin(), order_.end(), random_);
    double total_us = 0;
    for (const std::size_t c : order_) {
      const double time_us = device_.time_us(stream_, [&] {
        for (std::int64_t i = 0; i < batch_; ++i) contenders_[c].launch(stream_, turn_++);
      });
      total_us += time_us;
      if (samples != nullptr) {
        (*samples)[c].push_back({time_us / static_cast<double>(batch_), device_.state()});
      }
    }
    return total_us;
  }

 private:
  DeviceImpl& device_;
  const std::vector<Contender>& contenders_;
  const std::int64_t batch_;
  std::vector<std::size_t> order_;
  std::mt19937_64 random_{1};
  std::int64_t turn_ = 0;
  StreamHandle stream_;
};

}  // namespace

Timing summarize(const std::string& name, const std::vector<Sample>& samples, double precision,
                 double usual_mhz) {
  Timing timing;
  timing.name = name;
  std::vector<double> times_us, clocks;
  for (const Sample& sample : samples) {
    timing.was_power_capped = timing.was_power_capped || sample.state.is_power_capped;
    if (!counts(sample, usual_mhz)) continue;
    times_us.push_back(sample.time_us);
    if (sample.state.clock_mhz > 0) clocks.push_back(sample.state.clock_mhz);
  }
  timing.rejected = samples.size() - times_us.size();
  if (times_us.empty()) {
    support::throw_user("timing {}: all {} samples were taken on a slowed-down device", name,
                        samples.size());
  }
  std::sort(times_us.begin(), times_us.end());
  const auto count = static_cast<double>(times_us.size());
  // The number of samples below the median is binomial; 1.96 of its standard deviations on each side.
  const double half_width = 1.96 * std::sqrt(count) / 2;
  const auto last = times_us.size() - 1;
  const auto low =
      static_cast<std::size_t>(std::max(std::floor((count - 1) / 2 - half_width), 0.0));
  const auto high =
      std::min(static_cast<std::size_t>(std::ceil((count - 1) / 2 + half_width)), last);
  timing.samples = times_us.size();
  timing.minimum_us = times_us.front();
  timing.mean_us = std::accumulate(times_us.begin(), times_us.end(), 0.0) / count;
  timing.low_us = times_us[low];
  timing.high_us = times_us[high];
  timing.median_us = median_of(std::move(times_us));
  timing.clock_mhz = median_of(std::move(clocks));
  const bool is_narrow = timing.high_us - timing.low_us <= 2 * precision * timing.median_us;
  const bool is_calm =
      static_cast<double>(timing.rejected) <= kMostRejected * static_cast<double>(samples.size());
  timing.is_precise = is_narrow && is_calm;
  return timing;
}

std::vector<Timing> time_interleaved(DeviceImpl& device, const std::vector<Contender>& contenders,
                                     const TimingOptions& options) {
  support::check(options.batch > 0 && !contenders.empty(), "nothing to time");
  Rounds rounds(device, contenders, options.batch);
  for (double spent_us = 0; spent_us < options.warmup_ms * 1e3;)
    spent_us += rounds.run(nullptr) + 1;

  Samples samples(contenders.size());
  const auto summarize_all = [&] {
    std::vector<Timing> timings;
    const double usual_mhz = usual_clock(samples);
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      timings.push_back(summarize(contenders[c].name, samples[c], options.precision, usual_mhz));
    }
    return timings;
  };
  double spent_us = 0;
  while (true) {
    spent_us += rounds.run(&samples);
    const bool is_spent = spent_us >= options.budget_ms * 1e3;
    const std::size_t count = samples.front().size();
    // Looking after every round would stop at the first lucky one.
    const bool is_look = count >= options.least_samples && count % options.least_samples == 0;
    if (!is_spent && !is_look) continue;
    const std::vector<Timing> timings = summarize_all();
    const bool is_precise = std::all_of(timings.begin(), timings.end(),
                                        [](const Timing& timing) { return timing.is_precise; });
    if (is_spent || is_precise) return timings;
  }
}

}  // namespace sinter::runtime
