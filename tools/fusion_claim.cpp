// Looks for one kernel that computes every claimed operator.
#include "tools/fusion_claim.h"

#include <algorithm>

#include "support/check.h"
#include "support/nearest.h"

namespace sinter::tools {

namespace {

struct Alias {
  std::string_view name;
  ir::Op op;
};
constexpr Alias kAliases[] = {{"residual_add", ir::Op::Add},
                              {"bias_add", ir::Op::Add},
                              {"linear", ir::Op::Matmul},
                              {"projection", ir::Op::Matmul}};

ir::Op resolve(const std::string& name) {
  for (const Alias& alias : kAliases) {
    if (alias.name == name) return alias.op;
  }
  const auto op = ir::parse_op(name);
  if (op && ir::info(*op).level != ir::OpLevel::Kernel) return *op;
  std::vector<std::string> known;
  for (const Alias& alias : kAliases) known.emplace_back(alias.name);
  for (const ir::OpInfo& row : ir::all_ops()) known.emplace_back(row.text);
  support::throw_user("fused_ops: unknown operator '{}'{}", name,
                      support::did_you_mean(name, known));
}

bool is_same_place(const SourceLocation& a, const SourceLocation& b) {
  return a.line != 0 && a.line == b.line && a.file == b.file;
}

// True if node `id` of the normalized graph is `op`, or stems from a composite `op` of the traced
// graph, told by the place in the user's source.
bool stems_from(const runtime::ExecutableImpl& executable, ir::NodeId id, ir::Op op) {
  const ir::Node& node = executable.normalized().node(id);
  if (node.op == op) return true;
  if (ir::info(op).op_class != ir::OpClass::Composite) return false;
  const auto& traced = executable.graph().nodes();
  return std::any_of(traced.begin(), traced.end(), [&](const ir::Node& origin) {
    return origin.op == op && is_same_place(origin.location, node.location);
  });
}

bool computes(const runtime::ExecutableImpl& executable, const codegen::PlannedKernel& kernel,
              ir::Op op) {
  return std::any_of(kernel.nodes.begin(), kernel.nodes.end(),
                     [&](ir::NodeId id) { return stems_from(executable, id, op); });
}

// "max, sub, exp", for messages.
std::string list_operators(const ir::Graph& graph) {
  std::vector<std::string> names;
  for (const ir::Node& node : graph.nodes()) {
    const std::string name(ir::to_string(node.op));
    const bool is_leaf = ir::info(node.op).op_class == ir::OpClass::Leaf;
    if (!is_leaf && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string why_apart(const runtime::ExecutableImpl& executable) {
  const codegen::Plan& plan = executable.plan();
  if (plan.boundaries.empty()) return fmt::format("{} kernels", plan.kernels.size());
  std::vector<std::string> reasons;  // each once, in the order of the kernels
  for (const codegen::Boundary& boundary : plan.boundaries) {
    for (const std::string& reason : boundary.reasons) {
      if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
        reasons.push_back(reason);
      }
    }
  }
  return fmt::format("{} kernels: {}", plan.kernels.size(), fmt::join(reasons, "; "));
}

}  // namespace

FusionVerdict check_fusion_claim(const std::vector<std::string>& names,
                                 const runtime::ExecutableImpl& executable) {
  std::vector<ir::Op> ops;
  for (const std::string& name : names) {
    ops.push_back(resolve(name));
    const auto& nodes = executable.graph().nodes();
    const bool is_there = std::any_of(nodes.begin(), nodes.end(),
                                      [&](const ir::Node& node) { return node.op == ops.back(); });
    if (!is_there) {
      const std::string op(ir::to_string(ops.back()));
      support::throw_user("fused_ops: {} has no operator {}; it has {}", executable.graph().name(),
                          name == op ? op : fmt::format("{} ({})", op, name),
                          list_operators(executable.graph()));
    }
  }
  FusionVerdict verdict;
  for (const codegen::PlannedKernel& kernel : executable.plan().kernels) {
    verdict.is_fused |= std::all_of(ops.begin(), ops.end(),
                                    [&](ir::Op op) { return computes(executable, kernel, op); });
  }
  const std::string list = fmt::format("{}", fmt::join(names, " + "));
  verdict.text = verdict.is_fused
                     ? fmt::format("{} run in one kernel", list)
                     : fmt::format("{} do NOT run in one kernel ({})", list, why_apart(executable));
  return verdict;
}

}  // namespace sinter::tools
