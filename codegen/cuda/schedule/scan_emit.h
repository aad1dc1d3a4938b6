// The texts of the schedule scan (scan.h).
#pragma once

#include "codegen/cuda/schedule/scan_kernel.h"
#include "codegen/program.h"
#include "ir/facts.h"

namespace sinter::codegen::cuda {

Program emit_scan_rows(const ir::Kernel& kernel, const ir::Facts& facts, const ScanConfig& config,
                       const ScanKernel& scan);
Program emit_scan_columns(const ir::Kernel& kernel, const ir::Facts& facts,
                          const ScanConfig& config, const ScanKernel& scan);

}  // namespace sinter::codegen::cuda
