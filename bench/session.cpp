#include "bench/session.h"

#include "runtime/check/shares.h"

namespace sinter::bench {

void Session::compile_ahead(const std::vector<Case>& cases) {
  std::vector<std::packaged_task<Executable()>> tasks;
  for (const Case& one : cases) {
    if (one.method == Method::Launch) continue;  // compiled with options of its own
    tasks.emplace_back([graph = one.graph, this] { return compile_text(graph, device_); });
    executables_[one.name] = tasks.back().get_future().share();
  }
  runtime::run_in_shares(tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) tasks[t]();
  });
}

Executable Session::executable(const Case& one) {
  const auto found = executables_.find(one.name);
  if (found == executables_.end()) return compile_text(one.graph, device_);
  return found->second.get();
}

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
