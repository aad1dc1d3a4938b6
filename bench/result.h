// What was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/suite.h"
#include "runtime/profile/ceilings.h"
#include "runtime/profile/timing.h"
#include "tools/exit_code.h"

namespace sinter::bench {

/// One contender in one state of the cache.
struct Figure {
  runtime::Timing timing;
  bool is_peer = false;
  bool is_foreign = false;  // measured by another process: its ratio has no interval
  runtime::Share share;
  /// Its time over that of contender 0, which is Sinter.
  runtime::TimeRatio to_sinter;
};

struct ModeResult {
  runtime::Cache cache = runtime::Cache::Cold;
  double warm_up_ms = 0;
  bool has_settled = false;         // the clock, at the end of this warm-up
  bool has_settled_before = false;  // at the end of an earlier one of the suite
  std::vector<Figure> figures;
};

struct CaseResult {
  std::string suite;
  std::string name;
  std::string description;
  double flops = 0;
  double ideal_bytes = 0;
  bool is_rate_bytes = false;  // shown as TB/s, else as TFLOP/s
  std::vector<ModeResult> modes;
  /// Of a case that compares a kernel with itself: comparisons, and those that saw a difference.
  int comparisons = 0, false_differences = 0;
  double call_ns = 0, fastest_call_ns = 0;  // of a launch case
  std::string missing;                      // peers that could not be measured, and why
  std::int64_t compared_elements = 0;       // with the reference, after each timing
  std::optional<SweepPoint> point;
  bool compares_layouts = false;  // contenders are the layouts, contiguous first
  /// What ended the case before it was measured; empty: nothing.
  std::string failure;
  tools::ExitCode failure_code = tools::ExitCode::Ok;
};

/// The identity of what the figures hold for.
struct Fingerprint {
  std::string device;
  std::string toolchain;
  std::string version;
  std::string date;  // UTC, ISO 8601
};

struct BenchResult {
  Fingerprint fingerprint;
  std::vector<CaseResult> cases;
};

}  // namespace sinter::bench
