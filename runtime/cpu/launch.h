// Interprets launch recipes: argument slots and loops over items.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codegen/program.h"
#include "runtime/cpu/thread_pool.h"
#include "runtime/device_impl.h"

namespace sinter::runtime {

/// Signature of every entry point.
using CpuFunction = void (*)(const std::uint64_t* arguments, std::int64_t begin, std::int64_t end);

struct CpuEntry {
  const codegen::Entry* entry = nullptr;
  CpuFunction function = nullptr;  // null for Blas
};

/// What one call knows: sizes, tensors and workspaces by name.
class CpuCall {
 public:
  explicit CpuCall(const CallBindings& bindings);

  std::int64_t evaluate(const ir::IndexExpr& expr) const;
  /// Address of the tensor or workspace; InternalError where the call binds none of this name.
  std::uint64_t address(const std::string& name) const;
  /// One slot an argument, in order. `extra` adds workspaces, by name.
  std::vector<std::uint64_t> slots(const codegen::Entry& entry,
                                   const std::map<std::string, std::uint64_t>& extra = {}) const;

 private:
  const ir::BoundTensor* find_tensor(const std::string& name) const;

  const CallBindings& bindings_;
  ir::IndexBindings sizes_;
};

/// Runs a Parallel entry over its whole extent.
void run_parallel(const CpuEntry& entry, const CpuCall& call, ThreadPool& pool);

}  // namespace sinter::runtime
