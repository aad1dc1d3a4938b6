// A use is tried on parameters of several shapes; attempts that fail are taken back.
#include "tests/support/required_use.h"

#include <algorithm>

#include "tests/support/random_operator.h"

namespace sinter::tests {

using ir::Op;
using ir::OpClass;
using ir::Shape;
using ir::Value;

namespace {

Shape draw_first_shape(GraphGrower& grower, Layout layout) {
  Random& random = grower.random();
  const std::int64_t least = least_rank(layout);
  std::vector<Shape> known;
  for (const Value value : grower.values()) {
    const Shape& shape = grower.graph().type(value).shape;
    if (static_cast<std::int64_t>(shape.size()) >= least) known.push_back(shape);
  }
  if (!known.empty() && random.chance(0.7)) return random.pick(known);
  const std::int64_t rank =
      random.chance(0.6) ? std::max<std::int64_t>(least, 2) : random.between(least, 4);
  return grower.draw_shape(rank);
}

/// Whether the principal operand is a tensor parameter that may have the layout.
bool can_have_layout(const GraphGrower& grower, Value value, const RequiredUse& use) {
  const ir::Node& node = grower.graph().node(value);
  const Value operand = node.operands.at(principal_operand(use.op));
  const ir::Type& type = grower.graph().type(operand);
  return grower.graph().node(operand).op == Op::Parameter &&
         !grower.graph().is_host_scalar(operand.node) && type.dtype == use.dtype &&
         static_cast<std::int64_t>(type.shape.size()) >= least_rank(use.layout);
}

std::optional<Value> try_required(GraphGrower& grower, const RequiredUse& use) {
  if (ir::info(use.op).op_class == OpClass::Leaf) {
    const auto leaf = grow_leaf(grower, use.op, use.dtype);
    const bool fits = leaf && grower.graph().type(*leaf).dtype == use.dtype;
    return fits ? leaf : std::nullopt;
  }
  const Value operand = grower.add_tensor({use.dtype, draw_first_shape(grower, use.layout)});
  const auto value = grow_operator(grower, use.op, operand);
  if (!value || grower.graph().node(*value).op != use.op) return std::nullopt;
  return can_have_layout(grower, *value, use) ? value : std::nullopt;
}

/// A graph of the use alone is found within the attempts that grow_required makes.
bool is_possible(const RequiredUse& use) {
  RandomGraphOptions options;
  options.most_elements = 500;
  options.most_products = 4000;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    GraphGrower grower(seed, options);
    std::map<std::string, Layout> layouts;
    if (grow_required(grower, use, layouts)) return true;
  }
  return false;
}

struct Uses {
  std::vector<RequiredUse> all;
  std::vector<RequiredUse> impossible;
};

/// The layouts of one pair. Ranks are tried from above: what has two dimensions may have fewer.
std::vector<RequiredUse> uses_of(Op op, DType dtype) {
  if (ir::info(op).op_class == OpClass::Leaf) {
    const RequiredUse use{op, dtype, Layout::Contiguous};
    return is_possible(use) ? std::vector{use} : std::vector<RequiredUse>{};
  }
  for (const Layout most : {Layout::Transposed, Layout::Reversed, Layout::Contiguous}) {
    if (!is_possible({op, dtype, most})) continue;
    std::vector<RequiredUse> uses;
    for (const Layout layout : all_layouts()) {
      if (least_rank(layout) <= least_rank(most)) uses.push_back({op, dtype, layout});
    }
    return uses;
  }
  return {};
}

/// Round r takes from pair number p its layout number (p + r), so that the first round has every dtype
/// of every operator, on different layouts.
Uses find_uses() {
  Uses uses;
  std::vector<std::vector<RequiredUse>> pairs;
  for (const ir::OpInfo& row : ir::all_ops()) {
    if (row.level == ir::OpLevel::Kernel || row.op == Op::Parameter) continue;
    for (int d = 0; d < kDTypeCount; ++d) {
      const auto dtype = static_cast<DType>(d);
      if (!ir::accepts_dtype(row.op, dtype)) continue;
      pairs.push_back(uses_of(row.op, dtype));
      if (!pairs.back().empty()) continue;
      pairs.pop_back();
      uses.impossible.push_back({row.op, dtype, Layout::Contiguous});
    }
  }
  Random random(1);
  for (std::size_t i = pairs.size(); i > 1; --i) {
    std::swap(pairs[i - 1],
              pairs[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
  }
  for (std::size_t round = 0; round < all_layouts().size(); ++round) {
    for (const std::vector<RequiredUse>& pair : pairs) {
      if (round >= pair.size()) continue;
      const auto shift = static_cast<std::size_t>(pair[0].dtype);
      uses.all.push_back(pair[(round + shift) % pair.size()]);
    }
  }
  return uses;
}

const Uses& uses() {
  static const Uses found = find_uses();
  return found;
}

}  // namespace

std::size_t principal_operand(Op op) { return op == Op::Select ? 1 : 0; }

std::optional<Value> grow_required(GraphGrower& grower, const RequiredUse& use,
                                   std::map<std::string, Layout>& layouts) {
  for (int attempt = 0; attempt < 12; ++attempt) {
    GraphGrower trial = grower;
    const auto value = try_required(trial, use);
    if (!value) {
      grower.random() = trial.random();  // the next attempt draws anew
      continue;
    }
    grower = std::move(trial);
    const ir::Node& node = grower.graph().node(*value);
    if (node.operands.empty()) return value;
    const Value operand = node.operands[principal_operand(use.op)];
    layouts[grower.graph().parameter_name(operand.node)] = use.layout;
    return value;
  }
  return std::nullopt;
}

std::span<const RequiredUse> all_required_uses() { return uses().all; }
std::span<const RequiredUse> impossible_uses() { return uses().impossible; }

}  // namespace sinter::tests
