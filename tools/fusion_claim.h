// The claim of a task that named operators end in one kernel.
#pragma once

#include <string>
#include <vector>

#include "runtime/executable_impl.h"

namespace sinter::tools {

struct FusionVerdict {
  bool is_fused = false;
  std::string text;  // one line, with the reason where they are not fused
};

/// `names` are operators of ops.def or stated aliases (residual_add, bias_add: add; linear,
/// projection: matmul). UserError for an unknown name (with the nearest one), or for an operator
/// that the graph does not have.
FusionVerdict check_fusion_claim(const std::vector<std::string>& names,
                                 const runtime::ExecutableImpl& executable);

}  // namespace sinter::tools
