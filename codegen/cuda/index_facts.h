// Which Facts let a kernel's index arithmetic be done in 32 bits.
#pragma once

#include <optional>
#include <vector>

#include "ir/facts.h"
#include "ir/kernel.h"

namespace sinter::codegen::cuda {

/// Facts under which every index of the kernel (also intermediate ones, and those of elements that a
/// predicate leaves out) fits a signed 32-bit number with 4096 to spare. Nullopt where a number in
/// the kernel already says that it does not. Gathered indices do not count: they are 64 bits wide.
std::optional<std::vector<ir::Fact>> narrow_index_facts(const ir::Kernel& kernel);

/// Whether `facts` hold all of them.
bool is_narrow_index(const ir::Kernel& kernel, const ir::Facts& facts);

}  // namespace sinter::codegen::cuda
