// Config: width (lanes of the main loops), tail_width (lanes of the second loop; 1: none), block
// (elements of the lane axis in one item of work).
#include "codegen/llvm/schedule/generic.h"

#include <algorithm>

#include "codegen/llvm/layout.h"
#include "codegen/llvm/nest_program.h"
#include "codegen/llvm/reducers.h"
#include "support/check.h"

namespace sinter::codegen::llvm {

using ir::Op;

namespace {

std::optional<std::string> refuses_generic(const ir::Kernel& kernel, const Target& target) {
  if (target.backend != Backend::Cpu) return "it is for the CPU";
  std::vector<ir::NodeId> folds;
  for (ir::NodeId id = 0; id < kernel.nodes().size(); ++id) {
    if (is_fold(kernel.node(id))) folds.push_back(id);
  }
  if (folds.size() > 1) {
    return fmt::format("it has {} reductions, contractions and scans, generic takes one",
                       folds.size());
  }
  if (folds.empty()) return std::nullopt;
  const ir::KernelNode& fold = kernel.node(folds[0]);
  for (const StoreGroup& group : store_groups(kernel)) {
    if (group.folds.empty() || group.domain == fold.domain) continue;
    return fmt::format("the result of its {} is used over more axes than it has",
                       ir::to_string(fold.op));
  }
  return std::nullopt;
}

std::vector<Candidate> candidates_generic(const ir::Kernel& kernel, const ir::Facts& facts,
                                          const Target& target, const Sizes& sizes) {
  return nest_candidates("generic", kernel, facts, target, sizes);
}

}  // namespace

const Schedule kGenericSchedule = {"generic", refuses_generic, layout_classes, candidates_generic,
                                   emit_nests};

}  // namespace sinter::codegen::llvm
