// Products that are more than one sum over labels.
#include "ir/broadcast.h"
#include "ir/define/composite.h"
#include "ir/define/window.h"

namespace sinter::ir {

namespace {

[[noreturn]] void refuse(const Call& call) {
  call.fail(
      "x [rows, k], w [groups, k, n] and offsets [groups + 1] are needed; given {}, {} and {}",
      to_string(call[0].type()), to_string(call[1].type()), to_string(call[2].type()));
}

/// One dimension that both are, or each call is refused.
Dim agree(const Call& call, const Dim& a, const Dim& b) {
  const auto dim = unify_dims(a, b);
  // A 1 would stretch instead of being compared.
  const bool stretches = a != b && (a == Dim(1) || b == Dim(1));
  if (!dim || stretches) refuse(call);
  return *dim;
}

}  // namespace

/// The group of a row is how many offsets are not above it, less one; a matrix that there is not
/// reads 0.
template <>
Exprs define<Op::GroupedMatmul>(const Call& call) {
  const Expr& x = call[0];
  const Expr& w = call[1];
  call.need_integers(2);
  call.need_one_dtype(2);
  if (x.rank() != 2 || w.rank() != 3 || call[2].rank() != 1) refuse(call);
  const Dim rows = x.extent(0);
  const Dim groups = w.extent(0);
  const Dim columns = w.extent(2);
  const Dim inner = agree(call, x.extent(1), w.extent(1));
  const Dim count = agree(call, call[2].extent(0), groups + 1);
  const Expr offsets = broadcast_to(cast(call[2], DType::I64), {count});
  const Expr is_begun = reshape(offsets, {1, count}) <= index_along(x, 0, rows, 2);
  const Expr group = sum(cast(is_begun, DType::I64), {1}) - 1;
  const Expr matrices = gather(
      broadcast_to(w, {groups, inner, columns}),
      {reshape(group, {rows, 1, 1}), index_along(x, 1, inner, 3), index_along(x, 2, columns, 3)});
  const auto precision =
      call.attributes().get_or<Precision>(AttributeName::Precision, Precision::Split);
  const Expr product = einsum("rk,rkn->rn", broadcast_to(x, {rows, inner}), matrices, precision);
  const Expr is_inside = (group >= 0) & (group < size(group, groups, DType::I64));
  return {select(reshape(is_inside, {rows, 1}), product, 0)};
}

}  // namespace sinter::ir
