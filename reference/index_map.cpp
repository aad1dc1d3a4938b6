// Index arithmetic of views, broadcasting, reductions and matmul, on numbers.
#include "reference/index_map.h"

#include <algorithm>

#include "ir/equation.h"
#include "reference/host_tensor.h"
#include "support/check.h"

namespace sinter::reference {

using ir::AttributeName;
using ir::Op;

namespace {

std::size_t axis_index(std::int64_t axis) { return static_cast<std::size_t>(axis); }

/// Strides of `operand` for the dimensions of `result`, aligned at the right.
Extents broadcast_strides(const ir::Node& node, std::span<const std::int64_t> result,
                          std::span<const ir::Dim> operand_shape,
                          std::span<const std::int64_t> operand, const Extents& strides) {
  Extents mapped(result.size(), 0);
  const std::size_t lead = result.size() - operand.size();
  for (std::size_t d = 0; d < operand.size(); ++d) {
    const bool stretches = operand_shape[d].as_constant() == 1;
    if (!stretches && operand[d] != result[lead + d]) {
      support::throw_user_at(node.location, "{}: {} does not broadcast to {}", to_string(node.op),
                             extents_text(operand), extents_text(result));
    }
    mapped[lead + d] = stretches ? 0 : strides[d];
  }
  return mapped;
}

IndexMap map_reshape(const ir::Node& node, const Extents& result, const Extents& operand) {
  if (count_elements(result) != count_elements(operand)) {
    support::throw_user_at(node.location, "reshape: {} and {} differ in the number of elements",
                           extents_text(operand), extents_text(result));
  }
  return {.base = 0, .strides = {}, .identity = true};
}

IndexMap map_permute(const ir::Node& node, const Extents& operand) {
  const Extents strides = dense_strides(operand);
  IndexMap map;
  for (const std::int64_t axis :
       node.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes)) {
    map.strides.push_back(strides[axis_index(axis)]);
  }
  return map;
}

IndexMap map_slice(const ir::Node& node, const Extents& result, const Extents& operand,
                   const ir::Sizes& sizes) {
  const auto& begin = node.attributes.get<ir::Shape>(AttributeName::Begin);
  const auto& step = node.attributes.get<std::vector<std::int64_t>>(AttributeName::Step);
  const Extents strides = dense_strides(operand);
  IndexMap map;
  for (std::size_t d = 0; d < operand.size(); ++d) {
    const std::int64_t first = ir::evaluate(begin[d], {.sizes = sizes, .axis = {}, .value = {}});
    std::int64_t last = 0;
    const bool overflows = __builtin_mul_overflow(result[d] - 1, step[d], &last) ||
                           __builtin_add_overflow(first, last, &last);
    const bool leaves =
        overflows || std::min(first, last) < 0 || std::max(first, last) >= operand[d];
    if (result[d] > 0 && leaves) {
      support::throw_user_at(node.location, "slice: indices {} to {} of dimension {} leave [0, {})",
                             first, last, d, operand[d]);
    }
    // Where there is one element, or none, its step and place do not matter.
    map.base += result[d] > 0 ? first * strides[d] : 0;
    map.strides.push_back(result[d] > 1 ? step[d] * strides[d] : 0);
  }
  return map;
}

IndexMap map_unfold(const ir::Node& node, const Extents& operand) {
  using Integers = std::vector<std::int64_t>;
  const auto& axes = node.attributes.get<Integers>(AttributeName::Axes);
  const auto& step = node.attributes.get<Integers>(AttributeName::Step);
  const auto& dilation = node.attributes.get<Integers>(AttributeName::Dilation);
  const Extents strides = dense_strides(operand);
  IndexMap map;
  map.strides = strides;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<std::size_t>(axes[i]);
    map.strides[axis] = strides[axis] * step[i];
    map.strides.push_back(strides[axis] * dilation[i]);
  }
  return map;
}

}  // namespace

std::int64_t IndexMap::apply(std::span<const std::int64_t> extents, std::int64_t flat) const {
  if (identity) return flat;
  std::int64_t offset = base;
  for (std::size_t d = extents.size(); d-- > 0;) {
    offset += flat % extents[d] * strides[d];
    flat /= extents[d];
  }
  return offset;
}

Extents dense_strides(std::span<const std::int64_t> extents) {
  Extents strides(extents.size());
  std::int64_t stride = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= extents[d];
  }
  return strides;
}

