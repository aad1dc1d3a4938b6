// Attention and the position encoding that goes with it.
#include <cmath>
#include <limits>

#include "ir/define/window.h"

namespace sinter::ir {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What the operands' shapes give. The queries' heads are groups of `group` heads, of which each has
/// one head of keys and values.
struct Heads {
  std::string batch;  // labels of the dimensions before heads
  std::int64_t group = 1;
  Dim rows;
  Dim keys;
};

Heads heads_of(const Call& call) {
  call.need_operands(3, 4);
  const Expr& q = call[0];
  const Expr& k = call[1];
  const Expr& v = call[2];
  const std::size_t rank = q.rank();
  const auto refuse = [&](const char* need) {
    call.fail("{}; given {}, {} and {}", need, to_string(q.type()), to_string(k.type()),
              to_string(v.type()));
  };
  if (rank < 3 || rank > 12 || k.rank() != rank || v.rank() != rank) {
    refuse("q, k and v must be [..., heads, rows, d]");
  }
  if (q.dtype() != k.dtype() || q.dtype() != v.dtype()) refuse("q, k and v need one dtype");
  const auto axis = [&](std::size_t from_end) {
    return static_cast<std::int64_t>(rank - from_end);
  };
  for (std::int64_t d = 0; d < axis(3); ++d) {
    if (q.extent(d) != k.extent(d) || q.extent(d) != v.extent(d)) {
      refuse("the dimensions before heads must be equal");
    }
  }
  if (q.extent(axis(1)) != k.extent(axis(1))) refuse("rows of q and k must have equal extents");
  if (k.extent(axis(2)) != v.extent(axis(2))) refuse("k and v must have as many rows");
  if (k.extent(axis(3)) != v.extent(axis(3))) refuse("k and v must have as many heads");
  Heads heads;
  for (std::size_t d = 0; d + 3 < rank; ++d) heads.batch += static_cast<char>('A' + d);
  heads.rows = q.extent(axis(2));
  heads.keys = k.extent(axis(2));
  if (q.extent(axis(3)) == k.extent(axis(3))) return heads;
  const auto q_heads = q.extent(axis(3)).as_constant();
  const auto k_heads = k.extent(axis(3)).as_constant();
  if (!q_heads || !k_heads || *k_heads == 0 || *q_heads % *k_heads != 0) {
    refuse("the heads of q must be a multiple of those of k and v");
  }
  heads.group = *q_heads / *k_heads;
  return heads;
}

/// [..., heads, m, n] as [..., heads / group, group, m, n], or back.
Expr split_heads(const Expr& a, const Heads& heads) {
  if (heads.group == 1) return a;
  Shape shape = a.shape();
  const auto at = static_cast<std::ptrdiff_t>(shape.size()) - 3;
  shape[static_cast<std::size_t>(at)] = floor_div(shape[static_cast<std::size_t>(at)], heads.group);
  shape.insert(shape.begin() + at + 1, Dim(heads.group));
  return reshape(a, shape);
}

Expr join_heads(const Expr& a, const Heads& heads, std::size_t last_dims) {
  if (heads.group == 1) return a;
  Shape shape = a.shape();
  const std::size_t at = shape.size() - last_dims - 2;
  shape[at] = shape[at] * heads.group;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  return reshape(a, shape);
}

/// Row i of q stands beside key i + keys - rows: the last of both coincide.
std::optional<Expr> visible_by_place(const Call& call, const Heads& heads) {
  const bool causal = call.flag(AttributeName::Causal);
  const Integers window = call.attributes().get_or<Integers>(AttributeName::Window, {-1, -1});
  if (window.size() != 2) {
    call.fail("window needs two numbers, keys before and after; given {}", window.size());
  }
  const Expr& q = call[0];
  const Expr shift = size(q, max(heads.keys, 0), DType::I64) - size(q, heads.rows, DType::I64);
  const Expr place = index_along(q, 0, heads.rows, 2) + shift;
  const Expr key = index_along(q, 1, heads.keys, 2);
  std::optional<Expr> visible;
  const auto restrict = [&](const Expr& condition) {
    visible = visible ? *visible & condition : condition;
  };
  if (causal) restrict(key <= place);
  if (window[0] >= 0) restrict(key >= place - window[0]);
  if (window[1] >= 0) restrict(key <= place + window[1]);
  return visible;
}

/// The mask with the heads of the scores split like theirs: it broadcasts against [..., heads, m, n].
Expr aligned_mask(const Call& call, const Heads& heads, const Expr& scores) {
  const Expr& mask = call[3];
  Shape shape = scores.shape();
  const auto at = static_cast<std::ptrdiff_t>(shape.size()) - 3;
  if (heads.group > 1) {
    shape[static_cast<std::size_t>(at) - 1] = shape[static_cast<std::size_t>(at) - 1] * heads.group;
    shape.erase(shape.begin() + at);
  }
  if (mask.rank() > shape.size() ||
      (mask.dtype() != DType::Bool && mask.dtype() != scores.dtype())) {
    call.fail("the mask must be bool or {} and broadcast to {}; given {}", to_string(call.dtype()),
              to_string(shape), to_string(mask.type()));
  }
  if (heads.group == 1 || mask.rank() < 3) return mask;
  if (mask.extent(static_cast<std::int64_t>(mask.rank()) - 3) != Dim(1)) {
    return split_heads(mask, heads);
  }
  return unsqueeze(mask, static_cast<std::int64_t>(mask.rank()) - 3);
}

}  // namespace

