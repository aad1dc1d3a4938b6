// From a kernel to the Program of its loop nests: what the schedules that run nests share.
#pragma once

#include <string>
#include <vector>

#include "codegen/config.h"
#include "codegen/llvm/costs.h"
#include "codegen/llvm/store_groups.h"
#include "codegen/program.h"
#include "codegen/schedule.h"

namespace sinter::codegen::llvm {

/// Layouts that nests tell apart: everything dense; unit strides in the last dimensions; anything.
std::vector<ir::Facts> layout_classes(const ir::Kernel& kernel);

/// width, tail_width and block that suit the kernel.
Config make_nest_config(const std::string& schedule, const ir::Kernel& kernel,
                        const ir::Facts& facts, const Target& target);

/// One plan a store group.
std::vector<NestPlan> plan_nests(const ir::Kernel& kernel, const ir::Facts& facts,
                                 const Config& config);

/// The one configuration of such a schedule, and its predicted time.
std::vector<Candidate> nest_candidates(const std::string& schedule, const ir::Kernel& kernel,
                                       const ir::Facts& facts, const Target& target,
                                       const Sizes& sizes);

/// Expands elementary functions first.
Program emit_nests(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
                   const Target& target);

/// Whether the target converts between f16 and f32 itself.
bool has_f16c(const Target& target);

}  // namespace sinter::codegen::llvm
