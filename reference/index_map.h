// Where an element's operands lie: row-major numbers as affine functions of the result's index.
#pragma once

#include <span>
#include <vector>

#include "ir/bind_sizes.h"

namespace sinter::reference {

/// base + sum over dimensions of index[d] * strides[d].
struct IndexMap {
  std::int64_t base = 0;
  std::vector<std::int64_t> strides;
  /// The map is flat -> flat.
  bool identity = false;

  /// Of row-major element `flat` of `extents`.
  std::int64_t apply(std::span<const std::int64_t> extents, std::int64_t flat) const;
};

using Extents = std::vector<std::int64_t>;

/// Row-major strides.
Extents dense_strides(std::span<const std::int64_t> extents);

/// From the result of a pointwise node or broadcast to an operand, aligned at the right; only
/// dimensions that the operand's type says to be the number 1 stretch (UserError otherwise).
IndexMap map_broadcast(const ir::Node& node, const Extents& result, const ir::Shape& operand_shape,
                       const Extents& operand);
/// From the result of a view to its operand. UserError where a reshape changes the number of
/// elements or a slice leaves its operand.
IndexMap map_view(const ir::Node& node, const Extents& result, const ir::Shape& operand_shape,
                  const Extents& operand, const ir::Sizes& sizes);

/// The loop over what a reduction or contraction folds, at one element of the result.
struct FoldDomain {
  Extents extents;               // of the folded dimensions, ascending, the last fastest
  std::vector<IndexMap> result;  // from the result, one per operand: the first folded element
  std::vector<Extents> strides;  // one per operand, one per folded dimension

  std::int64_t count() const;
};

/// Reductions over attribute axes; all operands have the extents `operand`.
FoldDomain map_reduction(const ir::Node& node, const Extents& operand);
/// [..., m, k] x [..., k, n]; leading dimensions broadcast as in map_broadcast.
FoldDomain map_matmul(const ir::Node& node, const Extents& result, const ir::Shape& a_shape,
                      const Extents& a, const ir::Shape& b_shape, const Extents& b);
/// By the labels of attribute equation.
FoldDomain map_einsum(const ir::Node& node, const Extents& a, const Extents& b);

}  // namespace sinter::reference
