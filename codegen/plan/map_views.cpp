// One function a view operator. A reshape is cut into the smallest groups of dimensions whose
// products agree, so that untouched dimensions keep their index and only the others are divided.
#include "codegen/plan/map_views.h"

#include <span>

#include "support/check.h"

namespace sinter::codegen {

namespace {

using ir::AttributeName;
using ir::Dim;
using ir::IndexExpr;
using ir::Shape;

bool is_one(const Dim& dim) { return dim == Dim(1); }

Shape map_broadcast(const Shape& from, const Shape& indices) {
  const std::size_t dropped = indices.size() - from.size();
  Shape result;
  for (std::size_t d = 0; d < from.size(); ++d) {
    result.push_back(is_one(from[d]) ? IndexExpr(0) : indices[dropped + d]);
  }
  return result;
}

Shape map_permute(const std::vector<std::int64_t>& axes, const Shape& indices) {
  Shape result(indices.size());
  for (std::size_t d = 0; d < axes.size(); ++d) {
    result[static_cast<std::size_t>(axes[d])] = indices[d];
  }
  return result;
}

Shape map_slice(const Shape& begin, const std::vector<std::int64_t>& step, const Shape& indices) {
  Shape result;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    result.push_back(begin[d] + indices[d] * IndexExpr(step[d]));
  }
  return result;
}

/// Windows: place * step + element * dilation.
Shape map_unfold(const ir::Attributes& attributes, std::size_t rank, const Shape& indices) {
  using Integers = std::vector<std::int64_t>;
  const auto& axes = attributes.get<Integers>(AttributeName::Axes);
  const auto& step = attributes.get<Integers>(AttributeName::Step);
  const auto& dilation = attributes.get<Integers>(AttributeName::Dilation);
  Shape result(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(rank));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    IndexExpr& index = result[static_cast<std::size_t>(axes[i])];
    index = index * IndexExpr(step[i]) + indices[rank + i] * IndexExpr(dilation[i]);
  }
  return result;
}

/// A dimension of a shape without those that are the number 1.
struct Kept {
  std::size_t position;
  Dim extent;
};

std::vector<Kept> drop_ones(const Shape& shape) {
  std::vector<Kept> kept;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (!is_one(shape[d])) kept.push_back({d, shape[d]});
  }
  return kept;
}

std::vector<Dim> prefix_products(const std::vector<Kept>& dims) {
  std::vector<Dim> products{Dim(1)};
  for (const Kept& dim : dims) products.push_back(products.back() * dim.extent);
  return products;
}

/// Row-major: the indices of `to` that name the same element as `indices` of `from` do.
void map_group(std::span<const Kept> from, std::span<const Kept> to, const Shape& indices,
               const ir::AxisExtent& extent, Shape& result) {
  IndexExpr linear = 0;
  for (const Kept& dim : from) linear = linear * dim.extent + indices[dim.position];
  for (std::size_t d = to.size(); d-- > 0;) {
    if (d == 0) {
      result[to[d].position] = linear;
      return;
    }
    result[to[d].position] = ir::simplify(ir::mod(linear, to[d].extent), extent);
    linear = ir::simplify(ir::floor_div(linear, to[d].extent), extent);
  }
}

Shape map_reshape(const Shape& operand_shape, const Shape& result_shape, const Shape& indices,
                  const ir::AxisExtent& extent) {
  const std::vector<Kept> from = drop_ones(result_shape);
  const std::vector<Kept> to = drop_ones(operand_shape);
  const std::vector<Dim> from_products = prefix_products(from);
  const std::vector<Dim> to_products = prefix_products(to);
  Shape result(operand_shape.size(), IndexExpr(0));
  if (from_products.back() == Dim(0)) return result;  // no element exists
  std::size_t from_begin = 0;
  std::size_t to_begin = 0;
  for (std::size_t f = 1; f <= from.size(); ++f) {
    std::size_t t = to_begin + 1;
    while (t <= to.size() && !(to_products[t] == from_products[f])) ++t;
    if (f == from.size()) t = to.size();
    if (t > to.size()) continue;
    map_group(std::span(from).subspan(from_begin, f - from_begin),
              std::span(to).subspan(to_begin, t - to_begin), indices, extent, result);
    from_begin = f;
    to_begin = t;
  }
  return result;
}

}  // namespace

Shape map_view(const ir::Graph& graph, const ir::Node& view, const Shape& indices,
               const ir::AxisExtent& extent) {
  const Shape& from = graph.type(view.operands.at(0)).shape;
  const auto& attributes = view.attributes;
  Shape result;
  if (view.op == ir::Op::Broadcast) {
    result = map_broadcast(from, indices);
  } else if (view.op == ir::Op::Reshape) {
    result = map_reshape(from, view.results.at(0).shape, indices, extent);
  } else if (view.op == ir::Op::Permute) {
    result = map_permute(attributes.get<std::vector<std::int64_t>>(AttributeName::Axes), indices);
  } else if (view.op == ir::Op::Slice) {
    result = map_slice(attributes.get<Shape>(AttributeName::Begin),
                       attributes.get<std::vector<std::int64_t>>(AttributeName::Step), indices);
  } else if (view.op == ir::Op::Unfold) {
    result = map_unfold(attributes, from.size(), indices);
  } else {
    support::throw_internal("the view {} has no index map", ir::to_string(view.op));
  }
  for (IndexExpr& index : result) index = ir::simplify(index, extent);
  return result;
}

}  // namespace sinter::codegen
