// Runs a BlasRecipe: a matrix product in panels of rows, each panel by one thread, from its
// conversion over the product to its epilogue.
#pragma once

#include <map>
#include <string>

#include "runtime/cpu/jit/cpu_jit_api.h"
#include "runtime/cpu/launch.h"

namespace sinter::runtime {

/// `entries` holds the recipe's convert and epilogue entries.
void run_blas(const codegen::BlasRecipe& recipe, const std::map<std::string, CpuEntry>& entries,
              const CpuCall& call, const SinterCpuJitApi& jit, ThreadPool& pool);

}  // namespace sinter::runtime
