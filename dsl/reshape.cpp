// Views that keep the order of elements: other shapes, and copies by broadcasting.
#include <algorithm>

#include "dsl/trace.h"
#include "ir/index_expr.h"
#include "sinter/movement.h"
#include "support/check.h"

namespace sinter {

namespace {

using dsl::operand_at;
using dsl::shape_of;
using dsl::to_value;
using ir::AttributeName;
using ir::Op;

bool is_open(const ir::Dim& dim) { return dim == ir::Dim(-1); }

Tensor with_shape(const Operand& a, Op op, const char* function, ir::Shape shape) {
  const Tensor& tensor = dsl::require_tensor(a, function);
  return dsl::add_node(tensor.trace(), op, {to_value(tensor)},
                       {{AttributeName::Shape, std::move(shape)}}, a.location());
}

ir::Dim product(const ir::Shape& shape) {
  ir::Dim result = 1;
  for (const ir::Dim& dim : shape) result = result * dim;
  return result;
}

/// total / divisor where the divisor is one product that each term of the total holds. A size of 0
/// stands in both numbers of elements, so that it may be taken out.
std::optional<ir::Dim> divide_exactly(const ir::Dim& total, const ir::Dim& divisor) {
  if (divisor.terms().size() != 1) return std::nullopt;
  const ir::Term& by = divisor.terms()[0];
  std::vector<ir::Term> quotient;
  for (ir::Term term : total.terms()) {
    if (term.coefficient % by.coefficient != 0) return std::nullopt;
    term.coefficient /= by.coefficient;
    for (const ir::Atom& factor : by.factors) {
      const auto found = std::find(term.factors.begin(), term.factors.end(), factor);
      if (found == term.factors.end()) return std::nullopt;
      term.factors.erase(found);
    }
    quotient.push_back(std::move(term));
  }
  return ir::Dim::from_terms(std::move(quotient));
}

/// The extent that stands for -1 in `shape`, for as many elements as `from` has; nullopt where none
/// does, or any.
std::optional<ir::Dim> inferred_extent(ir::Shape from, const ir::Shape& shape) {
  ir::Shape others;
  for (const ir::Dim& dim : shape) {
    const auto same = std::find(from.begin(), from.end(), dim);
    if (same != from.end()) {
      from.erase(same);
    } else if (!is_open(dim)) {
      others.push_back(dim);
    }
  }
  const ir::Dim total = product(from);
  const ir::Dim rest = product(others);
  if (rest == ir::Dim(0)) return std::nullopt;
  if (const auto quotient = divide_exactly(total, rest)) return quotient;
  if (total.is_constant() && rest.is_constant()) return std::nullopt;
  return ir::floor_div(total, rest);
}

}  // namespace

Tensor reshape(const Operand& a, const std::vector<Dim>& shape) {
  const ir::Shape& from = shape_of(dsl::require_tensor(a, "reshape"));
  ir::Shape target = dsl::to_shape(shape);
  const auto count = std::count_if(target.begin(), target.end(), is_open);
  if (count > 1) {
    support::throw_user_at(a.location(), "reshape to {}; one extent may be -1", to_string(target));
  }
  if (count == 1) {
    const auto extent = inferred_extent(from, target);
    if (!extent) {
      support::throw_user_at(a.location(), "reshape of {} to {}: no one extent fits in place of -1",
                             to_string(from), to_string(target));
    }
    *std::find_if(target.begin(), target.end(), is_open) = *extent;
  }
  return with_shape(a, Op::Reshape, "reshape", std::move(target));
}

Tensor flatten(const Operand& a, int begin, int end) {
  const Tensor& tensor = dsl::require_tensor(a, "flatten");
  ir::Shape shape = shape_of(tensor);
  if (shape.empty()) return with_shape(a, Op::Reshape, "flatten", {1});
  const std::int64_t first = dsl::normalize_axis(begin, tensor.rank(), a.location());
  const std::int64_t last = dsl::normalize_axis(end, tensor.rank(), a.location());
  if (first > last) {
    support::throw_user_at(a.location(), "flatten of dimensions {} to {}, which is before it",
                           first, last);
  }
  const auto from = shape.begin() + first;
  const auto to = shape.begin() + last + 1;
  const ir::Dim merged = product({from, to});
  *from = merged;
  shape.erase(from + 1, to);
  return with_shape(a, Op::Reshape, "flatten", std::move(shape));
}

Tensor squeeze(const Operand& a, const std::vector<int>& axes) {
  const Tensor& tensor = dsl::require_tensor(a, "squeeze");
  const ir::Shape& shape = shape_of(tensor);
  std::vector<bool> is_removed(shape.size());
  for (const int axis : axes) {
    const auto d = static_cast<std::size_t>(dsl::normalize_axis(axis, tensor.rank(), a.location()));
    is_removed[d] = true;
    if (shape[d] == ir::Dim(1)) continue;
    support::throw_user_at(a.location(), "squeeze of dimension {} of {}, which is {}; 1 is needed",
                           d, to_string(shape), to_string(shape[d]));
  }
  ir::Shape kept;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const bool goes = axes.empty() ? shape[d] == ir::Dim(1) : is_removed[d];
    if (!goes) kept.push_back(shape[d]);
  }
  return with_shape(a, Op::Reshape, "squeeze", std::move(kept));
}

