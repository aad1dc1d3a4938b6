// What is measured, as data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinter::bench {

/// A bare product [m, k] x [k, n] of inputs x and w that cuBLASLt can do, perhaps with an added input r.
struct ProductPeer {
  std::int64_t m = 0, n = 0, k = 0;
  bool adds_residual = false;
  /// The case computes more than this: then its time is shown, its output not compared.
  bool is_part = false;
};

enum class Method {
  Kernel,       // one operator on the GPU against its peers, cold and back to back
  SelfCompare,  // one operator against itself: does the timing see differences that are not there?
  Launch,       // what a call costs the host
};

struct Case {
  std::string suite;
  std::string name;  // scripts/torch_peer.py has the same
  Method method = Method::Kernel;
  std::string graph;
  std::optional<ProductPeer> product = {};
  bool has_copy_peer = false;
  bool fuse = true;
};

/// In the order of suites; names are unique.
std::vector<Case> all_cases();

std::vector<Case> memory_suite();
std::vector<Case> products_suite();
std::vector<Case> self_compare_suite();
std::vector<Case> launch_suite();

/// Those of `suite` (empty: all) whose name holds `word`.
std::vector<Case> select_cases(const std::string& suite, const std::string& word);

}  // namespace sinter::bench
