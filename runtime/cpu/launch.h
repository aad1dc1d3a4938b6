// Interprets launch recipes: loops over items on the worker threads.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/program.h"
#include "runtime/cpu/thread_pool.h"
#include "runtime/slots.h"

namespace sinter::runtime {

/// Signature of every entry point.
using CpuFunction = void (*)(const std::uint64_t* arguments, std::int64_t begin, std::int64_t end);

/// A Parallel entry whose arguments have their places in a call.
struct CpuEntry {
  CpuFunction function = nullptr;
  std::vector<SlotSource> slots;
  ir::FlatExpr extent;
  std::int64_t grain = 1;
};

/// Runs the entry over its whole extent.
void run_parallel(const CpuEntry& entry, const CallArguments& call, ThreadPool& pool);

}  // namespace sinter::runtime
