// Reductions and scans.
#include "ir/differentiate/folds.h"

#include "ir/define/exponentials.h"
#include "ir/differentiate/reverse.h"
#include "support/special_values.h"

namespace sinter::ir {

namespace {

using support::kInfinity;

Integers axes_of(const Reverse& r) { return r.attributes().get<Integers>(AttributeName::Axes); }

/// Over the axes that were reduced.
Expr spread_over(const Expr& g, const Expr& like, const Integers& axes) {
  return broadcast_to(keep_axes(g, like, axes), like.shape());
}

Expr scan(const Exprs& operands, std::size_t result, std::int64_t axis, Reducer reducer,
          bool exclusive, bool reverse) {
  Attributes attributes{{AttributeName::Axis, axis}, {AttributeName::Reducer, std::move(reducer)}};
  if (exclusive) attributes.set(AttributeName::Exclusive, true);
  if (reverse) attributes.set(AttributeName::Reverse, true);
  return make_nodes(Op::Scan, operands, std::move(attributes)).at(result);
}

/// Composes the maps s -> factor * s + total.
Reducer linear_reducer(DType dtype) {
  auto function = std::make_shared<Graph>("linear");
  const auto parameter = [&](const char* name) {
    return Expr(*function, function->add_parameter(name, {dtype, {}}), {});
  };
  const Expr factor = parameter("factor");
  const Expr total = parameter("total");
  const Expr next_factor = parameter("next_factor");
  const Expr next = parameter("next");
  function->set_outputs({(factor * next_factor).value(), (total * next_factor + next).value()});
  return {Op::None, function, {make_literal(dtype, 1), make_literal(dtype, 0)}};
}

/// s[i] = b[i'] + a[i'] * s[i'] for the i' before i (after it with `reverse`), 0 at the first: the second
/// result of composing the maps s -> a * s + b.
Expr scan_linear(const Expr& a, const Expr& b, std::int64_t axis, bool reverse) {
  return scan({a, b}, 1, axis, linear_reducer(a.dtype()), true, reverse);
}

struct ScanForm {
  std::int64_t axis;
  bool exclusive;
  bool reverse;

