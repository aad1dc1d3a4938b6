// Leaves and operands of random graphs.
#include "tests/support/graph_grower.h"

#include <array>

#include "ir/bind_sizes.h"
#include "reference/host_tensor.h"

namespace sinter::tests {

using ir::AttributeName;
using ir::Attributes;
using ir::Dim;
using ir::Op;
using ir::Shape;
using ir::Type;
using ir::Value;

namespace {

constexpr std::array<std::int64_t, 16> kExtents = {0, 1, 1,  2,  3,  4,  5,  7,
                                                   8, 9, 16, 17, 31, 32, 33, 65};
constexpr std::array kDTypes = {
    DType::F32, DType::F32, DType::F32, DType::F32, DType::BF16,   DType::BF16,   DType::F16,
    DType::F16, DType::F64, DType::I32, DType::I32, DType::I64,    DType::Bool,   DType::I8,
    DType::U8,  DType::I16, DType::U16, DType::U32, DType::F8E4M3, DType::F8E5M2, DType::U64};
constexpr std::array<double, 12> kConstants = {0, 1, -1, 2, 0.5, -0.25, 3, 10, 0.1, -2.5, -0.0, 7};

}  // namespace

std::span<const std::int64_t> random_extents() { return kExtents; }
std::span<const double> random_constants() { return kConstants; }

bool is_legal(Op op, const std::vector<Type>& types, const Attributes& attributes) {
  try {
    return !ir::infer_types(op, types, attributes, {}).empty();
  } catch (const UserError&) {
    return false;
  }
}

GraphGrower::GraphGrower(std::uint64_t seed, const RandomGraphOptions& options)
    : random_(seed), options_(options) {
  for (const char* name : {"n", "m"}) sizes_[name] = random_.pick(kExtents);
  dtypes_.assign(kDTypes.begin(), kDTypes.end());
  if (!options.dtypes.empty()) dtypes_ = options.dtypes;
}

Shape GraphGrower::draw_shape() {
  return draw_shape(random_.chance(0.5) ? 2 : random_.between(0, 4));
}

Shape GraphGrower::draw_shape(std::int64_t rank) {
  Shape shape;
  while (static_cast<std::int64_t>(shape.size()) < rank) {
    Dim dim = random_.pick(kExtents);
    if (random_.chance(0.25)) dim = Dim::size(random_.chance(0.7) ? "n" : "m");
    shape.push_back(dim);
    if (count(shape) > options_.most_elements) shape.back() = 1;
  }
  return shape;
}

std::int64_t GraphGrower::count(const Shape& shape) const {
  return reference::count_elements(ir::evaluate_shape(shape, sizes_));
}

std::int64_t GraphGrower::extent(const Dim& dim) const {
  return ir::evaluate_shape({dim}, sizes_)[0];
}

Dim GraphGrower::disguise(const Dim& dim) {
  if (!random_.chance(0.1)) return dim;
  const std::int64_t number = extent(dim);
  for (const auto& [name, size] : sizes_) {
    if (size == number && dim != Dim::size(name)) return Dim::size(name);
  }
  return number;
}

Value GraphGrower::add_parameter(const Type& type) {
  if (!type.shape.empty() || random_.chance(0.5)) return add_tensor(type);
  const std::string name = fmt::format("x{}", graph_.parameters().size());
  values_.push_back(graph_.add_host_scalar(name, type.dtype));
  return values_.back();
}

Value GraphGrower::add_tensor(const Type& type) {
  const std::string name = fmt::format("x{}", graph_.parameters().size());
  values_.push_back(graph_.add_parameter(name, type));
  return values_.back();
}

std::optional<Value> GraphGrower::add(Op op, const std::vector<Value>& operands,
                                      const Attributes& attributes) {
  std::vector<Type> types;
  for (const Value operand : operands) types.push_back(graph_.type(operand));
  try {
    for (const Type& type : ir::infer_types(op, types, attributes, {})) {
      if (count(type.shape) > options_.most_elements) return std::nullopt;
    }
  } catch (const UserError&) {
    return std::nullopt;
  }
  const Value value = graph_.add(op, operands, attributes);
  const auto results = static_cast<std::uint32_t>(graph_.node(value).results.size());
  for (std::uint32_t r = 0; r < results; ++r) values_.push_back({value.node, r});
  return value;
}

Value GraphGrower::broadcast_to(Value value, const Shape& shape) {
  if (graph_.type(value).shape == shape) return value;
  return graph_.add(Op::Broadcast, {value}, {{AttributeName::Shape, shape}});
}

Value GraphGrower::add_constant(const Type& type) {
  const double number = random_.pick(kConstants);
  return broadcast_to(graph_.add_constant(ir::make_literal(type.dtype, number)), type.shape);
}

/// A parameter of fewer or stretched dimensions, broadcast to `type`.
Value GraphGrower::add_broadcast_parameter(const Type& type) {
  Shape shape(type.shape.begin() + random_.below(static_cast<std::int64_t>(type.shape.size()) + 1),
              type.shape.end());
  for (Dim& dim : shape) {
    if (random_.chance(0.3)) dim = 1;
  }
  return broadcast_to(add_parameter({type.dtype, shape}), type.shape);
}

Value GraphGrower::make_operand(const Type& type) {
  const auto same = find_value([&](const Type& other) { return other == type; });
  if (same && random_.chance(0.6)) return *same;
  const auto shaped = find_value([&](const Type& other) { return other.shape == type.shape; });
  if (shaped && random_.chance(0.3)) {
    const Attributes attributes = {{AttributeName::DType, type.dtype}};
    if (const auto cast = add(Op::Cast, {*shaped}, attributes)) return *cast;
  }
  if (random_.chance(0.4)) return add_constant(type);
  return add_broadcast_parameter(type);
}

Value GraphGrower::make_condition(const Shape& shape) {
  const Type type = {DType::Bool, shape};
  const auto same = find_value([&](const Type& other) { return other == type; });
  if (same && random_.chance(0.7)) return *same;
  const auto shaped = find_value(
      [&](const Type& other) { return other.shape == shape && other.dtype != DType::Bool; });
  if (!shaped) return make_operand(type);
  return *add(random_.chance(0.5) ? Op::Lt : Op::Ge, {*shaped, make_operand(graph_.type(*shaped))},
              {});
}

}  // namespace sinter::tests
