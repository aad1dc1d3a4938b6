#include "bench/session.h"

namespace sinter::bench {

runtime::TimingRun Session::time(const std::vector<runtime::Contender>& contenders,
                                 runtime::Cache cache, double budget_ms) {
  runtime::TimingOptions options;
  options.cache = cache;
  options.batch = pace_.batch;
  options.budget_ms = budget_ms;
  if (is_warm_ && pace_.later_warm_up_ms > 0) {
    options.warm_up = {.least_ms = pace_.later_warm_up_ms, .most_ms = pace_.later_warm_up_ms};
  }
  runtime::TimingRun run = time_interleaved(device_.impl(), contenders, options);
  has_settled_ = has_settled_ || run.has_settled;
  is_warm_ = has_settled_ || run.timings.front().clock_mhz <= 0;
  return run;
}

}  // namespace sinter::bench
