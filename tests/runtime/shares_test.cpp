// Work shared out among the host's cores.
#include "runtime/check/shares.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace sinter::runtime {

TEST_CASE("every number is in one share, whatever their count") {
  for (const std::size_t count : {0, 1, 2, 3, 7, 64, 1001}) {
    std::vector<std::atomic<int>> met(count);
    run_in_shares(count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++met[i];
    });
    for (const std::atomic<int>& times : met) CHECK(times == 1);
  }
}

TEST_CASE("an exception of any share passes through") {
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{999}}) {
    const auto body = [&](std::size_t begin, std::size_t end) {
      if (begin <= wrong && wrong < end) throw std::runtime_error("wrong");
    };
    CHECK_THROWS_WITH(run_in_shares(1000, 1, body), "wrong");
  }
}

}  // namespace sinter::runtime
