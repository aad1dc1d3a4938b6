// Evaluates a Kernel point by point, as kernel.h defines it: what generated code is compared with.
// Reductions fold in ascending order, as strict mode does. For small kernels only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/kernel.h"

namespace sinter::tests {

/// A dense row-major tensor, one element's bits a word.
struct BitsTensor {
  ir::DType dtype = ir::DType::F32;
  std::vector<std::int64_t> extents;
  std::vector<std::uint64_t> bits;
};

std::int64_t element_count(const std::vector<std::int64_t>& extents);
/// The parameter's extents for these sizes.
std::vector<std::int64_t> extents_of(const ir::KernelParam& param,
                                     const std::map<std::string, std::int64_t>& sizes);

/// Outputs by name; elements that no store touches are 0. A load outside of its tensor throws
/// InternalError.
std::map<std::string, BitsTensor> interpret_kernel(const ir::Kernel& kernel,
                                                   const std::map<std::string, std::int64_t>& sizes,
                                                   const std::map<std::string, BitsTensor>& inputs);

}  // namespace sinter::tests