IndexMap map_broadcast(const ir::Node& node, const Extents& result, const ir::Shape& operand_shape,
                       const Extents& operand) {
  if (operand == result) return {.base = 0, .strides = {}, .identity = true};
  return {
      .base = 0,
      .strides = broadcast_strides(node, result, operand_shape, operand, dense_strides(operand)),
      .identity = false};
}

IndexMap map_view(const ir::Node& node, const Extents& result, const ir::Shape& operand_shape,
                  const Extents& operand, const ir::Sizes& sizes) {
  if (node.op == Op::Broadcast) return map_broadcast(node, result, operand_shape, operand);
  if (node.op == Op::Reshape) return map_reshape(node, result, operand);
  if (node.op == Op::Permute) return map_permute(node, operand);
  if (node.op == Op::Slice) return map_slice(node, result, operand, sizes);
  if (node.op == Op::Unfold) return map_unfold(node, operand);
  support::throw_internal("{} is no view", to_string(node.op));
}

std::int64_t FoldDomain::count() const { return count_elements(extents); }

FoldDomain map_reduction(const ir::Node& node, const Extents& operand) {
  const auto& axes = node.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes);
  const Extents strides = dense_strides(operand);
  FoldDomain domain;
  IndexMap kept;
  Extents folded;
  for (std::size_t d = 0; d < operand.size(); ++d) {
    if (std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(d)) == axes.end()) {
      kept.strides.push_back(strides[d]);
    } else {
      domain.extents.push_back(operand[d]);
      folded.push_back(strides[d]);
    }
  }
  domain.result.assign(node.operands.size(), kept);
  domain.strides.assign(node.operands.size(), folded);
  return domain;
}

FoldDomain map_matmul(const ir::Node& node, const Extents& result, const ir::Shape& a_shape,
                      const Extents& a, const ir::Shape& b_shape, const Extents& b) {
  const Extents a_strides = dense_strides(a);
  const Extents b_strides = dense_strides(b);
  const std::size_t a_lead = a.size() - 2;
  const std::size_t b_lead = b.size() - 2;
  if (a.back() != b[b_lead]) {
    support::throw_user_at(node.location, "matmul: {} x {}: inner dimensions {} and {} differ",
                           extents_text(a), extents_text(b), a.back(), b[b_lead]);
  }
  const auto lead = std::span(result).first(result.size() - 2);
  IndexMap a_map;
  a_map.strides = broadcast_strides(node, lead, std::span(a_shape).first(a_lead),
                                    std::span(a).first(a_lead), a_strides);
  a_map.strides.insert(a_map.strides.end(), {a_strides[a_lead], 0});
  IndexMap b_map;
  b_map.strides = broadcast_strides(node, lead, std::span(b_shape).first(b_lead),
                                    std::span(b).first(b_lead), b_strides);
  b_map.strides.insert(b_map.strides.end(), {0, b_strides[b_lead + 1]});
  return {.extents = {a.back()},
          .result = {a_map, b_map},
          .strides = {{a_strides[a_lead + 1]}, {b_strides[b_lead]}}};
}

FoldDomain map_einsum(const ir::Node& node, const Extents& a, const Extents& b) {
  const ir::Equation equation =
      ir::parse_equation(node.attributes.get<std::string>(AttributeName::Equation), node.location);
  FoldDomain domain;
  const std::string contracted = equation.contracted();
  for (const Extents* operand : {&a, &b}) {
    const std::string& labels = equation.operands[domain.result.size()];
    const Extents strides = dense_strides(*operand);
    const auto stride_of = [&](char label) {
      const std::size_t d = labels.find(label);
      return d == std::string::npos ? 0 : strides[d];
    };
    IndexMap map;
    for (const char label : equation.result) map.strides.push_back(stride_of(label));
    Extents folded;
    for (const char label : contracted) folded.push_back(stride_of(label));
    domain.result.push_back(std::move(map));
    domain.strides.push_back(std::move(folded));
  }
  for (const char label : contracted) {
    const std::int64_t left = a[equation.operands[0].find(label)];
    const std::int64_t right = b[equation.operands[1].find(label)];
    if (left != right) {
      support::throw_user_at(node.location, "einsum: label {} has extents {} and {}", label, left,
                             right);
    }
    domain.extents.push_back(left);
  }
  return domain;
}

}  // namespace sinter::reference
