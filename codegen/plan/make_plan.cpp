// The Plan that comes out of the search: names, kernels in order, boundaries with their reasons.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/plan/improve_partition.h"
#include "codegen/plan/partition.h"
#include "codegen/plan/plan.h"

namespace sinter::codegen {

namespace {

using ir::NodeId;
using ir::Value;

/// Names of all stored values: outputs have theirs, intermediates are numbered as they are written.
std::map<Value, std::string> name_tensors(const ir::Graph& graph, const Partition& partition,
                                          std::vector<PlannedTensor>& intermediates) {
  std::set<std::string> taken;
  for (const NodeId id : graph.parameters()) taken.insert(graph.parameter_name(id));
  std::map<Value, std::string> names;
  std::size_t number = 0;
  for (const PartId id : partition.order()) {
    for (const KernelRoot& root : partition.part(id).roots) {
      if (partition.is_output(root.value)) {
        if (partition.is_stored(root.value)) names[root.value] = partition.name(root.value);
        continue;
      }
      std::string name;
      do {
        name = fmt::format("tmp{}", number++);
      } while (taken.contains(name));
      names[root.value] = name;
      intermediates.push_back({name, graph.type(root.value)});
    }
  }
  return names;
}

PlannedKernel make_planned_kernel(const ir::Graph& graph, const Partition& partition, PartId id,
                                  const std::map<Value, std::string>& names, ir::Mode mode) {
  const Part& part = partition.part(id);
  PlannedKernel planned;
  std::vector<KernelRoot> roots = part.roots;
  for (KernelRoot& root : roots) {
    if (!partition.is_output(root.value)) root.name = names.at(root.value);
    planned.roots.push_back(root.value);
  }
  planned.kernel = lower_to_kernel(graph, roots, names, mode);
  planned.schedule = part.choice.schedule;
  planned.predicted_us = part.choice.predicted_us;
  for (const NodeId node : part.nodes) {
    const ir::OpClass op_class = ir::info(graph.node(node).op).op_class;
    if (op_class == ir::OpClass::View || op_class == ir::OpClass::Leaf) continue;
    planned.nodes.push_back(node);
  }
  return planned;
}

ir::IndexExpr size_bytes_of(const ir::Type& type) {
  ir::IndexExpr bytes = static_cast<std::int64_t>(size_bytes(type.dtype));
  for (const ir::Dim& dim : type.shape) bytes = bytes * dim;
  return bytes;
}

/// The first operator of the part that reads `value`, through views if need be.
NodeId first_reader(const ir::Graph& graph, const Part& part, Value value) {
  std::set<Value> aliases{value};
  for (const NodeId id : part.nodes) {
    const ir::Node& node = graph.node(id);
    const bool reads = std::any_of(node.operands.begin(), node.operands.end(),
                                   [&](Value operand) { return aliases.contains(operand); });
    if (!reads) continue;
    if (!ir::is_view(node.op)) return id;
    aliases.insert({id, 0});
  }
  return part.roots.back().value.node;
}

std::vector<Boundary> list_boundaries(const ir::Graph& graph, const Partition& partition) {
  std::vector<Boundary> boundaries;
  for (const PartId id : partition.order()) {
    const Part& part = partition.part(id);
    for (const Value input : part.inputs) {
      if (!partition.is_stored(input)) continue;
      // An output is written in any case.
      const ir::IndexExpr passes = partition.is_output(input) ? 1 : 2;
      boundaries.push_back({input.node, first_reader(graph, part, input), partition.reasons(input),
                            size_bytes_of(graph.type(input)) * passes});
    }
  }
  return boundaries;
}

}  // namespace

Plan make_plan(const ir::Graph& graph, const Target& target, std::span<const Schedule> schedules,
               const PlanOptions& options) {
  Partition partition(graph, target, schedules, options);
  if (options.fuse) improve_partition(graph, partition);
  Plan plan;
  const std::map<Value, std::string> names = name_tensors(graph, partition, plan.intermediates);
  for (const PartId id : partition.order()) {
    plan.kernels.push_back(make_planned_kernel(graph, partition, id, names, options.mode));
    const std::string name = fmt::format("{}_{}", graph.name(), plan.kernels.size() - 1);
    plan.kernels.back().kernel.set_name(name);
  }
  plan.boundaries = list_boundaries(graph, partition);
  std::map<Value, std::size_t> occurrences;
  for (const Value output : graph.outputs()) {
    plan.outputs.push_back(partition.output_names(output).at(occurrences[output]++));
  }
  return plan;
}

}  // namespace sinter::codegen
