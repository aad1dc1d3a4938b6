// Config: as generic. The nest writer puts every reduction into the outermost loop that has its
// axes, so a row is read once from memory and then from cache.
#include "codegen/llvm/schedule/rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/llvm/nest_program.h"
#include "codegen/llvm/reducers.h"

namespace sinter::codegen::llvm {

using ir::Op;

namespace {

/// Rows and columns cannot both be walked in one nest: an axis that one reduction runs over may not be
/// one that another's result varies over.
bool cross(const ir::Kernel& kernel, const std::vector<ir::NodeId>& folds) {
  for (const ir::NodeId id : folds) {
    for (const std::int64_t axis :
         kernel.node(id).attributes.get<std::vector<std::int64_t>>(ir::AttributeName::Axes)) {
      const auto varies = [&](ir::NodeId other) {
        return std::ranges::binary_search(kernel.node(other).domain, static_cast<ir::AxisId>(axis));
      };
      if (std::ranges::any_of(folds, varies)) return true;
    }
  }
  return false;
}

std::optional<std::string> refuses_rows(const ir::Kernel& kernel, const Target& target) {
  if (target.backend != Backend::Cpu) return "it is for the CPU";
  bool has_reduction = false;
  for (const StoreGroup& group : store_groups(kernel)) {
    for (const ir::NodeId id : group.folds) {
      const ir::KernelNode& fold = kernel.node(id);
      if (fold.op != Op::Reduce) return fmt::format("it has a {}", ir::to_string(fold.op));
      if (!std::ranges::includes(group.domain, fold.domain)) {
        return "a reduction stands within another one";
      }
      has_reduction = true;
    }
    if (cross(kernel, group.folds)) return "its reductions run over each other's axes";
  }
  if (!has_reduction) return "it has no reduction";
  return std::nullopt;
}

std::vector<Candidate> candidates_rows(const ir::Kernel& kernel, const ir::Facts& facts,
                                       const Target& target, const Sizes& sizes) {
  return nest_candidates("rows", kernel, facts, target, sizes);
}

}  // namespace

const Schedule kRowsSchedule = {"rows", refuses_rows, layout_classes, candidates_rows, emit_nests};

}  // namespace sinter::codegen::llvm
