#include "runtime/profile/timing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "support/check.h"

namespace sinter::runtime {
namespace {

using Samples = std::vector<std::vector<double>>;

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
      if (samples != nullptr) (*samples)[c].push_back(time_us / static_cast<double>(batch_));
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

Timing summarize(const std::string& name, std::vector<double> samples_us, double precision) {
  support::check(!samples_us.empty(), "{} has no sample", name);
  std::sort(samples_us.begin(), samples_us.end());
  const auto count = static_cast<double>(samples_us.size());
  // The number of samples below the median is binomial; 1.96 of its standard deviations on each side.
  const double half_width = 1.96 * std::sqrt(count) / 2;
  const auto last = samples_us.size() - 1;
  const auto low =
      static_cast<std::size_t>(std::max(std::floor((count - 1) / 2 - half_width), 0.0));
  const auto high =
      std::min(static_cast<std::size_t>(std::ceil((count - 1) / 2 + half_width)), last);
  Timing timing;
  timing.name = name;
  timing.samples = samples_us.size();
  timing.minimum_us = samples_us.front();
  timing.mean_us = std::accumulate(samples_us.begin(), samples_us.end(), 0.0) / count;
  timing.median_us = (samples_us[last / 2] + samples_us[samples_us.size() / 2]) / 2;
  timing.low_us = samples_us[low];
  timing.high_us = samples_us[high];
  timing.is_precise = timing.high_us - timing.low_us <= 2 * precision * timing.median_us;
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
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      timings.push_back(summarize(contenders[c].name, samples[c], options.precision));
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
