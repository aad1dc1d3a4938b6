// Transposes of operators that read elements: each element of the result sums what was read from it.
#include <algorithm>

#include "ir/define/composite.h"
#include "ir/define/indices.h"

namespace sinter::ir {

namespace {

/// The dimension along which an index tensor counts 0, 1, 2, ...; nullopt where it is not known to.
std::optional<std::size_t> counted_axis(const Graph& graph, Value index) {
  const Node& node = graph.node(index);
  if (node.op == Op::Iota) {
    return static_cast<std::size_t>(node.attributes.get<std::int64_t>(AttributeName::Axis));
  }
  if (node.operands.size() != 1) return std::nullopt;
  const Type& from = graph.type(node.operands[0]);
  const Shape& to = node.results[0].shape;
  const bool is_cast = node.op == Op::Cast && is_integer(from.dtype) &&
                       is_lossless_cast(from.dtype, node.results[0].dtype);
  if (!is_cast && node.op != Op::Broadcast && node.op != Op::Reshape) return std::nullopt;
  const auto axis = counted_axis(graph, node.operands[0]);
  if (!axis || is_cast) return axis;
  if (node.op == Op::Broadcast) {
    const std::size_t place = *axis + to.size() - from.shape.size();
    return from.shape[*axis] == to[place] ? std::optional(place) : std::nullopt;
  }
  // A reshape that only adds or removes dimensions of extent 1.
  const auto without_ones = [](Shape shape) {
    std::erase(shape, Dim(1));
    return shape;
  };
  if (from.shape[*axis] == Dim(1) || without_ones(from.shape) != without_ones(to)) {
    return std::nullopt;
  }
  const auto is_kept = [](const Dim& dim) { return dim != Dim(1); };
  auto before = std::count_if(from.shape.begin(),
                              from.shape.begin() + static_cast<std::ptrdiff_t>(*axis), is_kept);
  for (std::size_t d = 0; d < to.size(); ++d) {
    if (is_kept(to[d]) && before-- == 0) return d;
  }
  return std::nullopt;
}

/// How the places of a gather and the dimensions of what it reads go together.
struct Scattering {
  Shape shape;                                    // of the result
  std::vector<std::optional<std::size_t>> place;  // of each dimension that is counted along
  Integers summed;                                // places of no dimension

  bool is_free(std::size_t d) const { return !place[d]; }

  /// Operands of the gather's shape as [shape..., summed...], free dimensions having extent 1.
  Expr align(const Expr& a, double outside) const {
    Integers order;
    Shape aligned;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      aligned.push_back(is_free(d) ? Dim(1) : a.shape()[*place[d]]);
      if (!is_free(d)) order.push_back(static_cast<std::int64_t>(*place[d]));
    }
    for (const std::int64_t p : summed) {
      order.push_back(p);
      aligned.push_back(a.extent(p));
    }
    const Expr sorted = reshape(permute(a, order), aligned);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (!is_free(d)) aligned[d] = shape[d];
    }
    if (sorted.shape() == aligned) return sorted;
    return pad(sorted, Shape(aligned.size(), Dim(0)), aligned, outside);
  }
};

Scattering scattering_of(const Call& call) {
  Scattering s{call.attributes().get<Shape>(AttributeName::Shape), {}, {}};
  if (s.shape.empty() || call.size() != s.shape.size() + 1) {
    call.fail("one index tensor for each dimension of {}, and at least one, is needed; given {}",
              to_string(s.shape), call.size() - 1);
  }
  std::vector<bool> is_taken(call[0].rank());
  for (std::size_t i = 1; i < call.size(); ++i) {
    call.need_integers(i);
    if (call[i].shape() != call[0].shape()) {
      call.fail("indices of shape {} are needed; given {}", to_string(call[0].shape()),
                to_string(call[i].type()));
    }
    auto axis = counted_axis(call[i].graph(), call[i].value());
    if (axis && is_taken[*axis]) axis.reset();
    if (axis) is_taken[*axis] = true;
    s.place.push_back(axis);
  }
  for (std::size_t p = 0; p < is_taken.size(); ++p) {
    if (!is_taken[p]) s.summed.push_back(static_cast<std::int64_t>(p));
  }
  return s;
}

