// Inside lowering only: the state of one kernel while demands on graph values become its nodes.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/plan/axis_pool.h"
#include "codegen/plan/plan.h"

namespace sinter::codegen {

/// Thrown while lowering where the values do not fit into one kernel; try_lower_to_kernel catches it.
struct Refusal {
  std::string reason;
};

/// Axes that any of the expressions mentions.
std::set<ir::AxisId> axes_of(const ir::Shape& indices);

class KernelLowering {
 public:
  KernelLowering(const ir::Graph& graph, const std::vector<KernelRoot>& roots,
                 const std::map<ir::Value, std::string>& materialized, ir::Mode mode)
      : graph_(graph), roots_(roots), kernel_(graph.name(), mode), axes_(graph, kernel_) {
    add_inputs(materialized);
  }

  ir::Kernel run();

 private:
  void add_inputs(const std::map<ir::Value, std::string>& materialized);
  ir::Value value(ir::Value wanted, const ir::Shape& indices);
  std::vector<ir::Value> make(ir::NodeId id, const ir::Shape& indices);
  ir::Value make_leaf(const ir::Node& node, const ir::Shape& indices);
  std::vector<ir::Value> make_pointwise(const ir::Node& node, const ir::Shape& indices);
  std::vector<ir::Value> make_reduction(const ir::Node& node, const ir::Shape& indices);
  std::vector<ir::Value> make_contraction(const ir::Node& node, const ir::Shape& indices);
  std::vector<ir::Value> make_scan(const ir::Node& node, const ir::Shape& indices);
  std::vector<ir::Value> make_scan_of_one(const ir::Node& node, const ir::Shape& indices,
                                          std::size_t dimension);
  std::vector<ir::Value> add_fold(ir::Op op, std::vector<ir::Value> operands,
                                  ir::Attributes attributes, const SourceLocation& location);

  /// Indices of a reduced operand: those of the result, with axes in the reduced dimensions.
  ir::Shape choose_reduced_indices(const ir::Node& node, const ir::Shape& indices);
  ir::AxisId choose_contracted_axis(const ir::Node& node, const ir::Shape& indices);
  ir::AxisId choose_scanned_axis(const ir::Node& node, const ir::Shape& indices,
                                 std::size_t dimension) const;
  ir::Shape matmul_operand_indices(const ir::Node& node, std::size_t operand,
                                   const ir::Shape& indices, ir::AxisId axis) const;
  ir::AxisId find_axis_of_one(const ir::Shape& indices);
  bool is_made(ir::Value wanted, const ir::Shape& indices) const;
  ir::Value cast(ir::Value v, DType dtype, const SourceLocation& location);
  void vary_over(std::vector<ir::Value>& operands, const std::set<ir::AxisId>& axes,
                 const SourceLocation& location);

  const ir::Graph& graph_;
  const std::vector<KernelRoot>& roots_;
  ir::Kernel kernel_;
  AxisPool axes_;
  std::map<ir::Value, std::int64_t> inputs_;  // to params
  std::map<std::pair<ir::Value, ir::Shape>, ir::Value> loads_;
  std::map<std::pair<ir::NodeId, ir::Shape>, std::vector<ir::Value>> made_;
};

}  // namespace sinter::codegen
