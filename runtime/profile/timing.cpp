#include "runtime/profile/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "runtime/profile/statistics.h"
#include "support/check.h"

namespace sinter::runtime {
namespace {

using Samples = std::vector<std::vector<Sample>>;

constexpr double kLeastClockShare = 0.75;
constexpr double kMostRejected = 0.2;
/// Graphs rotate over all sets of buffers, at most so many.
constexpr std::int64_t kLeastGraphLaunches = 20, kMostGraphLaunches = 1024;
/// Between two looks at the clock while warming up.
constexpr double kWarmUpSliceUs = 10e3;

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
  Rounds(DeviceImpl& device, const std::vector<Contender>& contenders, const TimingOptions& options)
      : device_(device),
        contenders_(contenders),
        options_(options),
        order_(contenders.size()),
        graphs_(contenders.size()),
        launches_(contenders.size(), options.cache == Cache::Cold ? 1 : options.batch),
        last_turns_(contenders.size()),
        stream_(device.make_stream()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }
  ~Rounds() {
    graphs_.clear();
    device_.free_stream(stream_);
  }
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  WarmUp warm_up() {
    WarmUp warm_up(options_.warm_up);
    double spent_us = 0;
    while (!warm_up.is_over()) {
      const double begin_us = spent_us;
      do {
        spent_us += run(nullptr) + 1;
      } while (spent_us - begin_us < kWarmUpSliceUs && spent_us < options_.warm_up.most_ms * 1e3);
      warm_up.note(spent_us * 1e-3, device_.state().clock_mhz);
    }
    return warm_up;
  }

  /// Short launches are recorded, those of all contenders or of none: else they would not compare.
  void choose_launching() {
    bool is_any_short = false;
    for (std::size_t c = 0; c < contenders_.size(); ++c) {
      double time_us = sample_us(c);
      const double limit_us = options_.graph_below_us * static_cast<double>(launches_[c]);
      // One sample may have been disturbed.
      for (int again = 0; again < 2 && time_us < 10 * limit_us; ++again) {
        time_us = std::min(time_us, sample_us(c));
      }
      is_any_short = is_any_short || time_us < limit_us;
    }
    if (!is_any_short) return;
    std::vector<std::unique_ptr<RecordedWork>> graphs;
    for (std::size_t c = 0; c < contenders_.size(); ++c) {
      auto graph = device_.record(stream_, [&] { launch_each(c, graph_launches(c)); });
      if (graph == nullptr) break;
      graphs.push_back(std::move(graph));
    }
    const bool are_graphs = graphs.size() == contenders_.size();
    if (are_graphs) graphs_ = std::move(graphs);
    for (std::size_t c = 0; c < contenders_.size(); ++c) {
      launches_[c] = are_graphs ? graph_launches(c) : options_.batch;
    }
    launching_ = are_graphs ? Launching::Graph : Launching::Batch;
  }

  /// Microseconds that the round took in all.
  double run(Samples* samples) {
    std::shuffle(order_.begin(), order_.end(), random_);
    double total_us = 0;
    for (const std::size_t c : order_) {
      const double time_us = sample_us(c);
      total_us += time_us;
      if (samples != nullptr) {
        (*samples)[c].push_back({time_us / static_cast<double>(launches_[c]), device_.state()});
      }
    }
    return total_us;
  }

  void describe(std::size_t c, Timing& timing) const {
    timing.launching = launching_;
    timing.launches = launches_[c];
  }

  /// One more sample between poison and comparison.
  void verify(std::size_t c, Timing& timing) {
    const Verification& verification = contenders_[c].verification;
    if (!verification.poison || !verification.find_mistake) return;
    const std::int64_t last = graphs_[c] ? last_turns_[c] : turn_ + launches_[c] - 1;
    verification.poison(stream_, last);
    enqueue(c);
    device_.synchronize(stream_);
    timing.mistake = verification.find_mistake(last);
    timing.is_verified = true;
  }

 private:
  std::int64_t graph_launches(std::size_t c) const {
    return std::clamp(contenders_[c].rotation, kLeastGraphLaunches, kMostGraphLaunches);
  }

  void launch_each(std::size_t c, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) contenders_[c].launch(stream_, turn_++);
    last_turns_[c] = turn_ - 1;
  }

  void enqueue(std::size_t c) {
    if (graphs_[c]) {
      graphs_[c]->launch(stream_);
    } else {
      launch_each(c, launches_[c]);
    }
  }

  /// A GPU is busy with a launch that is not timed while the host enqueues the timed ones, so that their way to
  /// the device is not part of the time.
  double sample_us(std::size_t c) {
    const bool is_behind_host = device_.target().backend == codegen::Backend::Cuda;
    if (is_behind_host && graphs_[c]) {
      graphs_[c]->launch(stream_);
    } else if (is_behind_host) {
      launch_each(c, 1);
    }
    return device_.time_us(stream_, [&] { enqueue(c); });
  }

  DeviceImpl& device_;
  const std::vector<Contender>& contenders_;
  const TimingOptions& options_;
  std::vector<std::size_t> order_;
  std::vector<std::unique_ptr<RecordedWork>> graphs_;  // null: launched one by one
  std::vector<std::int64_t> launches_;                 // of one sample
  std::vector<std::int64_t> last_turns_;               // the last turn of each contender
  Launching launching_ = options_.cache == Cache::Cold ? Launching::Alone : Launching::Batch;
  std::mt19937_64 random_{1};
  std::int64_t turn_ = 0;
  StreamHandle stream_;
};

