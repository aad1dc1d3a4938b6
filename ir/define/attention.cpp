// Attention.
#include <sstream>

#include "ir/define/window.h"
#include "support/special_values.h"

namespace sinter::ir {

namespace {

using support::kInfinity;

/// What the operands' shapes give. The queries' heads are groups of `group` heads, of which each has
/// one head of keys and values.
struct Heads {
  std::string batch;  // labels of the dimensions before heads
  Dim count;
  std::int64_t group = 1;
  Dim rows;
  Dim keys;
};

Heads heads_of(const Call& call) {
  call.need_operands(3, 8);
  const Expr& q = call[0];
  const Expr& k = call[1];
  const Expr& v = call[2];
  const std::size_t rank = q.rank();
  const auto refuse = [&](const char* need) {
    call.fail("{}; given {}, {} and {}", need, to_string(call.given(0)), to_string(call.given(1)),
              to_string(call.given(2)));
  };
  if (rank < 3 || rank > 12 || k.rank() != rank || v.rank() != rank) {
    refuse("q, k and v must be [..., heads, rows, d]");
  }
  for (const std::size_t other : {1, 2}) {
    if (call.given(0).dtype != call.given(other).dtype) call.refuse_dtypes(0, other);
  }
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
  heads.count = q.extent(axis(3));
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

/// The operands that may be left out.
struct Extras {
  std::optional<Expr> mask, bias, slopes, key_lengths, query_lengths;
};

/// Attribute given says which they are; without it the fourth operand is the mask.
Extras extras_of(const Call& call) {
  const std::string fallback = call.size() > 3 ? "mask" : "";
  const auto given = call.attributes().get_or<std::string>(AttributeName::Given, fallback);
  Extras extras;
  const std::pair<const char*, std::optional<Expr>*> known[] = {
      {"mask", &extras.mask},
      {"bias", &extras.bias},
      {"slopes", &extras.slopes},
      {"key_lengths", &extras.key_lengths},
      {"query_lengths", &extras.query_lengths}};
  std::istringstream words(given);
  std::size_t operand = 3;
  std::size_t from = 0;
  for (std::string word; words >> word; ++operand) {
    while (from < std::size(known) && word != known[from].first) ++from;
    if (from == std::size(known)) {
      call.fail(
          "given '{}' is not some of mask, bias, slopes, key_lengths and query_lengths in this "
          "order",
          given);
    }
    if (operand < call.size()) *known[from].second = call[operand];
    ++from;
  }
  if (operand != call.size()) {
    call.fail("given '{}' needs {} operands, not {}", given, operand, call.size());
  }
  return extras;
}

/// Where rows stand among keys: both count up to their lengths, and the last of both coincide.
struct Places {
  Expr row;                                  // [rows, 1]
  Expr key;                                  // [1, keys]
  Expr beside;                               // the key beside each row: [..., rows, 1]
  std::optional<Expr> key_count, row_count;  // [..., 1, 1], where lengths are given
};

/// Lengths of sequences, at most `extent`, aligned with the scores.
std::optional<Expr> counts_of(const Call& call, const Heads& heads,
                              const std::optional<Expr>& lengths, const Dim& extent) {
  if (!lengths) return std::nullopt;
  if (!is_integer(lengths->dtype()) || lengths->rank() > heads.batch.size()) {
    call.fail("lengths must be integers for the dimensions before heads of {}; given {}",
              to_string(call.given(0)), to_string(lengths->type()));
  }
  Shape shape = lengths->shape();
  shape.insert(shape.end(), heads.group == 1 ? 3 : 4, Dim(1));
  const Expr count = reshape(cast(*lengths, DType::I64), shape);
  return minimum(maximum(count, 0), size(count, extent, DType::I64));
}

Places places_of(const Call& call, const Heads& heads, const Extras& extras) {
  const Expr& q = call[0];
  const auto keys = counts_of(call, heads, extras.key_lengths, heads.keys);
  const auto rows = counts_of(call, heads, extras.query_lengths, heads.rows);
  const Expr row = index_along(q, 0, heads.rows, 2);
  const Expr shift = (keys ? *keys : size(q, heads.keys, DType::I64)) -
                     (rows ? *rows : size(q, heads.rows, DType::I64));
  return {row, index_along(q, 1, heads.keys, 2), row + shift, keys, rows};
}

std::optional<Expr> visible_by_place(const Call& call, const Places& places) {
  const bool causal = call.flag(AttributeName::Causal);
  const Integers window = call.attributes().get_or<Integers>(AttributeName::Window, {-1, -1});
  if (window.size() != 2) {
    call.fail("window needs two numbers, keys before and after; given {}", window.size());
  }
  const Expr& place = places.beside;
  const Expr& key = places.key;
  std::optional<Expr> visible;
  const auto restrict = [&](const Expr& condition) {
    visible = visible ? *visible & condition : condition;
  };
  if (causal) restrict(key <= place);
  if (window[0] >= 0) restrict(key >= place - window[0]);
  if (window[1] >= 0) restrict(key <= place + window[1]);
  if (places.key_count) restrict(key < *places.key_count);
  if (places.row_count) restrict(places.row < *places.row_count);
  return visible;
}

/// The mask with the heads of the scores split like theirs: it broadcasts against [..., heads, m, n].
Expr aligned_mask(const Call& call, const Expr& mask, const Heads& heads, const Expr& scores) {
  Shape shape = scores.shape();
  const auto at = static_cast<std::ptrdiff_t>(shape.size()) - 3;
  if (heads.group > 1) {
    shape[static_cast<std::size_t>(at) - 1] = shape[static_cast<std::size_t>(at) - 1] * heads.group;
    shape.erase(shape.begin() + at);
  }
  if (mask.rank() > shape.size() ||
      (mask.dtype() != DType::Bool && mask.dtype() != scores.dtype())) {
    call.fail("the mask must be bool or {} and broadcast to {}; given {}", to_string(call.dtype()),
              to_string(shape), to_string(call.given(3)));
  }
  if (heads.group == 1 || mask.rank() < 3) return mask;
  if (mask.extent(static_cast<std::int64_t>(mask.rank()) - 3) != Dim(1)) {
    return split_heads(mask, heads);
  }
  return unsqueeze(mask, static_cast<std::int64_t>(mask.rank()) - 3);
}

/// -slope |place of the row - key|; O. Press et al., Train Short, Test Long (2021).
Expr linear_bias(const Call& call, const Expr& slopes, const Heads& heads, const Places& places,
                 const Expr& scores) {
  if (slopes.dtype() != scores.dtype() || slopes.rank() == 0 ||
      slopes.rank() > heads.batch.size() + 1 || slopes.shape().back() != heads.count) {
    call.fail("slopes must be {}[..., {}]; given {}", to_string(scores.dtype()),
              to_string(heads.count), to_string(slopes.type()));
  }
  Shape shape = slopes.shape();
  if (heads.group > 1) {
    shape.back() = floor_div(shape.back(), heads.group);
    shape.emplace_back(heads.group);
  }
  shape.insert(shape.end(), 2, Dim(1));
  const Expr distance = cast(abs(places.beside - places.key), scores.dtype());
  return -reshape(slopes, shape) * distance;
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
  const Extras extras = extras_of(call);
  const Places places = places_of(call, heads, extras);
  std::optional<Expr> visible = visible_by_place(call, places);
  for (const auto& given : {extras.mask, extras.bias}) {
    if (!given) continue;
    const Expr mask = aligned_mask(call, *given, heads, scores);
    const bool is_bool = mask.dtype() == DType::Bool;
    if (!is_bool) scores = scores + mask;
    const Expr open = is_bool ? mask : not_equal(mask, -kInfinity);
    visible = visible ? *visible & open : open;
  }
  if (extras.slopes) {
    scores = scores + linear_bias(call, *extras.slopes, heads, places, scores);
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
  return {join_heads(result, heads, 2),
          join_heads(reshape(lse, lse_shape), heads, 1).as_f32_result()};
}

}  // namespace sinter::ir
