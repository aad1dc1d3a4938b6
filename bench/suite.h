// What is measured, as data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinter/check.h"

namespace sinter::bench {

/// A bare product [m, k] x [k, n] of inputs x and w that cuBLASLt can do, perhaps with an added input r.
struct ProductPeer {
  std::int64_t m = 0, n = 0, k = 0;
  bool adds_residual = false;
  /// The case computes more than this: then its time is shown, its output not compared.
  bool is_part = false;
};

enum class Method {
  Kernel,   // one operator on the GPU against its peers, cold and back to back
  Layouts,  // one operator against itself with inputs laid out in other ways, cold and back to back
  SelfCompare,  // one operator against itself: does the timing see differences that are not there?
  Launch,       // what a call costs the host
};

/// Of a case that is one point of a sweep.
struct SweepPoint {
  std::string row;  // "softmax bf16"
  std::int64_t length = 0;
};

struct Case {
  std::string suite;
  std::string name;  // scripts/torch_peer.py has the same, but for the suites that run by name only
  Method method = Method::Kernel;
  std::string graph;
  std::optional<ProductPeer> product = {};
  bool has_copy_peer = false;
  bool fuse = true;
  std::optional<SweepPoint> point = {};
  InputFamily family = InputFamily::Uniform;
};

/// How long the cases of a suite take. Suites of many cases share what their first case found out.
struct Pace {
  double budget_ms = 1000;       // of the samples of one case in one state of the cache
  std::int64_t batch = 20;       // launches back to back
  double later_warm_up_ms = 0;   // once the clock has settled; 0: as the first
  std::int64_t most_visits = 0;  // of the reference, an output (runtime::SampleOptions)
};

struct Suite {
  std::string name;
  std::vector<Case> (*cases)();
  Pace pace = {};
  bool is_by_name_only = false;  // not among those that run where no suite is named
};

/// In the order in which they run; names of cases are unique.
const std::vector<Suite>& all_suites();
/// UserError where there is none.
const Suite& find_suite(const std::string& name);
std::vector<Case> all_cases();

std::vector<Case> memory_suite();
std::vector<Case> products_suite();
std::vector<Case> self_compare_suite();
std::vector<Case> launch_suite();
std::vector<Case> rows_sweep_suite();
std::vector<Case> layouts_suite();

/// Those of `suite` (empty: all that do not run by name only) whose name holds `word`.
std::vector<Case> select_cases(const std::string& suite, const std::string& word);

}  // namespace sinter::bench