  static ScanForm of(const Reverse& r) {
    return {r.attributes().get<std::int64_t>(AttributeName::Axis),
            r.attributes().get_or<bool>(AttributeName::Exclusive, false),
            r.attributes().get_or<bool>(AttributeName::Reverse, false)};
  }
  Expr run(Op op, const Expr& a, bool is_exclusive) const {
    return scan({a}, 0, axis, {op, {}, {}}, is_exclusive, reverse);
  }
  /// What later elements hand back: result i is a linear function of result i - 1 with slope `slope`.
  Expr later(const Expr& slope, const Expr& g) const {
    if (exclusive) return scan_linear(slope, g, axis, !reverse);
    return g + scan_linear(slope, slope * g, axis, !reverse);
  }
};

/// Of a running extreme: to the first element that reached it.
Expr scan_extreme(const Reverse& r, Op op, const ScanForm& form) {
  const Expr is_new = not_equal(form.run(op, r[0], false), form.run(op, r[0], true));
  const Expr stays = select(is_new, number(r[0], 0), 1);
  return select(is_new, form.later(broadcast_to(stays, r.shape(0)), r.gradient()), 0);
}

/// Of scan_linear, whose transpose with respect to b runs the other way; so that what has one in its gradient
/// is differentiated again.
void scan_linear_rule(Reverse& r, const ScanForm& form) {
  const auto back = [&] { return scan_linear(r[0], r.gradient(1), form.axis, !form.reverse); };
  r.add(1, back);
  r.add(0, [&] {
    const Expr by_total = back() * r.result(1);
    if (!r.has_gradient(0)) return by_total;
    return by_total + form.run(Op::Mul, r[0], true) * form.later(r[0], r.gradient(0));
  });
}

/// e^(part - whole); equal infinities have no difference.
Expr exponential_share(const Expr& part, const Expr& whole) {
  const Expr is_same = equal(part, whole) & equal(abs(part), kInfinity);
  return exp(select(is_same, 0, part - whole));
}

/// Of a scan with exponential_reducer, by its sums; the largest elements only scale them. Each element and
/// each sum counts as a share of the sum that it goes into, at most 1 whatever their sizes. What is -inf has
/// no share, also of a sum of nothing else.
void scan_exponentials_rule(Reverse& r, const ScanForm& form) {
  r.add(0, [&] {
    const Expr a = r[0];
    const Expr own = stop_gradient(r.result(0));
    const Expr other = stop_gradient(form.run(Op::Maximum, a, !form.exclusive));
    const Expr& before = form.exclusive ? own : other;
    const Expr& until = form.exclusive ? other : own;
    const Expr later = form.later(exponential_share(before, until), r.gradient(1));
    return select(equal(a, -kInfinity), 0, exponential_share(a, until) * later);
  });
}

void sum_rule(Reverse& r) {
  r.add(0, [&] {
    const Expr a = r[0];
    return spread_over(cast(r.gradient(), a.dtype()), a, axes_of(r));
  });
}

void extreme_rule(Reverse& r, Op op) {
  r.add(0, [&] { return share_extreme(r.gradient(), r[0], op, axes_of(r)); });
}

/// For each element the product of all others: those before it times those after it.
void prod_rule(Reverse& r) {
  r.add(0, [&] {
    const Expr a = r[0];
    const Integers axes = axes_of(r);
    std::vector<bool> is_reduced(a.rank());
    for (const std::int64_t axis : axes) is_reduced[static_cast<std::size_t>(axis)] = true;
    Integers order;
    Integers inverse(a.rank());
    Shape lines;
    for (const bool reduced : {false, true}) {
      for (std::size_t d = 0; d < a.rank(); ++d) {
        if (is_reduced[d] != reduced) continue;
        inverse[d] = static_cast<std::int64_t>(order.size());
        order.push_back(static_cast<std::int64_t>(d));
        if (!reduced) lines.push_back(a.shape()[d]);
      }
    }
    lines.push_back(element_count(a, axes));
    const auto last = static_cast<std::int64_t>(lines.size()) - 1;
    const Expr sorted = permute(a, order);
    const Expr line = reshape(sorted, lines);
    const Reducer product{Op::Mul, {}, {}};
    const Expr others =
        scan({line}, 0, last, product, true, false) * scan({line}, 0, last, product, true, true);
    return permute(reshape(others, sorted.shape()), inverse) * keep_axes(r.gradient(), a, axes);
  });
}

[[noreturn]] void refuse_reducer(const Reverse& r, const Reducer& reducer) {
  const std::string by = reducer.function ? "a function" : std::string(to_string(reducer.op));
  const std::string logarithmic = r.op() == Op::Scan ? "logcumsumexp" : "logsumexp";
  r.refuse(std::string(to_string(r.op())) + " with " + by,
           "fold with add, mul, minimum or maximum, or write it by " + logarithmic);
}

}  // namespace

Expr share_extreme(const Expr& g, const Expr& a, Op op, const Integers& axes) {
  // Computed anew, as the result may have been rounded; it is one value with it where it was not.
  const Expr is_it = equal(a, reduce(op, a, axes, Keep::Yes));
  const Expr count = sum(cast(is_it, a.dtype()), axes, Keep::Yes);
  return select(is_it, keep_axes(g, a, axes) / count, 0);
}

template <>
void derivative<Op::Sum>(Reverse& r) {
  sum_rule(r);
}

template <>
void derivative<Op::Prod>(Reverse& r) {
  prod_rule(r);
}

template <>
void derivative<Op::Max>(Reverse& r) {
  extreme_rule(r, Op::Max);
}

template <>
void derivative<Op::Min>(Reverse& r) {
  extreme_rule(r, Op::Min);
}

template <>
void derivative<Op::Reduce>(Reverse& r) {
  const auto reducer = r.attributes().get<Reducer>(AttributeName::Reducer);
  if (reducer.op == Op::Add) return sum_rule(r);
  if (reducer.op == Op::Mul) return prod_rule(r);
  if (reducer.op == Op::Maximum) return extreme_rule(r, Op::Max);
  if (reducer.op == Op::Minimum) return extreme_rule(r, Op::Min);
  refuse_reducer(r, reducer);
}

template <>
void derivative<Op::Scan>(Reverse& r) {
  const auto reducer = r.attributes().get<Reducer>(AttributeName::Reducer);
  const ScanForm form = ScanForm::of(r);
  if (reducer.op == Op::Add) {
    return r.add(0, [&] {
      return scan({r.gradient()}, 0, form.axis, {Op::Add, {}, {}}, form.exclusive, !form.reverse);
    });
  }
  if (reducer.op == Op::Mul) {
    return r.add(0, [&] { return form.run(Op::Mul, r[0], true) * form.later(r[0], r.gradient()); });
  }
  if (reducer.op == Op::Maximum || reducer.op == Op::Minimum) {
    return r.add(0, [&] { return scan_extreme(r, reducer.op, form); });
  }
  if (r.size() == 2) {
    const DType dtype = reducer.identity.at(0).dtype;
    if (form.exclusive && reducer == linear_reducer(dtype)) return scan_linear_rule(r, form);
    const bool is_known = !r.has_gradient(0) && !r.needs(1);
    if (is_known && reducer == exponential_reducer(dtype)) return scan_exponentials_rule(r, form);
  }
  refuse_reducer(r, reducer);
}

}  // namespace sinter::ir
