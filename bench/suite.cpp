#include "bench/suite.h"

#include "support/check.h"

namespace sinter::bench {

namespace {

// Some 200 cases in a few minutes: 30 samples of 5 launches of 256 MiB each way and as many of their copies
// take 40 ms.
constexpr Pace kSweepPace = {
    .budget_ms = 120, .batch = 5, .later_warm_up_ms = 60, .most_visits = std::int64_t{1} << 23};
// Some layouts take many times as long as others: 30 samples of 5 launches of all of them.
constexpr Pace kLayoutsPace = {.budget_ms = 2000, .batch = 5};

}  // namespace

const std::vector<Suite>& all_suites() {
  static const std::vector<Suite> suites = {
      {"memory", memory_suite},
      {"products", products_suite},
      {"self_compare", self_compare_suite},
      {"launch", launch_suite},
      {"rows_sweep", rows_sweep_suite, kSweepPace, true},
      {"layouts", layouts_suite, kLayoutsPace, true},
  };
  return suites;
}

const Suite& find_suite(const std::string& name) {
  for (const Suite& suite : all_suites()) {
    if (suite.name == name) return suite;
  }
  support::throw_user("bench has no suite '{}' (bench --list shows all)", name);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Suite& suite : all_suites()) {
    for (Case& one : suite.cases()) cases.push_back(std::move(one));
  }
  return cases;
}

std::vector<Case> select_cases(const std::string& suite, const std::string& word) {
  std::vector<Case> cases;
  for (const Suite& each : all_suites()) {
    if (suite.empty() ? each.is_by_name_only : each.name != suite) continue;
    for (Case& one : each.cases()) {
      if (one.name.find(word) != std::string::npos) cases.push_back(std::move(one));
    }
  }
  return cases;
}

}  // namespace sinter::bench
