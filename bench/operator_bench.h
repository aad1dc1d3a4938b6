// One operator as contenders: the operator as a user gets it, and configs of its kernel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/rotating_buffers.h"
#include "reference/evaluate.h"
#include "runtime/profile/timing.h"
#include "runtime/profile/work.h"
#include "sinter/compile.h"

namespace sinter::bench {

class OperatorBench {
 public:
  struct Options {
    InputFamily family = InputFamily::Uniform;
    Layout layout = Layout::Contiguous;  // of the inputs
    /// Of each output 1024 elements are compared with the reference, fewer or in fewer rows where they cost more
    /// (runtime::SampleOptions); 0: no limit.
    std::int64_t most_visits = 0;
  };
  /// Its tensors are the pool's.
  OperatorBench(const Executable& executable, TensorPool& pool, const Options& options);

  /// "1 kernel(s), schedule rows, 3 sets of buffers, 126.0 MB a launch".
  std::string description() const;
  const RotatingBuffers& buffers() const { return buffers_; }
  const runtime::Work& work() const { return work_; }
  DType input_dtype() const { return buffers_.inputs(0).at(0).dtype; }
  /// Of all outputs; 0 before the first verification.
  std::int64_t compared_elements() const;

  /// The operator, verified against the reference. Lives no longer than this object.
  runtime::Contender whole() const;
  /// The best `most` configs of its kernel by prediction; none where it has several kernels.
  std::vector<runtime::Contender> configs(std::size_t most) const;
  /// Poisons the outputs, and compares output 0 with what the operator itself computes: equal but for a hundredth of
  /// its root mean square, by a sample.
  runtime::Verification verify_peer() const;

 private:
  void poison(runtime::StreamHandle stream, std::int64_t turn) const;
  std::string find_mistake(std::int64_t turn) const;
  std::string find_difference(std::int64_t turn) const;
  std::vector<std::byte> read_output(std::int64_t turn, std::size_t output) const;
  /// Evaluated once: the inputs are the same each turn.
  const std::vector<reference::ReferenceOutput>& expected() const;

  Device device_;
  Executable executable_;
  TensorPool& pool_;
  RotatingBuffers buffers_;
  runtime::Work work_;
  std::int64_t most_visits_;
  mutable std::vector<reference::ReferenceOutput> expected_;
};

}  // namespace sinter::bench
