// What the cases of one suite share on a device.
#pragma once

#include <future>
#include <map>
#include <string>
#include <vector>

#include "bench/suite.h"
#include "bench/tensor_pool.h"
#include "runtime/profile/ceilings.h"
#include "runtime/profile/copy_contender.h"
#include "sinter/compile.h"
#include "sinter/device.h"

namespace sinter::bench {

class Session {
 public:
  Session(const Device& device, const Pace& pace, runtime::Ceilings& ceilings)
      : device_(device), pace_(pace), ceilings_(ceilings), pool_(device), copies_(device.impl()) {}

  const Device& device() const { return device_; }
  const Pace& pace() const { return pace_; }
  runtime::Ceilings& ceilings() { return ceilings_; }
  TensorPool& pool() { return pool_; }
  runtime::PlainCopies& copies() { return copies_; }

  /// Compiles the graphs of these cases on all cores; what fails is thrown where executable() asks for it.
  void compile_ahead(const std::vector<Case>& cases);
  /// Of a case's graph, compiled now where it was not ahead.
  Executable executable(const Case& one);

  /// Times with the suite's pace. The warm-up is whole until one has ended with a settled clock (or, where the
  /// device does not tell its clock, until the first has ended), then as long as the pace says.
  runtime::TimingRun time(const std::vector<runtime::Contender>& contenders, runtime::Cache cache,
                          double budget_ms);
  /// By an earlier timing.
  bool has_settled() const { return has_settled_; }

 private:
  Device device_;
  Pace pace_;
  runtime::Ceilings& ceilings_;
  TensorPool pool_;
  runtime::PlainCopies copies_;
  bool has_settled_ = false;
  bool is_warm_ = false;
  std::map<std::string, std::shared_future<Executable>> executables_;  // by name of the case
};

}  // namespace sinter::bench
