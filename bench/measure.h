// Measures cases.
#pragma once

#include "bench/result.h"
#include "bench/suite.h"
#include "sinter/device.h"

namespace sinter::bench {

struct MeasureOptions {
  double budget_ms = 1000;  // of the samples of one case in one state of the cache
  std::size_t configs = 0;  // of the kernel, beside the operator
};

/// What a case needs; launch cases run on any device, the others need a GPU.
CaseResult measure(const Device& device, const Case& one, const MeasureOptions& options,
                   runtime::Ceilings& ceilings);

}  // namespace sinter::bench
