// Predicted times on the CPU: memory traffic against arithmetic, for ranking.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "codegen/llvm/store_groups.h"

namespace sinter::codegen::llvm {

using Sizes = std::map<std::string, std::int64_t>;

/// Value of an expression of sizes; sizes that are not given count as 1024.
double estimate(const ir::IndexExpr& expr, const Sizes& sizes);
/// Product of the axes' extents.
double count_points(const ir::Kernel& kernel, const std::vector<ir::AxisId>& axes,
                    const Sizes& sizes);
/// Bytes of every parameter, each moved once.
double traffic_bytes(const ir::Kernel& kernel, const Sizes& sizes);
/// Time of the nests, run one after the other.
double predict_nests_us(const ir::Kernel& kernel, const ir::Facts& facts,
                        const std::vector<NestPlan>& plans, const Target& target,
                        const Sizes& sizes);

}  // namespace sinter::codegen::llvm
