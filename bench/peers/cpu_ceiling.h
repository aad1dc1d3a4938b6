// The plain loop that memory-bound kernels of the CPU are measured against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/cpu/thread_pool.h"
#include "runtime/profile/timing.h"

namespace sinter::bench {

/// Streams that are read and written side by side.
struct ByteMix {
  std::size_t read_bytes = 0;
  std::size_t written_bytes = 0;
  int read_streams = 1;     // 1 to 3
  int written_streams = 0;  // 0 to 2
};

/// Reads and writes as many bytes as `mix` says, in vectors of the machine, by plain stores, on as many threads
/// as `pool` has: each element of a written stream is the sum of those that were read beside it. Where
/// nothing is written, each thread keeps the sum of all.
class CpuCeiling {
 public:
  CpuCeiling(runtime::ThreadPool& pool, const ByteMix& mix);
  ~CpuCeiling();
  CpuCeiling(const CpuCeiling&) = delete;
  CpuCeiling& operator=(const CpuCeiling&) = delete;

  void run();
  /// The sum that was kept, or that of all that was written: what proves that the loop ran. Equal to
  /// expected_sum() after a run.
  std::uint32_t sum() const;
  std::uint32_t expected_sum() const { return expected_sum_; }

 private:
  struct Streams;
  runtime::ThreadPool& pool_;
  std::unique_ptr<Streams> streams_;
  std::uint32_t expected_sum_ = 0;
};

}  // namespace sinter::bench