Tensor expand(const Operand& a, const std::vector<Dim>& shape) {
  const ir::Shape& from = shape_of(dsl::require_tensor(a, "expand"));
  ir::Shape target = dsl::to_shape(shape);
  for (std::size_t back = 1; back <= target.size(); ++back) {
    ir::Dim& dim = target[target.size() - back];
    if (!is_open(dim)) continue;
    if (back > from.size()) {
      support::throw_user_at(a.location(), "expand of {} to {}: a new dimension cannot be -1",
                             to_string(from), to_string(dsl::to_shape(shape)));
    }
    dim = from[from.size() - back];
  }
  return with_shape(a, Op::Broadcast, "expand", std::move(target));
}

Tensor repeat_interleave(const Operand& a, const Dim& count, int axis) {
  const Tensor& tensor = dsl::require_tensor(a, "repeat_interleave");
  const ir::Shape shape = shape_of(tensor);
  const std::int64_t d = dsl::normalize_axis(axis, tensor.rank(), a.location());
  ir::Shape apart = shape;
  apart.insert(apart.begin() + d + 1, ir::Dim(1));
  ir::Shape copied = apart;
  copied[static_cast<std::size_t>(d) + 1] = count.expr();
  ir::Shape merged = shape;
  merged[static_cast<std::size_t>(d)] = merged[static_cast<std::size_t>(d)] * count.expr();
  const Tensor column = with_shape(a, Op::Reshape, "repeat_interleave", std::move(apart));
  const Tensor copies = with_shape(operand_at(column, a.location()), Op::Broadcast,
                                   "repeat_interleave", std::move(copied));
  return with_shape(operand_at(copies, a.location()), Op::Reshape, "repeat_interleave",
                    std::move(merged));
}

Tensor tile(const Operand& a, const std::vector<Dim>& repeats) {
  ir::Shape shape = shape_of(dsl::require_tensor(a, "tile"));
  ir::Shape counts = dsl::to_shape(repeats);
  const std::size_t rank = std::max(shape.size(), counts.size());
  shape.insert(shape.begin(), rank - shape.size(), ir::Dim(1));
  counts.insert(counts.begin(), rank - counts.size(), ir::Dim(1));
  ir::Shape apart;
  ir::Shape copied;
  ir::Shape merged;
  for (std::size_t d = 0; d < rank; ++d) {
    if (counts[d] != ir::Dim(1)) {
      apart.emplace_back(1);
      copied.push_back(counts[d]);
    }
    apart.push_back(shape[d]);
    copied.push_back(shape[d]);
    merged.push_back(counts[d] * shape[d]);
  }
  const Tensor columns = with_shape(a, Op::Reshape, "tile", std::move(apart));
  const Tensor copies =
      with_shape(operand_at(columns, a.location()), Op::Broadcast, "tile", std::move(copied));
  return with_shape(operand_at(copies, a.location()), Op::Reshape, "tile", std::move(merged));
}

}  // namespace sinter