/// A. Vaswani et al., Attention Is All You Need (2017); grouped heads: J. Ainslie et al., GQA (2023).
/// The division comes after the product with v, as when keys arrive in pieces.
template <>
Exprs define<Op::Attention>(const Call& call) {
  const Heads heads = heads_of(call);
  const std::string head = heads.batch + "h";
  const std::string group = heads.group == 1 ? "" : "g";
  const Expr q = split_heads(call[0], heads);
  Expr scores = einsum(head + group + "id," + head + "jd->" + head + group + "ij", q, call[1]);
  const Dim depth = call[0].shape().back();
  if (call.attributes().find(AttributeName::Scale)) {
    scores = scores * call.real(AttributeName::Scale, 1);
  } else {
    scores = scores / sqrt(size(scores, depth, scores.dtype()));
  }
  if (const double cap = call.real(AttributeName::Cap, 0); cap != 0) {
    scores = tanh(scores / cap) * cap;
  }
  std::optional<Expr> visible = visible_by_place(call, heads);
  if (call.size() == 4) {
    const Expr mask = aligned_mask(call, heads, scores);
    const bool is_bool = mask.dtype() == DType::Bool;
    if (!is_bool) scores = scores + mask;
    const Expr open = is_bool ? mask : not_equal(mask, -kInfinity);
    visible = visible ? *visible & open : open;
  }
  const Integers last{static_cast<std::int64_t>(scores.rank()) - 1};
  Expr any = scores;  // set where there is a mask
  if (visible) {
    visible = broadcast_to(*visible, scores.shape());
    any = reduce(Op::Any, *visible, last, Keep::Yes);
    scores = select(*visible, scores, -kInfinity);
  }
  Expr largest = stop_gradient(reduce(Op::Max, scores, last, Keep::Yes));
  if (visible) largest = select(any, largest, 0);
  Expr weights = exp(scores - largest);
  if (visible) weights = select(*visible, weights, 0);
  Expr total = sum(weights, last, Keep::Yes);
  if (visible) total = select(any, total, 1);  // 0 / 0 would be a gradient too
  Expr result =
      einsum(head + group + "ij," + head + "jd->" + head + group + "id", weights, call[2]) / total;
  if (visible) result = select(any, result, 0);
  Expr lse = log(total) + largest;
  if (visible) lse = select(any, lse, -kInfinity);
  Shape lse_shape = lse.shape();
  lse_shape.pop_back();
  return {join_heads(result, heads, 2), join_heads(reshape(lse, lse_shape), heads, 1)};
}

/// J. Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding (2021).
template <>
Exprs define<Op::Rope>(const Call& call) {
  const Expr& a = call[0];
  const auto variant = call.attributes().get_or<std::string>(AttributeName::Variant, "halves");
  if (variant != "halves" && variant != "interleaved") {
    call.fail("variant '{}' is none of halves, interleaved", variant);
  }
  if (a.rank() == 0) call.fail("it needs a dimension of pairs; given {}", to_string(a.type()));
  const Shape whole = a.shape();
  const Dim half = floor_div(whole.back(), 2);
  if (half * 2 != whole.back()) call.fail("the last dimension of {} is odd", to_string(a.type()));
  const bool interleaved = variant == "interleaved";
  Shape pairs = whole;
  pairs.back() = interleaved ? half : Dim(2);
  pairs.push_back(interleaved ? Dim(2) : half);
  const auto pair_axis = static_cast<std::int64_t>(interleaved ? whole.size() : whole.size() - 1);
  const auto turn = [&](std::size_t operand) {
    const Expr& table = call[operand];
    if (table.dtype() != a.dtype() || table.rank() == 0 || table.rank() > a.rank() ||
        is_provably_different(table.shape().back(), half)) {
      call.fail("operand {} must be {}[..., {}]; given {}", operand, to_string(call.dtype()),
                to_string(half), to_string(table.type()));
    }
    const auto rank = static_cast<std::int64_t>(table.rank());
    return unsqueeze(table, interleaved ? rank : rank - 1);
  };
  const Expr x = reshape(a, pairs);
  const Expr other = slice(x, pair_axis, 1, 2, -1);
  const Expr is_first = equal(index_along(a, pair_axis, 2, pairs.size()), 0);
  const Expr turned = x * turn(1) + select(is_first, -other, other) * turn(2);
  return {reshape(turned, whole)};
}

}  // namespace sinter::ir
