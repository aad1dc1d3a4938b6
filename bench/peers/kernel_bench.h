// A graph's one kernel, its configs as contenders, on buffers that rotate over more than twice the L2.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/plan/plan.h"
#include "runtime/device_impl.h"
#include "runtime/profile/timing.h"

namespace sinter::bench {

/// The tensors of one kernel, several times over, with random numbers in [-1, 1].
class RotatingBuffers {
 public:
  RotatingBuffers(runtime::DeviceImpl& device, const ir::Kernel& kernel);
  ~RotatingBuffers();
  RotatingBuffers(const RotatingBuffers&) = delete;
  RotatingBuffers& operator=(const RotatingBuffers&) = delete;

  std::size_t sets() const { return sets_.size(); }
  std::size_t bytes_read() const { return bytes_read_; }
  std::size_t bytes_written() const { return bytes_written_; }
  void* at(std::int64_t turn, const std::string& param) const;

 private:
  runtime::DeviceImpl& device_;
  std::size_t bytes_read_ = 0, bytes_written_ = 0;  // of one set
  std::vector<std::map<std::string, void*>> sets_;
};

/// The first kernel of a graph's plan, with sizes that are numbers.
class KernelBench {
 public:
  KernelBench(runtime::DeviceImpl& device, const std::string& graph_text);

  const ir::Kernel& kernel() const { return plan_.kernels.front().kernel; }
  const RotatingBuffers& buffers() const { return *buffers_; }
  /// "1 kernel, schedule rows".
  std::string description() const;
  /// The best `most` configs by prediction, compiled.
  std::vector<runtime::Contender> contenders(std::size_t most);

 private:
  runtime::DeviceImpl& device_;
  codegen::Plan plan_;
  std::unique_ptr<RotatingBuffers> buffers_;
};

/// Loads that vectors of 16 bytes can do, and nothing else: reads as many bytes as the kernel's inputs
/// have, writes as many as its outputs have.
runtime::Contender copy_contender(runtime::DeviceImpl& device, const RotatingBuffers& buffers);

/// One line a contender; `work` (bytes or operations of a launch) over time as `unit`.
void print_timings(const std::vector<runtime::Timing>& timings, double work, const char* unit);

}  // namespace sinter::bench
