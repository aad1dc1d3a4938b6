// The pure part of a compilation: from a Graph to a Plan, and what there is to tell about it. Needs
// no device, only its Target.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/plan/plan.h"
#include "codegen/target.h"
#include "ir/graph.h"
#include "sinter/compile.h"

namespace sinter::runtime {

/// Runs the normalize passes; dumps at SINTER_DEBUG=4.
ir::Graph normalize_for(const ir::Graph& graph, const CompileOptions& options);

/// For each node of normalize_for(graph, options) the node of `graph` that it stems from, be it as a part of a
/// composite's definition; none for parameters and for what is derived from a parameter alone.
std::vector<std::optional<ir::NodeId>> trace_origins(const ir::Graph& graph,
                                                     const CompileOptions& options);

/// Plans a normalized graph with the schedules of the target's backend.
codegen::Plan plan_for(const ir::Graph& normalized, const codegen::Target& target,
                       const CompileOptions& options);

/// One kernel for one class of Facts: the best candidate and its Program.
struct GeneratedKernel {
  codegen::Config config;
  codegen::Program program;
};
GeneratedKernel generate_kernel(const codegen::PlannedKernel& planned, const ir::Facts& facts,
                                const codegen::Target& target,
                                const std::map<std::string, std::int64_t>& sizes);

/// Plan, boundaries with reasons, what each call of `graph` (as traced) is checked for, whether there are kernels
/// for other layouts (plan_layout.h), then for each kernel its index form, its classes and the source of each.
std::string explain(const codegen::Plan& plan, const ir::Graph& graph, const ir::Graph& normalized,
                    const codegen::Target& target,
                    const std::map<std::string, std::int64_t>& sizes);

}  // namespace sinter::runtime
