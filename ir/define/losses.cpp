// Losses: elementwise or along an axis, then reduced as attribute variant says.
#include "ir/define/window.h"

namespace sinter::ir {

namespace {

Integers all_axes(const Expr& a) {
  Integers axes;
  for (std::size_t d = 0; d < a.rank(); ++d) axes.push_back(static_cast<std::int64_t>(d));
  return axes;
}

enum class Reduction { None, Mean, Sum };

Reduction reduction_of(const Call& call) {
  const auto variant = call.attributes().get_or<std::string>(AttributeName::Variant, "mean");
  if (variant == "none") return Reduction::None;
  if (variant == "mean") return Reduction::Mean;
  if (variant == "sum") return Reduction::Sum;
  call.fail("variant '{}' is none of none, mean, sum", variant);
}

/// The operands of a loss are equals: of several dtypes it is f32.
Exprs result_of(const Call& call, const Expr& loss) {
  return {call.has_mixed_floats() ? loss.as_f32_result() : loss};
}

Exprs finish(const Call& call, const Expr& loss) {
  const Reduction reduction = reduction_of(call);
  if (reduction == Reduction::None) return result_of(call, loss);
  const Integers axes = all_axes(loss);
  const Expr total = sum(loss, axes);
  if (reduction == Reduction::Sum) return result_of(call, total);
  return result_of(call, total / size(total, element_count(loss, axes), total.dtype()));
}

/// Both operands broadcast to one shape first, so that a mean counts what is added.
void check_same_dtype(const Call& call) { call.need_one_dtype(); }

double positive(const Call& call, AttributeName name, double fallback) {
  const double value = call.real(name, fallback);
  if (!(value > 0)) call.fail("{} {} is not above 0", to_string(name), value);
  return value;
}

Expr norm(const Expr& a, std::int64_t axis) {
  return make_node(Op::Norm, {a}, {{AttributeName::Axes, Integers{axis}}});
}

/// Elements of `a` at the classes of `labels`, whose shape is that of `a` without the axis.
Expr pick(const Expr& a, std::int64_t axis, const Expr& labels) {
  Exprs indices;
  std::int64_t place = 0;
  for (std::size_t d = 0; d < a.rank(); ++d) {
    const auto at = static_cast<std::int64_t>(d);
    indices.push_back(at == axis ? labels : index_along(a, place, a.extent(at), labels.rank()));
    if (at != axis) ++place;
  }
  return gather(a, indices);
}

void check_labels(const Call& call, std::int64_t axis) {
  Shape shape = call[0].shape();
  shape.erase(shape.begin() + axis);
  if (is_integer(call[1].dtype()) && call[1].shape() == shape) return;
  call.fail("labels must be integers of shape {}; given {}", to_string(shape),
            to_string(call.given(1)));
}

/// Losses of labels that count; ignored ones add neither to the sum nor to the number.
Exprs finish_labels(const Call& call, const Expr& loss) {
  const Expr& labels = call[1];
  const auto ignore = call.attributes().get_or<std::int64_t>(AttributeName::Ignore, -100);
  const Expr counts = not_equal(cast(labels, DType::I64), static_cast<double>(ignore));
  const Expr kept = select(counts, loss, 0);
  const Reduction reduction = reduction_of(call);
  if (reduction == Reduction::None) return {kept};
  const Integers axes = all_axes(kept);
  const Expr total = sum(kept, axes);
  if (reduction == Reduction::Sum) return {total};
  return {total / sum(cast(counts, loss.dtype()), axes)};
}

}  // namespace

template <>
Exprs define<Op::MseLoss>(const Call& call) {
  check_same_dtype(call);
  const Expr difference = call[0] - call[1];
  return finish(call, difference * difference);
}

template <>
Exprs define<Op::L1Loss>(const Call& call) {
  check_same_dtype(call);
  return finish(call, abs(call[0] - call[1]));
}

/// P. Huber, Robust Estimation of a Location Parameter (1964).
template <>
Exprs define<Op::HuberLoss>(const Call& call) {
  check_same_dtype(call);
  const double delta = positive(call, AttributeName::Alpha, 1);
  const Expr size = abs(call[0] - call[1]);
  return finish(call, select(size <= delta, size * size * 0.5, (size - delta / 2) * delta));
}

template <>
Exprs define<Op::SmoothL1Loss>(const Call& call) {
  check_same_dtype(call);
  const double beta = positive(call, AttributeName::Alpha, 1);
  const Expr size = abs(call[0] - call[1]);
  return finish(call, select(size < beta, size * size * (0.5 / beta), size - beta / 2));
}

template <>
Exprs define<Op::BceLoss>(const Call& call) {
  check_same_dtype(call);
  const Expr& a = call[0];
  const Expr& b = call[1];
  const Expr yes = maximum(log(a), -100);
  const Expr no = maximum(log(1 - a), -100);
  return finish(call, -(b * yes + (1 - b) * no));
}

/// By exp(-|a|), which never overflows.
template <>
Exprs define<Op::BceWithLogits>(const Call& call) {
  check_same_dtype(call);
  const Expr& a = call[0];
  return finish(call, maximum(a, 0) - a * call[1] + make_node(Op::Log1p, {exp(-abs(a))}));
}

template <>
Exprs define<Op::KlDiv>(const Call& call) {
  check_same_dtype(call);
  const Expr& b = call[1];
  const Expr is_zero = equal(b, 0);
  const Expr logarithm = log(select(is_zero, 1, b));
  return finish(call, select(is_zero, 0, b * (logarithm - call[0])));
}

template <>
Exprs define<Op::NllLoss>(const Call& call) {
  const std::int64_t axis = call.axis();
  check_labels(call, axis);
  return finish_labels(call, -pick(call[0], axis, call[1]));
}

/// Smoothing: C. Szegedy et al., Rethinking the Inception Architecture (2015).
template <>
Exprs define<Op::CrossEntropy>(const Call& call) {
  const std::int64_t axis = call.axis();
  const double smoothing = call.real(AttributeName::Smoothing, 0);
  if (!(smoothing >= 0 && smoothing <= 1)) call.fail("smoothing {} is not in [0, 1]", smoothing);
  const Expr logs = make_node(Op::LogSoftmax, {call[0]}, {{AttributeName::Axis, axis}});
  const Expr classes = size(logs, call[0].extent(axis), logs.dtype());
  if (!is_integer(call[1].dtype())) {
    check_same_dtype(call);
    if (call[1].shape() != call[0].shape()) {
      call.fail("probabilities must be {}; given {}", to_string(call.given(0)),
                to_string(call.given(1)));
    }
    Expr share = call[1];
    if (smoothing > 0) share = share * (1 - smoothing) + smoothing / classes;
    return finish(call, -sum(share * logs, {axis}));
  }
  check_labels(call, axis);
  Expr loss = -pick(logs, axis, call[1]);
  if (smoothing > 0) {
    loss = loss * (1 - smoothing) - sum(logs, {axis}) * (smoothing / classes);
  }
  return finish_labels(call, loss);
}

template <>
Exprs define<Op::HingeLoss>(const Call& call) {
  check_same_dtype(call);
  return finish(call, maximum(call.real(AttributeName::Alpha, 1) - call[0] * call[1], 0));
}

template <>
Exprs define<Op::CosineSimilarity>(const Call& call) {
  check_same_dtype(call);
  const std::int64_t axis = call.axis();
  const double epsilon = call.real(AttributeName::Epsilon, 1e-8);
  const Expr& a = call[0];
  const Expr& b = call[1];
  if (a.shape() != b.shape()) {
    call.fail("the operands need one shape; given {} and {}", to_string(call.given(0)),
              to_string(call.given(1)));
  }
  const Expr lengths = maximum(norm(a, axis), epsilon) * maximum(norm(b, axis), epsilon);
  return result_of(call, sum(a * b, {axis}) / lengths);
}

template <>
Exprs define<Op::TripletLoss>(const Call& call) {
  check_same_dtype(call);
  const std::int64_t axis = call.axis();
  for (const std::size_t i : {1, 2}) {
    if (call[i].shape() == call[0].shape()) continue;
    call.fail("the operands need one shape; given {} and {}", to_string(call.given(0)),
              to_string(call.given(i)));
  }
  const Expr near = norm(call[0] - call[1], axis);
  const Expr far = norm(call[0] - call[2], axis);
  return finish(call, maximum(near - far + call.real(AttributeName::Alpha, 1), 0));
}

}  // namespace sinter::ir
