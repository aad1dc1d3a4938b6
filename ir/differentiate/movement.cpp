// Views, padding and gathers: elements go back to where they came from.
#include <cstdlib>

#include "ir/define/window.h"
#include "ir/differentiate/reverse.h"

namespace sinter::ir {

namespace {

Integers integers(const Reverse& r, AttributeName name) {
  return r.attributes().get<Integers>(name);
}

Integers inverse_of(const Integers& axes) {
  Integers inverse(axes.size());
  for (std::size_t d = 0; d < axes.size(); ++d) {
    inverse[static_cast<std::size_t>(axes[d])] = static_cast<std::int64_t>(d);
  }
  return inverse;
}

/// Elements begin, begin + step, ... of each dimension were taken.
Expr put_back(Expr g, Shape begin, const Integers& steps, const Shape& shape) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto axis = static_cast<std::int64_t>(d);
    const Dim count = g.extent(axis);
    if (steps[d] < 0 && count != Dim(0)) {
      begin[d] = begin[d] + (count - 1) * steps[d];
      g = slice(g, axis, count - 1, count, -1);
    }
    g = spread(g, axis, std::abs(steps[d]));
  }
  return pad(g, begin, shape, 0);
}

}  // namespace

/// Summed by Reverse::add, as what any operand is broadcast to.
template <>
void derivative<Op::Broadcast>(Reverse& r) {
  r.add(0, [&] { return r.gradient(); });
}

template <>
void derivative<Op::Reshape>(Reverse& r) {
  r.add(0, [&] { return reshape(r.gradient(), r.shape(0)); });
}

template <>
void derivative<Op::Permute>(Reverse& r) {
  r.add(0, [&] { return permute(r.gradient(), inverse_of(integers(r, AttributeName::Axes))); });
}

template <>
void derivative<Op::Slice>(Reverse& r) {
  r.add(0, [&] {
    return put_back(r.gradient(), r.attributes().get<Shape>(AttributeName::Begin),
                    integers(r, AttributeName::Step), r.shape(0));
  });
}

template <>
void derivative<Op::Unfold>(Reverse& r) {
  r.add(0, [&] {
    Attributes attributes = r.attributes();
    attributes.set(AttributeName::Shape, r.shape(0));
    return make_node(Op::FoldWindows, {r.gradient()}, std::move(attributes));
  });
}

template <>
void derivative<Op::FoldWindows>(Reverse& r) {
  r.add(0, [&] {
    Attributes attributes;
    for (const Attribute& attribute : r.attributes().list()) {
      if (attribute.name != AttributeName::Shape) attributes.set(attribute.name, attribute.value);
    }
    return make_node(Op::Unfold, {r.gradient()}, std::move(attributes));
  });
}

template <>
void derivative<Op::Pad>(Reverse& r) {
  r.add(0, [&] {
    Shape begin = r.attributes().get<Shape>(AttributeName::Begin);
    for (Dim& dim : begin) dim = Dim(0) - dim;
    return pad(r.gradient(), begin, r.shape(0), 0);
  });
}

template <>
void derivative<Op::Gather>(Reverse& r) {
  r.add(0, [&] {
    Exprs operands{r.gradient()};
    for (std::size_t i = 1; i < r.size(); ++i) operands.push_back(r[i]);
    return make_node(Op::GatherTranspose, operands, {{AttributeName::Shape, r.shape(0)}});
  });
}

template <>
void derivative<Op::GatherTranspose>(Reverse& r) {
  r.add(0, [&] {
    Exprs indices;
    for (std::size_t i = 1; i < r.size(); ++i) indices.push_back(r[i]);
    return gather(r.gradient(), indices);
  });
}

template <>
void derivative<Op::Roll>(Reverse& r) {
  r.add(0, [&] {
    Attributes attributes = r.attributes();
    attributes.set(AttributeName::Offset, -attributes.get<std::int64_t>(AttributeName::Offset));
    return make_node(Op::Roll, {r.gradient()}, std::move(attributes));
  });
}

}  // namespace sinter::ir
