// Times several contenders against each other in one run: samples are interleaved in an order that is
// shuffled anew each round, so that a drifting clock favours none.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/device_impl.h"

namespace sinter::runtime {

/// Enqueues one launch on the stream. `turn` counts launches: contenders use it to rotate their
/// buffers, so that the cache does not hold what the next launch reads.
struct Contender {
  std::string name;
  std::function<void(StreamHandle stream, std::int64_t turn)> launch;
};

struct TimingOptions {
  /// Launches of one sample, back to back; its time is divided by them. 1 times each launch alone.
  std::int64_t batch = 1;
  double warmup_ms = 300;  // of all contenders in turn
  std::size_t least_samples = 30;
  double budget_ms = 3000;  // for all samples of all contenders
  /// Done when half the interval of every contender's median is below this share of it.
  double precision = 0.005;
};

struct Timing {
  std::string name;
  double median_us = 0;
  double mean_us = 0;
  double minimum_us = 0;
  /// The median lies between these with a probability of at least 95 % (order statistics: no
  /// distribution is assumed).
  double low_us = 0, high_us = 0;
  std::size_t samples = 0;  // that count
  /// Left out: taken while the device was slowed down by heat or hardware, or with a clock below three
  /// quarters of the median of all clocks.
  std::size_t rejected = 0;
  double clock_mhz = 0;  // median over the samples; 0: the device does not tell
  bool was_power_capped = false;
  /// The interval is as narrow as was asked for, and no more than a fifth of the samples was rejected.
  bool is_precise = false;
};

/// In the order of `contenders`. Errors of a launch pass through. UserError where every sample of one was
/// rejected.
std::vector<Timing> time_interleaved(DeviceImpl& device, const std::vector<Contender>& contenders,
                                     const TimingOptions& options = {});

struct Sample {
  double time_us = 0;
  DeviceState state;  // right after it
};

/// The figures of samples, at least one that counts. `usual_mhz`: the median clock of all contenders, 0: not
/// known. Exposed for tests.
Timing summarize(const std::string& name, const std::vector<Sample>& samples, double precision,
                 double usual_mhz = 0);

}  // namespace sinter::runtime
