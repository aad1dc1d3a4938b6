// One case a kind of attribute; a few names want values of their own.
#include "tests/support/random_attributes.h"

#include <array>
#include <limits>

#include "ir/attribute_rules.h"
#include "support/check.h"

namespace sinter::tests {

using ir::AttributeKind;
using ir::AttributeName;

namespace {

double draw_real(AttributeName name, Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (name == AttributeName::Order)
    return random.pick(std::array{0.0, 1.0, 1.5, 2.0, 3.0, kInfinity, -kInfinity});
  if (name == AttributeName::Epsilon) return random.pick(std::array{1e-5, 0.5});
  if (name == AttributeName::Low) return random.pick(std::array{-1.0, -0.25});
  if (name == AttributeName::High) return random.pick(std::array{1.0, 0.5});
  return random.pick(std::array{0.1, 0.5, 1.0, 2.0});
}

const std::array<std::string, 20> kVariants{
    "sigmoid",   "silu",     "gelu",    "gelu_tanh",   "relu",   "none",    "reflect",
    "replicate", "circular", "largest", "smallest",    "left",   "right",   "mean",
    "sum",       "linear",   "cubic",   "interleaved", "signed", "unsigned"};

}  // namespace

std::span<const std::string> all_variants() { return kVariants; }

std::vector<std::int64_t> draw_axes(const ir::Shape& shape, Random& random) {
  std::vector<std::int64_t> axes;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (random.chance(0.5)) axes.push_back(static_cast<std::int64_t>(d));
  }
  if (axes.empty() && !shape.empty()) axes.push_back(static_cast<std::int64_t>(shape.size()) - 1);
  return axes;
}

ir::Attributes draw_windows(const ir::Shape& shape, Random& random) {
  const std::vector<std::int64_t> axes = draw_axes(shape, random);
  std::vector<std::int64_t> step;
  std::vector<std::int64_t> window;
  std::vector<std::int64_t> dilation;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    step.push_back(random.between(1, 3));
    window.push_back(random.between(0, 3));
    dilation.push_back(random.between(1, 2));
  }
  return {{AttributeName::Axes, axes},
          {AttributeName::Step, step},
          {AttributeName::Window, window},
          {AttributeName::Dilation, dilation}};
}

ir::AttributeValue draw_attribute(AttributeName name, const ir::Shape& shape, Random& random) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  switch (ir::kind_of(name)) {
    case AttributeKind::Bool: return random.chance(0.5);
    case AttributeKind::Integer:
      if (name == AttributeName::Axis) return rank == 0 ? 0 : random.below(rank);
      if (name == AttributeName::Offset) return random.between(-3, 3);
      return random.between(1, 4);
    case AttributeKind::Integers:
      if (name == AttributeName::Axes) return draw_axes(shape, random);
      return std::vector<std::int64_t>{random.between(1, 3)};
    case AttributeKind::Real: return draw_real(name, random);
    case AttributeKind::Text: return random.pick(kVariants);
    case AttributeKind::DType: return random.pick(std::array{DType::F32, DType::F64, DType::I64});
    case AttributeKind::Precision: return ir::Precision::Ieee;
    case AttributeKind::Literal: return ir::make_literal(DType::F32, 0.5);
    case AttributeKind::Shape: {
      ir::Shape drawn = shape;
      for (ir::Dim& dim : drawn) {
        dim = name == AttributeName::Begin ? ir::Dim(random.between(-1, 3))
                                           : dim + random.between(0, 3);
      }
      return drawn;
    }
    case AttributeKind::Reducer: return ir::Reducer{ir::Op::Add, {}, {}};
  }
  support::throw_internal("no such kind");
}

ir::Attributes draw_attributes(ir::Op op, const ir::Shape& shape, Random& random) {
  ir::Attributes attributes;
  for (const ir::AttributeRule& rule : ir::graph_attributes(op)) {
    if (!rule.required && random.chance(0.5)) continue;
    attributes.set(rule.name, draw_attribute(rule.name, shape, random));
  }
  return attributes;
}

}  // namespace sinter::tests