void judge(Timing& timing, const TimingOptions& options) {
  const double taken = static_cast<double>(timing.samples + timing.rejected);
  if (static_cast<double>(timing.rejected) > kMostRejected * taken) {
    timing.reason = fmt::format("{} of {} samples were taken on a slowed-down device",
                                timing.rejected, timing.samples + timing.rejected);
  } else if (timing.samples < options.least_samples) {
    timing.reason = fmt::format("{} samples in {:.0f} ms, at least {} are needed", timing.samples,
                                options.budget_ms, options.least_samples);
  } else {
    const bool is_narrow =
        timing.high_us - timing.low_us <= 2 * options.precision * timing.median_us;
    timing.verdict = is_narrow ? Verdict::Precise : Verdict::Wide;
  }
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Precise: return "precise";
    case Verdict::Wide: return "wide";
    case Verdict::Inconclusive: return "inconclusive";
  }
  return {};
}

std::string launching_text(const Timing& timing) {
  switch (timing.launching) {
    case Launching::Alone: return "alone";
    case Launching::Batch: return fmt::format("{} back to back", timing.launches);
    case Launching::Graph: return fmt::format("graph of {}", timing.launches);
  }
  return {};
}

Timing summarize(const std::string& name, const std::vector<Sample>& samples,
                 const TimingOptions& options, double usual_mhz) {
  Timing timing;
  timing.name = name;
  std::vector<double> times_us, clocks;
  for (const Sample& sample : samples) {
    timing.was_power_capped = timing.was_power_capped || sample.state.is_power_capped;
    if (!counts(sample, usual_mhz)) continue;
    times_us.push_back(sample.time_us);
    if (sample.state.clock_mhz > 0) clocks.push_back(sample.state.clock_mhz);
  }
  timing.samples = times_us.size();
  timing.rejected = samples.size() - times_us.size();
  if (!times_us.empty()) {
    timing.mean_us = std::accumulate(times_us.begin(), times_us.end(), 0.0) /
                     static_cast<double>(times_us.size());
    const Quantiles quantiles = quantiles_of(std::move(times_us));
    timing.minimum_us = quantiles.least;
    timing.quarter_us = quantiles.quarter;
    timing.median_us = quantiles.median;
    timing.three_quarters_us = quantiles.three_quarters;
    timing.low_us = quantiles.low;
    timing.high_us = quantiles.high;
    timing.clock_mhz = median_of(std::move(clocks));
  }
  judge(timing, options);
  return timing;
}

TimingRun time_interleaved(DeviceImpl& device, const std::vector<Contender>& contenders,
                           const TimingOptions& options) {
  support::check(!contenders.empty(), "nothing to time");
  Rounds rounds(device, contenders, options);
  const WarmUp warm_up = rounds.warm_up();
  rounds.choose_launching();

  TimingRun run;
  run.warm_up_ms = warm_up.spent_ms();
  run.has_settled = warm_up.has_settled();
  run.samples.resize(contenders.size());
  const auto summarize_all = [&] {
    run.timings.clear();
    const double usual_mhz = usual_clock(run.samples);
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      run.timings.push_back(summarize(contenders[c].name, run.samples[c], options, usual_mhz));
      rounds.describe(c, run.timings.back());
    }
  };
  double spent_us = 0;
  bool was_precise = false;  // at the look before
  while (true) {
    spent_us += rounds.run(&run.samples) + 1;
    const bool is_spent = spent_us >= options.budget_ms * 1e3;
    const std::size_t count = run.samples.front().size();
    // Looking after every round would stop at the first lucky one, and so would a single look.
    const bool is_look = count >= options.least_samples && count % options.least_samples == 0;
    if (!is_spent && !is_look) continue;
    summarize_all();
    const bool is_precise =
        std::all_of(run.timings.begin(), run.timings.end(),
                    [](const auto& timing) { return timing.verdict == Verdict::Precise; });
    if (is_spent || (is_precise && was_precise)) break;
    was_precise = is_precise;
  }
  for (std::size_t c = 0; c < contenders.size(); ++c) rounds.verify(c, run.timings[c]);
  return run;
}

TimeRatio ratio_of_times(const TimingRun& run, std::size_t numerator, std::size_t denominator) {
  const double usual_mhz = usual_clock(run.samples);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < run.samples[numerator].size(); ++i) {
    const Sample& above = run.samples[numerator][i];
    const Sample& below = run.samples[denominator][i];
    const bool both_count = counts(above, usual_mhz) && counts(below, usual_mhz);
    if (both_count && below.time_us > 0) ratios.push_back(above.time_us / below.time_us);
  }
  TimeRatio ratio;
  ratio.rounds = ratios.size();
  if (ratios.empty()) return ratio;
  const Quantiles quantiles = quantiles_of(std::move(ratios));
  ratio.median = quantiles.median;
  ratio.low = quantiles.low;
  ratio.high = quantiles.high;
  return ratio;
}

}  // namespace sinter::runtime