/// Attributes of unfold, and what it is to be undone to.
struct Folding {
  Shape shape;
  Integers axes;
  Integers step;
  Integers window;
  Integers dilation;
};

Folding folding_of(const Call& call) {
  const auto list = [&](AttributeName name) { return call.attributes().get<Integers>(name); };
  Folding f{call.attributes().get<Shape>(AttributeName::Shape), list(AttributeName::Axes),
            list(AttributeName::Step), list(AttributeName::Window), list(AttributeName::Dilation)};
  std::vector<Type> unfolded =
      infer_types(Op::Unfold, std::vector<Type>{Type{call[0].dtype(), f.shape}},
                  {{AttributeName::Axes, f.axes},
                   {AttributeName::Step, f.step},
                   {AttributeName::Window, f.window},
                   {AttributeName::Dilation, f.dilation}},
                  call.location());
  const Shape& needed = unfolded[0].shape;
  bool fits = call[0].rank() == needed.size();
  for (std::size_t d = 0; fits && d < needed.size(); ++d) {
    fits = !is_provably_different(call[0].shape()[d], needed[d]);
  }
  if (!fits) {
    call.fail("an operand of shape {} is needed; given {}", to_string(needed),
              to_string(call[0].type()));
  }
  return f;
}

}  // namespace

template <>
Exprs define<Op::StopGradient>(const Call& call) {
  return {call[0]};
}

/// Element j stands at place (j - w * dilation) / step of the windows' element w, if that is whole; a
/// remainder moves the index below 0, where nothing is read.
template <>
Exprs define<Op::FoldWindows>(const Call& call) {
  const Folding f = folding_of(call);
  const Expr& a = call[0];
  const std::size_t rank = f.shape.size();
  Shape shape = f.shape;
  for (const std::int64_t extent : f.window) shape.emplace_back(extent);
  Exprs indices;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    indices.push_back(iota(a, shape, static_cast<std::int64_t>(d)));
  }
  Integers window_axes;
  for (std::size_t k = 0; k < f.axes.size(); ++k) {
    window_axes.push_back(static_cast<std::int64_t>(rank + k));
    Expr& place = indices[static_cast<std::size_t>(f.axes[k])];
    const Expr offset = place - indices[rank + k] * f.dilation[k];
    const Dim& extent = f.shape[static_cast<std::size_t>(f.axes[k])];
    place = offset;
    if (f.step[k] == 1) continue;
    place = floor_div(offset, f.step[k]) - mod(offset, f.step[k]) * dim_value(a, extent);
  }
  if (indices.empty()) return {a};
  return {sum(gather(a, indices), window_axes)};
}

/// Dimensions whose index merely counts are aligned; the others compare every element with every index.
template <>
Exprs define<Op::GatherTranspose>(const Call& call) {
  const Scattering s = scattering_of(call);
  Expr terms = s.align(call[0], 0);
  Shape pairs = s.shape;
  for (const std::int64_t p : s.summed) pairs.push_back(call[0].extent(p));
  std::optional<Expr> hit;
  for (std::size_t d = 0; d < s.shape.size(); ++d) {
    if (!s.is_free(d)) continue;
    const Expr place = iota(call[0], pairs, static_cast<std::int64_t>(d));
    const Expr is_here = equal(place, cast(s.align(call[d + 1], -1), DType::I64));
    hit = hit ? *hit & is_here : is_here;
  }
  if (hit) terms = select(*hit, terms, 0);
  Integers axes;
  for (std::size_t i = 0; i < s.summed.size(); ++i) {
    axes.push_back(static_cast<std::int64_t>(s.shape.size() + i));
  }
  return {axes.empty() ? terms : sum(terms, axes)};
}

}  // namespace sinter::ir
