// When a device's clock has settled.
#pragma once

#include <vector>

namespace sinter::runtime {

struct WarmUpOptions {
  double least_ms = 300;
  double most_ms = 5000;
};

/// Follows the clock of a device that works. Settled: the average over the last quarter of a second differs by less than
/// 0.5 % from the one of half a second before.
class WarmUp {
 public:
  explicit WarmUp(const WarmUpOptions& options) : options_(options) {}

  /// The clock after `time_ms` of work in all, which grows from call to call; 0 MHz: not known.
  void note(double time_ms, double clock_mhz);
  /// Of a device that does not tell its clock it is only known that the least time has passed.
  bool is_over() const;
  /// False too where the device does not tell its clock.
  bool has_settled() const;
  double spent_ms() const { return spent_ms_; }

 private:
  struct Reading {
    double time_ms, clock_mhz;
  };
  /// Over the quarter of a second before `end_ms`; 0: no reading.
  double average_before(double end_ms) const;

  WarmUpOptions options_;
  std::vector<Reading> readings_;  // of known clocks
  double spent_ms_ = 0;
};

}  // namespace sinter::runtime
