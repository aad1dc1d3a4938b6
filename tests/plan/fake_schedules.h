// Schedules for tests of plan: they accept and price kernels, and emit nothing.
#pragma once

#include <span>

#include "codegen/schedule.h"

namespace sinter::tests {

/// One schedule, "generic": at most one reduce, contract or scan, whose result is not used over
/// wider axes than its own. A kernel costs 1 us and 1 us for each million bytes of its tensors.
std::span<const codegen::Schedule> generic_only();

/// "rows" before it: any number of reductions over one axis, used at the same axes again.
std::span<const codegen::Schedule> rows_and_generic();

/// "anything": every kernel.
std::span<const codegen::Schedule> anything();

/// "generic", but kernels that have more than one output cost 1000 us.
std::span<const codegen::Schedule> dear_outputs();

}  // namespace sinter::tests
