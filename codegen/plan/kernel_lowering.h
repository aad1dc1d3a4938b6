// Inside lowering only: the state of one kernel while demands on graph values become its nodes.
#pragma once

#include <array>
#include <compare>
#include <map>
#include <optional>
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

/// Where a value is wanted: at these indices, and only where all of `guard` is >= 0. Elsewhere it may
/// be anything, but nothing outside of a tensor is read for it.
struct Place {
  ir::Shape indices;
  ir::Shape guard;  // sorted, each once

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// A product as labels: those of each operand's dimensions and of the result's, and those summed
/// over. A dimension of an operand that is broadcast has label 0.
struct Product {
  std::array<std::vector<std::size_t>, 2> operands;
  std::vector<std::size_t> result;
  std::vector<std::size_t> contracted;
  std::map<std::size_t, ir::Dim> extents;
};
Product product_of(const ir::Graph& graph, const ir::Node& node);

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
  ir::Value value(ir::Value wanted, const Place& at);
  std::vector<ir::Value> make(ir::NodeId id, const Place& at);
  ir::Value make_leaf(const ir::Node& node, const Place& at);
  std::vector<ir::Value> make_pointwise(const ir::Node& node, const Place& at);
  ir::Value make_pad(const ir::Node& node, const Place& at);
  ir::Value make_gather(const ir::Node& node, const Place& at);
  ir::Value make_inside(ir::Value wanted, const Place& at, const ir::Shape& conditions,
                        const ir::Literal& outside, const SourceLocation& location);
  std::vector<ir::Value> make_reduction(const ir::Node& node, const Place& at);
  std::vector<ir::Value> make_contraction(const ir::Node& node, const Place& at);
  std::vector<ir::Value> make_scan(const ir::Node& node, const Place& at);
  std::vector<ir::Value> make_scan_of_one(const ir::Node& node, const Place& at,
                                          std::size_t dimension);
  std::vector<ir::Value> add_fold(ir::Op op, std::vector<ir::Value> operands,
                                  ir::Attributes attributes, const SourceLocation& location);

  /// Indices of a reduced operand: those of the result, with axes in the reduced dimensions.
  /// Axes that the expressions mention, themselves or through the values in them.
  std::set<ir::AxisId> axes_of(const ir::Shape& indices) const;
  std::set<ir::AxisId> axes_of(const Place& at) const;
  /// Whether strict mode lets `axis` be folded inside of `outer`.
  bool may_fold_after(const std::vector<ir::AxisId>& outer, ir::AxisId axis) const;
  static std::vector<ir::AxisId> reduced_axes(const ir::Node& node, const ir::Shape& indices);
  Place choose_reduced_place(const ir::Node& node, const Place& at);
  std::vector<ir::AxisId> choose_contracted_axes(const ir::Node& node, const Product& product,
                                                 const Place& at);
  ir::AxisId choose_scanned_axis(const ir::Node& node, const Place& at,
                                 std::size_t dimension) const;
  ir::AxisId find_axis_of_one(const Place& at);
  /// Views undone: the value that `wanted` is a view of, and where.
  std::pair<ir::Value, Place> look_through_views(ir::Value wanted, Place at) const;
  /// The integer `wanted` as an index expression: of axes and sizes where it is computed from them
  /// alone, else of a value of the kernel.
  ir::IndexExpr index_of(ir::Value wanted, const Place& at);
  std::optional<ir::IndexExpr> known_index_of(ir::Value wanted, const Place& at) const;
  /// Those of lo <= index < extent that are not known to hold, as expressions that are then >= 0.
  ir::Shape unproved_bounds(const ir::Shape& indices, const ir::Shape& extents) const;
  bool is_made(ir::Value wanted, const Place& at) const;
  ir::Value cast(ir::Value v, DType dtype, const SourceLocation& location);
  void vary_over(std::vector<ir::Value>& operands, const std::set<ir::AxisId>& axes,
                 const SourceLocation& location);

  const ir::Graph& graph_;
  const std::vector<KernelRoot>& roots_;
  ir::Kernel kernel_;
  AxisPool axes_;
  std::map<ir::Value, std::int64_t> inputs_;  // to params
  std::map<std::pair<ir::Value, Place>, ir::Value> loads_;
  std::map<std::pair<ir::NodeId, Place>, std::vector<ir::Value>> made_;
};

}  // namespace sinter::codegen
