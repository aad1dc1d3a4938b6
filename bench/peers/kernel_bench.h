// A graph's one kernel, its configs as contenders, on buffers that rotate over more than twice the L2.
#pragma once

#include <functional>
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

/// Times one launch at a time, then 20 back to back, and prints both.
void time_both_ways(runtime::DeviceImpl& device, const std::vector<runtime::Contender>& contenders,
                    double budget_ms, double work, const char* unit);

/// The main function of a program with cases: measures each on the first GPU, or only those whose name holds
/// argv[1]. Exit code 77 where there is no GPU, 1 where one throws.
int run_cases(int argc, char** argv, const std::vector<std::string>& names,
              const std::function<void(runtime::DeviceImpl& device, std::size_t index)>& measure);

}  // namespace sinter::bench
