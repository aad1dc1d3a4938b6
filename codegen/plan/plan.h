// Graph -> Kernels: what fuses with what, and the record of why not.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codegen/schedule.h"
#include "codegen/target.h"
#include "ir/graph.h"
#include "ir/kernel.h"

namespace sinter::codegen {

struct PlanOptions {
  ir::Mode mode = ir::Mode::Default;
  bool fuse = true;  // false: one kernel for every operator that is not a view
  /// Representative values of the size symbols, for predicted times; others count as 1024.
  std::map<std::string, std::int64_t> sizes;
};

/// One kernel of the plan, and what its parameters are bound to.
struct PlannedKernel {
  ir::Kernel kernel;
  const Schedule* schedule = nullptr;
  /// Graph values that it computes and stores, in the order of its Out params. Param names: the
  /// graph's parameter name, "out<i>" for outputs and "tmp<i>" for intermediates.
  std::vector<ir::Value> roots;
  /// Graph operators (not views) computed in it, for reports.
  std::vector<ir::NodeId> nodes;
  double predicted_us = 0;
};

/// An intermediate tensor between kernels: dense, row-major.
struct PlannedTensor {
  std::string name;
  ir::Type type;
};

/// Why two parts did not become one kernel.
struct Boundary {
  ir::NodeId producer = 0;
  ir::NodeId consumer = 0;
  std::vector<std::string> reasons;  // of every attempt, each once, the first attempt first
  ir::IndexExpr bytes;               // written and read again because of it
};

struct Plan {
  std::vector<PlannedKernel> kernels;  // in execution order
  std::vector<PlannedTensor> intermediates;
  std::vector<Boundary> boundaries;
  /// outputs[i]: name of the tensor that holds the graph's output i: "out<i>".
  std::vector<std::string> outputs;
};

/// `graph` must be normalized. Merges only what some schedule accepts, and keeps a merge where the
/// predicted time of the whole is below the sum of the parts.
Plan make_plan(const ir::Graph& graph, const Target& target, std::span<const Schedule> schedules,
               const PlanOptions& options = {});

/// "kernel 0 ... by generic: matmul, add -> out0; boundary ...".
std::string to_string(const Plan& plan, const ir::Graph& graph);

/// A value that a kernel stores, and the name of the tensor it goes to.
struct KernelRoot {
  ir::Value value;
  std::string name;
  friend bool operator==(const KernelRoot&, const KernelRoot&) = default;
};

/// Lowers the cone of `roots` (a value may occur twice) down to parameters and to the values of
/// `materialized` (with their tensors' names) into one Kernel: In params first, in the order of the
/// graph's parameters, then of `materialized`; then one Out param a root. A root that another root
/// consumes is computed, stored and used. Throws InternalError where it cannot be done.
ir::Kernel lower_to_kernel(const ir::Graph& graph, const std::vector<KernelRoot>& roots,
                           const std::map<ir::Value, std::string>& materialized = {},
                           ir::Mode mode = ir::Mode::Default);

/// The same, or the reason why these values cannot be computed in one kernel, in words for users.
struct Lowered {
  std::optional<ir::Kernel> kernel;
  std::string refusal;
};
Lowered try_lower_to_kernel(const ir::Graph& graph, const std::vector<KernelRoot>& roots,
                            const std::map<ir::Value, std::string>& materialized, ir::Mode mode);

}  // namespace sinter::codegen
