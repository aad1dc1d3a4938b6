// A Plan as a report: what `sinter explain` shows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "codegen/plan/plan.h"
#include "support/counted.h"
#include "support/text_writer.h"

namespace sinter::codegen {

namespace {

/// The number that the graph's text gives the node: parameters do not count there.
std::int64_t printed_number(const ir::Graph& graph, ir::NodeId id) {
  const auto& nodes = graph.nodes();
  return std::count_if(nodes.begin(), nodes.begin() + id,
                       [](const ir::Node& node) { return node.op != ir::Op::Parameter; });
}

/// "%3 matmul (op.cpp:12)".
std::string describe(const ir::Graph& graph, ir::NodeId id) {
  const ir::Node& node = graph.node(id);
  std::string text = fmt::format("%{} {}", printed_number(graph, id), ir::to_string(node.op));
  if (node.op == ir::Op::Parameter) text = "%" + graph.parameter_name(id);
  if (node.location.line > 0) {
    text += fmt::format(" ({}:{})", node.location.file, node.location.line);
  }
  return text;
}

std::string list_params(const ir::Kernel& kernel, ir::ParamRole role) {
  std::vector<std::string> names;
  for (const ir::KernelParam& param : kernel.params()) {
    if (param.role != role) continue;
    names.push_back(
        fmt::format("{}: {}", param.name, to_string(ir::Type{param.dtype, param.shape})));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void print_kernel(support::TextWriter& out, const PlannedKernel& planned, std::size_t number,
                  const ir::Graph& graph) {
  std::vector<std::string> operators;
  for (const ir::NodeId id : planned.nodes) operators.push_back(describe(graph, id));
  const std::string inputs = list_params(planned.kernel, ir::ParamRole::In);
  out.line("kernel {} {} by {}, {:.2f} us", number, planned.kernel.name(), planned.schedule->name,
           planned.predicted_us);
  const support::TextWriter::Scope scope(out);
  out.line("computes {}",
           operators.empty() ? "a copy" : fmt::format("{}", fmt::join(operators, ", ")));
  if (!inputs.empty()) out.line("reads {}", inputs);
  out.line("writes {}", list_params(planned.kernel, ir::ParamRole::Out));
}

}  // namespace

std::string to_string(const Plan& plan, const ir::Graph& graph) {
  support::TextWriter out;
  double total_us = 0;
  for (const PlannedKernel& planned : plan.kernels) total_us += planned.predicted_us;
  out.line("plan of {}: {}, {}, {:.2f} us", graph.name(),
           support::counted(plan.kernels.size(), "kernel"),
           support::counted(plan.intermediates.size(), "intermediate"), total_us);
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    print_kernel(out, plan.kernels[k], k, graph);
  }
  for (const Boundary& boundary : plan.boundaries) {
    out.line("boundary between {} and {}: {} bytes", describe(graph, boundary.producer),
             describe(graph, boundary.consumer), ir::to_string(boundary.bytes));
    const support::TextWriter::Scope scope(out);
    for (const std::string& reason : boundary.reasons) out.line("{}", reason);
  }
  out.line("returns {}", fmt::format("{}", fmt::join(plan.outputs, ", ")));
  return out.text();
}

}  // namespace sinter::codegen
