// Looks for one kernel that computes every claimed operator.
#include "tools/fusion_claim.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "runtime/pipeline.h"
#include "support/check.h"
#include "support/counted.h"
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

using Kernels = std::set<std::size_t>;  // numbers of the plan's kernels

/// Where the operators of the user's graph are computed.
class Placement {
 public:
  explicit Placement(const runtime::ExecutableImpl& executable)
      : graph_(executable.graph()), parts_(graph_.nodes().size()) {
    const auto origins = runtime::trace_origins(graph_, executable.options());
    const std::vector<codegen::PlannedKernel>& kernels = executable.plan().kernels;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      for (const ir::NodeId id : kernels[k].nodes) {
        if (origins.at(id)) parts_[*origins[id]][id].insert(k);
      }
    }
  }

  /// The kernels that have a part of some node `op`.
  Kernels with_part_of(ir::Op op) const {
    Kernels all;
    for (ir::NodeId id = 0; id < parts_.size(); ++id) {
      if (graph_.node(id).op != op) continue;
      for (const auto& [part, kernels] : parts_of(id)) all.insert(kernels.begin(), kernels.end());
    }
    return all;
  }

  /// Whether the kernel computes every part of some node `op`.
  bool computes(std::size_t kernel, ir::Op op) const {
    for (ir::NodeId id = 0; id < parts_.size(); ++id) {
      if (graph_.node(id).op != op) continue;
      const Parts& parts = parts_of(id);
      const auto is_here = [&](const auto& part) { return part.second.contains(kernel); };
      if (!parts.empty() && std::all_of(parts.begin(), parts.end(), is_here)) return true;
    }
    return false;
  }

 private:
  using Parts = std::map<ir::NodeId, Kernels>;  // by the nodes of the normalized graph

  /// A node without any was merged into one that uses it, as a product into a multiply-add.
  const Parts& parts_of(ir::NodeId id) const {
    if (!parts_[id].empty()) return parts_[id];
    for (ir::NodeId user = id + 1; user < parts_.size(); ++user) {
      const std::vector<ir::Value>& operands = graph_.node(user).operands;
      const auto is_it = [&](ir::Value operand) { return operand.node == id; };
      if (std::any_of(operands.begin(), operands.end(), is_it)) return parts_of(user);
    }
    return parts_[id];
  }

  const ir::Graph& graph_;
  std::vector<Parts> parts_;  // by the nodes of the graph
};

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

/// "exp: kernel 0", "softmax: kernels 0, 1, 2".
std::string place_text(const std::string& name, const Kernels& kernels) {
  if (kernels.empty()) return name + ": no kernel";
  return fmt::format("{}: kernel{} {}", name, kernels.size() == 1 ? "" : "s",
                     fmt::join(kernels, ", "));
}

std::string why_apart(const codegen::Plan& plan) {
  std::vector<std::string> reasons;  // each once, in the order of the kernels
  for (const codegen::Boundary& boundary : plan.boundaries) {
    for (const std::string& reason : boundary.reasons) {
      if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
        reasons.push_back(reason);
      }
    }
  }
  if (reasons.empty()) reasons.emplace_back("none reads what another writes");
  return fmt::format("{}: {}", support::counted(plan.kernels.size(), "kernel"),
                     fmt::join(reasons, "; "));
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
  const codegen::Plan& plan = executable.plan();
  const Placement placement(executable);
  FusionVerdict verdict{.is_fused = plan.kernels.size() == 1, .text = {}};
  for (std::size_t k = 0; k < plan.kernels.size() && !verdict.is_fused; ++k) {
    verdict.is_fused =
        std::all_of(ops.begin(), ops.end(), [&](ir::Op op) { return placement.computes(k, op); });
  }
  verdict.text = fmt::format("{} run in one kernel", fmt::join(names, " + "));
  if (verdict.is_fused) return verdict;
  std::vector<std::string> places;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    places.push_back(place_text(names[i], placement.with_part_of(ops[i])));
  }
  verdict.text = fmt::format("{} do NOT run in one kernel ({}; {})", fmt::join(names, " + "),
                             why_apart(plan), fmt::join(places, ", "));
  return verdict;
}

}  // namespace sinter::tools
