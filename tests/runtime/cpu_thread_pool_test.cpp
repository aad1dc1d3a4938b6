// The thread pool: coverage, nesting, concurrent callers, exceptions.
#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/cpu/thread_pool.h"

namespace sinter::runtime {

namespace {

/// How often each index of [0, extent) was visited.
std::vector<int> visits(ThreadPool& pool, std::int64_t extent, std::int64_t grain) {
  std::vector<int> counts(static_cast<std::size_t>(extent), 0);
  pool.parallel_for(extent, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) ++counts[static_cast<std::size_t>(i)];
  });
  return counts;
}

}  // namespace

TEST_CASE("every index is visited once, whatever extent and grain") {
  for (const int threads : {1, 2, 7}) {
    ThreadPool pool(threads);
    for (const std::int64_t extent : {0, 1, 5, 1000}) {
      for (const std::int64_t grain : {1, 3, 5000}) {
        const std::vector<int> expected(static_cast<std::size_t>(extent), 1);

        CHECK(visits(pool, extent, grain) == expected);
      }
    }
  }
}

TEST_CASE("callers on several threads share the workers") {
  ThreadPool pool(3);
  std::atomic<std::int64_t> total{0};
  std::vector<std::thread> callers;

  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        pool.parallel_for(100, 1,
                          [&](std::int64_t begin, std::int64_t end) { total += end - begin; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();

  CHECK(total == 4 * 50 * 100);
}

TEST_CASE("a loop within a loop does not wait for itself") {
  ThreadPool pool(3);
  std::atomic<std::int64_t> total{0};

  pool.parallel_for(10, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      pool.parallel_for(20, 1,
                        [&](std::int64_t first, std::int64_t last) { total += last - first; });
    }
  });

  CHECK(total == 200);
}

TEST_CASE("an exception reaches the caller, and the pool works on") {
  ThreadPool pool(2);

  CHECK_THROWS_WITH(pool.parallel_for(100, 1,
                                      [](std::int64_t begin, std::int64_t) {
                                        if (begin >= 50) throw std::runtime_error("no");
                                      }),
                    "no");

  CHECK(visits(pool, 10, 1) == std::vector<int>(10, 1));
}

}  // namespace sinter::runtime
