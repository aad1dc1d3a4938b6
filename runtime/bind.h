// Checks the views of a call against an operator's signature and binds named dimensions.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "ir/facts.h"
#include "ir/graph.h"
#include "sinter/device.h"
#include "sinter/tensor_view.h"

namespace sinter::runtime {

/// Values of the named dimensions for inputs of these extents (one list an input). UserError where
/// number, rank or extents do not fit, or a name cannot be told from the inputs.
std::map<std::string, std::int64_t> bind_sizes(
    const ir::Graph& graph, const std::vector<std::vector<std::int64_t>>& extents);

/// Extents of `shape` for these sizes; UserError where one is negative.
std::vector<std::int64_t> evaluate_shape(const ir::Shape& shape,
                                         const std::map<std::string, std::int64_t>& sizes);

/// Checks dtype, device, rank of strides and alignment of one view; `role` is "input x" or the like.
void check_view(const TensorView& view, DType dtype, const Device& device, const std::string& role);
/// The same for a host scalar, which lies in host memory whatever the device.
void check_host_scalar(const TensorView& view, DType dtype, const std::string& role);
/// Checks that an output view has `extents` and does not overlap itself.
void check_output(const TensorView& view, const std::vector<std::int64_t>& extents,
                  const std::string& role);

/// The view as a tensor bound to a parameter; strides filled in where the view has none.
ir::BoundTensor to_bound_tensor(const std::string& param, const TensorView& view);

/// First and one-past-last byte that a view reaches; equal where it has no element.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool overlaps(const ByteRange& other) const { return begin < other.end && other.begin < end; }
};
ByteRange byte_range(const TensorView& view);

}  // namespace sinter::runtime
