// Runs a BlasRecipe: a matrix product in panels of rows, each panel by one thread, from its
// conversion over the product to its epilogue.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "runtime/cpu/jit/cpu_jit_api.h"
#include "runtime/cpu/launch.h"

namespace sinter::runtime {

/// A matrix operand whose place and strides in a call are known.
struct BlasOperand {
  std::optional<SlotSource> place;  // none: the panel
  ir::FlatExpr batch_stride, row_stride, column_stride;
};

/// A BlasRecipe whose arguments have their places in a call. Entries are those of the program.
struct BlasStep {
  BlasOperand a, b, c;
  ir::FlatExpr batch, m, n, k;
  std::int64_t panel_rows = 0;
  bool is_f64 = false;
  const CpuEntry* convert_a = nullptr;
  const CpuEntry* convert_b = nullptr;
  const CpuEntry* epilogue = nullptr;
};

/// `entries` holds the recipe's convert and epilogue entries, by symbol.
BlasStep make_blas_step(const codegen::Entry& entry, const SlotFinder& finder,
                        const std::map<std::string, CpuEntry>& entries);

void run_blas(const BlasStep& step, const CallArguments& call, const SinterCpuJitApi& jit,
              ThreadPool& pool);

}  // namespace sinter::runtime
