// Measures cases.
#pragma once

#include <optional>

#include "bench/result.h"
#include "bench/session.h"
#include "bench/suite.h"

namespace sinter::bench {

struct MeasureOptions {
  std::optional<double> budget_ms;  // in place of the suite's (Pace::budget_ms)
  std::size_t configs = 0;          // of the kernel, beside the operator
};

/// What a case needs; launch cases run on any device, the others need a GPU.
CaseResult measure(const Case& one, const MeasureOptions& options, Session& session);

}  // namespace sinter::bench
