// Padding is a node of its own, so that a window without it is a mere view.
#include "ir/define/window.h"

#include <algorithm>

namespace sinter::ir {

namespace {

Integers list_of(const Call& call, AttributeName name, const Integers& fallback) {
  Integers list = call.attributes().get_or<Integers>(name, fallback);
  if (list.size() != fallback.size()) {
    call.fail("{} has {} numbers; {} are needed, one a dimension of the window", to_string(name),
              list.size(), fallback.size());
  }
  return list;
}

void check_positive(const Call& call, AttributeName name, const Integers& list) {
  for (const std::int64_t number : list) {
    if (number < 1) call.fail("{} {} is below 1", to_string(name), number);
  }
}

bool has_padding(const Windows& windows) {
  const auto is_zero = [](std::int64_t number) { return number == 0; };
  return windows.rounds_up || !std::all_of(windows.low.begin(), windows.low.end(), is_zero) ||
         !std::all_of(windows.high.begin(), windows.high.end(), is_zero);
}

}  // namespace

Windows windows_of(const Call& call, Integers axes, Integers window, std::int64_t default_step) {
  Windows windows;
  const Integers zeros(axes.size(), 0);
  const Integers ones(axes.size(), 1);
  if (window.size() != axes.size()) {
    call.fail("window has {} numbers; {} are needed, one a dimension of the window", window.size(),
              axes.size());
  }
  check_positive(call, AttributeName::Window, window);
  windows.axes = std::move(axes);
  windows.window = std::move(window);
  windows.step = list_of(call, AttributeName::Step,
                         default_step == 0 ? windows.window : Integers(ones.size(), default_step));
  windows.dilation = list_of(call, AttributeName::Dilation, ones);
  windows.low = list_of(call, AttributeName::PadLow, zeros);
  windows.high = list_of(call, AttributeName::PadHigh, zeros);
  windows.rounds_up = call.flag(AttributeName::CeilMode);
  check_positive(call, AttributeName::Step, windows.step);
  check_positive(call, AttributeName::Dilation, windows.dilation);
  return windows;
}

Dim window_places(const Windows& windows, std::size_t d, const Dim& extent) {
  const std::int64_t step = windows.step[d];
  const Dim rest = extent + windows.low[d] + windows.high[d] - windows.span(d);
  if (!windows.rounds_up) return floor_div(rest, step) + 1;
  const Dim begun = floor_div(extent + windows.low[d] - 1, step) + 1;
  return min(floor_div(rest + step - 1, step) + 1, begun);
}

Expr unfold(const Expr& a, const Windows& windows) {
  return make_node(Op::Unfold, {a},
                   {{AttributeName::Axes, windows.axes},
                    {AttributeName::Step, windows.step},
                    {AttributeName::Window, windows.window},
                    {AttributeName::Dilation, windows.dilation}});
}

Expr unfold_padded(const Expr& a, const Windows& windows, const Literal& outside) {
  if (!has_padding(windows)) return unfold(a, windows);
  Shape begin(a.rank(), Dim(0));
  Shape shape = a.shape();
  for (std::size_t d = 0; d < windows.size(); ++d) {
    const auto axis = static_cast<std::size_t>(windows.axes[d]);
    begin[axis] = windows.low[d];
    shape[axis] =
        windows.rounds_up
            ? (window_places(windows, d, shape[axis]) - 1) * windows.step[d] + windows.span(d)
            : shape[axis] + windows.low[d] + windows.high[d];
  }
  return unfold(make_node(Op::Pad, {a},
                          {{AttributeName::Begin, begin},
                           {AttributeName::Shape, shape},
                           {AttributeName::Outside, outside}}),
                windows);
}

Expr spread(const Expr& a, std::int64_t axis, std::int64_t step) {
  if (step == 1) return a;
  const Expr column = unsqueeze(a, axis + 1);
  Shape shape = column.shape();
  shape[static_cast<std::size_t>(axis) + 1] = step;
  const Expr padded = pad(column, Shape(shape.size(), Dim(0)), shape, 0);
  shape = a.shape();
  shape[static_cast<std::size_t>(axis)] = a.extent(axis) * step;
  return reshape(padded, shape);
}

Expr index_along(const Expr& like, std::int64_t axis, const Dim& extent, std::size_t rank) {
  Shape shape(rank, Dim(1));
  shape.at(static_cast<std::size_t>(axis)) = extent;
  return iota(like, shape, axis);
}

Expr take(const Expr& a, std::int64_t axis, const Expr& index) {
  const std::size_t rank = a.rank() + index.rank() - 1;
  const auto at = static_cast<std::size_t>(axis);
  Exprs indices;
  for (std::size_t d = 0; d < a.rank(); ++d) {
    if (d == at) {
      Shape shape(rank, Dim(1));
      std::copy(index.shape().begin(), index.shape().end(), shape.begin() + axis);
      indices.push_back(reshape(index, shape));
      continue;
    }
    const std::size_t place = d < at ? d : d + index.rank() - 1;
    indices.push_back(index_along(a, static_cast<std::int64_t>(place),
                                  a.extent(static_cast<std::int64_t>(d)), rank));
  }
  return gather(a, indices);
}

Shape target_extents(const Call& call, const Integers& axes) {
  const auto& shape = call.attributes().get<Shape>(AttributeName::Shape);
  if (shape.size() != axes.size()) {
    call.fail("shape {} has {} extents; {} are needed, one for each of axes", to_string(shape),
              shape.size(), axes.size());
  }
  for (const Dim& extent : shape) {
    if (extent.is_constant() && extent.constant() < 1) {
      call.fail("shape {} has an extent below 1", to_string(shape));
    }
  }
  return shape;
}

}  // namespace sinter::ir
