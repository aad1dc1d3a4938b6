// Normalize, plan, generate, explain.
#include "runtime/pipeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/normalize/normalize.h"
#include "ir/conditions.h"
#include "ir/define/composite.h"
#include "ir/rewrite_graph.h"
#include "ir/text.h"
#include "runtime/log.h"
#include "support/check.h"
#include "support/options.h"

namespace sinter::runtime {

namespace {

std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

codegen::NormalizeOptions normalize_options_of(const CompileOptions& options) {
  codegen::NormalizeOptions normalize_options;
  normalize_options.mode = static_cast<ir::Mode>(options.mode);
  normalize_options.rounding = static_cast<codegen::Rounding>(options.rounding);
  normalize_options.disabled = split_commas(support::option_text(support::Option::DisablePasses));
  return normalize_options;
}

// No trace gives it: a place with this file is a node's number. Parameters keep the place of their trace, and so does
// what a pass derives from a parameter alone, as the cast that widens it: no node of the graph computes that.
constexpr std::string_view kNumberedFile = "<node>";

/// The same graph with each node's number in the place of its line.
ir::Graph number_nodes(const ir::Graph& graph) {
  ir::GraphRewriter rewriter(graph);
  for (ir::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const ir::Node& node = graph.node(id);
    if (node.op == ir::Op::Parameter) continue;
    const ir::Value copy =
        rewriter.graph().add(node.op, rewriter.mapped(node.operands), node.attributes,
                             {std::string(kNumberedFile), static_cast<int>(id)});
    for (std::uint32_t r = 0; r < node.results.size(); ++r) {
      rewriter.map({id, r}, {copy.node, r});
    }
  }
  return rewriter.finish();
}

bool has_other_layouts(const codegen::Plan& plan) {
  return std::ranges::any_of(plan.kernels, [](const codegen::PlannedKernel& planned) {
    return std::ranges::any_of(planned.kernel.params(),
                               [](const ir::KernelParam& param) { return param.shape.size() > 1; });
  });
}

}  // namespace

ir::Graph normalize_for(const ir::Graph& graph, const CompileOptions& options) {
  codegen::NormalizeOptions normalize_options = normalize_options_of(options);
  if (debug_level(graph.name()) >= 4) {
    log_info(fmt::format("graph as traced\n{}", ir::to_string(graph)));
    normalize_options.observe = [](std::string_view pass, const ir::Graph& now, double time_us) {
      log_info(fmt::format("graph after {} ({:.0f} us)\n{}", pass, time_us, ir::to_string(now)));
    };
  }
  return codegen::normalize(graph, normalize_options);
}

// Passes decide nothing by locations, and hand them on.
std::vector<std::optional<ir::NodeId>> trace_origins(const ir::Graph& graph,
                                                     const CompileOptions& options) {
  const ir::Graph numbered = codegen::normalize(number_nodes(graph), normalize_options_of(options));
  std::vector<std::optional<ir::NodeId>> origins;
  for (const ir::Node& node : numbered.nodes()) {
    const bool is_numbered = node.location.file == kNumberedFile;
    origins.push_back(is_numbered ? std::optional(static_cast<ir::NodeId>(node.location.line))
                                  : std::nullopt);
  }
  return origins;
}

codegen::Plan plan_for(const ir::Graph& graph, const codegen::Target& target,
                       const CompileOptions& options) {
  codegen::PlanOptions plan_options;
  plan_options.mode = static_cast<ir::Mode>(options.mode);
  plan_options.fuse = options.fuse;
  plan_options.sizes = options.sizes;
  return codegen::make_plan(graph, target, codegen::schedules_of(target.backend), plan_options);
}

GeneratedKernel generate_kernel(const codegen::PlannedKernel& planned, const ir::Facts& facts,
                                const codegen::Target& target,
                                const std::map<std::string, std::int64_t>& sizes) {
  const codegen::Schedule& schedule = *planned.schedule;
  const auto candidates = schedule.candidates(planned.kernel, facts, target, sizes);
  support::check(!candidates.empty(), "schedule {} has no candidate for {}", schedule.name,
                 planned.kernel.name());
  GeneratedKernel generated;
  generated.config = candidates.front().config;
  generated.program = schedule.emit(planned.kernel, facts, generated.config, target);
  return generated;
}

std::string explain(const codegen::Plan& plan, const ir::Graph& graph, const ir::Graph& normalized,
                    const codegen::Target& target,
                    const std::map<std::string, std::int64_t>& sizes) {
  std::string text = codegen::to_string(plan, normalized);
  for (const ir::Condition& condition : ir::conditions_of(ir::decompose(graph))) {
    text += fmt::format("each call needs {}\n", ir::to_string(condition));
  }
  if (has_other_layouts(plan)) {
    text += "tensors whose dimensions lie in another order in memory get kernels for that order\n";
  }
  for (const codegen::PlannedKernel& planned : plan.kernels) {
    text += fmt::format("\n{}", ir::to_string(planned.kernel));
    for (const ir::Facts& facts : planned.schedule->classes(planned.kernel)) {
      const GeneratedKernel kernel = generate_kernel(planned, facts, target, sizes);
      text += fmt::format("\nclass {} with {}\n", ir::to_string(facts),
                          codegen::to_string(kernel.config));
      for (const codegen::Source& source : kernel.program.sources) {
        text += fmt::format("\n{}\n{}", source.name, source.text);
      }
    }
  }
  return text;
}

}  // namespace sinter::runtime
