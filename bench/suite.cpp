#include "bench/suite.h"

namespace sinter::bench {

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto suite : {memory_suite, products_suite, self_compare_suite, launch_suite}) {
    for (Case& one : suite()) cases.push_back(std::move(one));
  }
  return cases;
}

std::vector<Case> select_cases(const std::string& suite, const std::string& word) {
  std::vector<Case> cases;
  for (Case& one : all_cases()) {
    const bool is_wanted =
        (suite.empty() || one.suite == suite) && one.name.find(word) != std::string::npos;
    if (is_wanted) cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace sinter::bench
