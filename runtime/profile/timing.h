// Times several contenders against each other in one run: samples are interleaved in an order that is
// shuffled anew each round, so that a drifting clock favours none.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/device_impl.h"
#include "runtime/profile/warm_up.h"

namespace sinter::runtime {

/// Proves what a contender's timed launches wrote. Both functions get the turn of the launch between them.
struct Verification {
  /// Enqueues that the outputs of that turn are overwritten by bytes that no right result has.
  std::function<void(StreamHandle stream, std::int64_t turn)> poison;
  /// Empty where they are right, else what is wrong. The stream has been waited for.
  std::function<std::string(std::int64_t turn)> find_mistake;
};

/// Enqueues one launch on the stream. `turn` counts launches: contenders use it to rotate their
/// buffers, so that the cache does not hold what the next launch reads.
struct Contender {
  std::string name;
  std::function<void(StreamHandle stream, std::int64_t turn)> launch;
  /// Turns after which its buffers are used again; 1: it does not rotate them.
  std::int64_t rotation = 1;
  Verification verification = {};  // without functions: not verified
};

/// How much of the cache a launch finds as the one before it left it.
enum class Cache {
  Cold,        // one launch at a time; with rotating buffers nothing of its data is in the cache
  BackToBack,  // a batch of launches without a gap: the end of one overlaps the begin of the next
};

struct TimingOptions {
  Cache cache = Cache::Cold;
  std::int64_t batch = 20;         // launches back to back
  WarmUpOptions warm_up;           // of all contenders in turn
  std::size_t least_samples = 30;  // of each contender, those that count
  double budget_ms = 3000;         // for all samples of all contenders
  /// Done when half the interval of every contender's median is below this share of it.
  double precision = 0.005;
  /// Where a launch of any contender takes less, those of all are recorded as graphs, if the device can.
  double graph_below_us = 10;
};

enum class Verdict {
  Precise,       // the interval is as narrow as was asked for
  Wide,          // the budget was spent before: the interval tells how much is known
  Inconclusive,  // too few samples, or more than a fifth of them rejected: the figures prove nothing
};
std::string to_string(Verdict verdict);

/// How the launches of one sample were put on the device.
enum class Launching { Alone, Batch, Graph };

struct Timing {
  std::string name;
  /// A launch; 0 where no sample counts.
  double median_us = 0;
  double mean_us = 0;
  double minimum_us = 0;
  double quarter_us = 0, three_quarters_us = 0;
  /// The median lies between these with a probability of at least 95 % (order statistics).
  double low_us = 0, high_us = 0;
  std::size_t samples = 0;  // that count
  /// Left out: taken while the device was slowed down by heat or hardware, or with a clock below three
  /// quarters of the median of all clocks.
  std::size_t rejected = 0;
  double clock_mhz = 0;  // median over the samples; 0: the device does not tell
  bool was_power_capped = false;
  Verdict verdict = Verdict::Inconclusive;
  std::string reason;  // of an inconclusive verdict
  Launching launching = Launching::Alone;
  std::int64_t launches = 1;  // of one sample, whose time is divided by them
  bool is_verified = false;   // after the timing, by one more sample's last launch
  std::string mistake;        // that its verification found; empty: none
};

/// "alone", "20 back to back", "graph of 64".
std::string launching_text(const Timing& timing);

struct Sample {
  double time_us = 0;
  DeviceState state;  // right after it
};

struct TimingRun {
  std::vector<Timing> timings;  // in the order of the contenders
  double warm_up_ms = 0;
  bool has_settled = false;  // the clock, at the end of the warm-up
  /// By contender; sample i of all is of the same round.
  std::vector<std::vector<Sample>> samples;
};

/// Errors of a launch pass through. Never takes longer than warm-up and budget, but for one round.
TimingRun time_interleaved(DeviceImpl& device, const std::vector<Contender>& contenders,
                           const TimingOptions& options = {});

/// How often one contender's time is another's, from rounds in which the samples of both count.
struct TimeRatio {
  double median = 0;  // 0: no such round
  double low = 0,
         high = 0;  // 95 % interval of the median of the rounds' ratios, by order statistics
  std::size_t rounds = 0;
};
TimeRatio ratio_of_times(const TimingRun& run, std::size_t numerator, std::size_t denominator);

/// The figures of samples. `usual_mhz`: the median clock of all contenders, 0: not known. Exposed for tests.
Timing summarize(const std::string& name, const std::vector<Sample>& samples,
                 const TimingOptions& options, double usual_mhz = 0);

}  // namespace sinter::runtime
