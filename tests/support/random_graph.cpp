// A graph grows node by node: each step draws a kind of operator, an operand that is already there,
// and fits further operands to it. What the type rules refuse is not added.
#include "tests/support/random_graph.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "ir/bind_sizes.h"
#include "ir/conditions.h"
#include "ir/define/composite.h"
#include "ir/text.h"
#include "reference/host_tensor.h"
#include "support/check.h"
#include "tests/support/operator_samples.h"
#include "tests/support/random.h"
#include "tests/support/random_attributes.h"
#include "tests/support/random_functions.h"

namespace sinter::tests {

using ir::AttributeName;
using ir::Attributes;
using ir::Dim;
using ir::DType;
using ir::Op;
using ir::OpClass;
using ir::OpInfo;
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

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomGraphOptions& options)
      : random_(seed), options_(options) {
    for (const char* name : {"n", "m"}) sizes_[name] = random_.pick(kExtents);
    dtypes_.assign(kDTypes.begin(), kDTypes.end());
    if (!options.dtypes.empty()) dtypes_ = options.dtypes;
  }

  RandomGraph run(std::uint64_t seed) {
    const std::int64_t parameters = random_.between(1, 3);
    for (std::int64_t p = 0; p < parameters; ++p) add_parameter({draw_dtype(), draw_shape()});
    const std::int64_t wanted = random_.between(1, options_.most_nodes);
    std::int64_t made = 0;
    // Steps that the type rules refuse don't count; the limit only guards against a dead end.
    for (int attempt = 0; made < wanted && attempt < 200; ++attempt) made += add_step() ? 1 : 0;
    set_outputs();
    return {seed, std::move(graph_), std::move(sizes_)};
  }

 private:
  // Drawing.

  DType draw_dtype() { return random_.pick(dtypes_); }

  Shape draw_shape() {
    Shape shape;
    const std::int64_t rank = random_.chance(0.5) ? 2 : random_.between(0, 4);
    while (static_cast<std::int64_t>(shape.size()) < rank) {
      Dim dim = random_.pick(kExtents);
      if (random_.chance(0.25)) dim = Dim::size(random_.chance(0.7) ? "n" : "m");
      shape.push_back(dim);
      if (count(shape) > options_.most_elements) shape.back() = 1;
    }
    return shape;
  }

  std::int64_t count(const Shape& shape) const {
    return reference::count_elements(ir::evaluate_shape(shape, sizes_));
  }
  std::int64_t extent(const Dim& dim) const { return ir::evaluate_shape({dim}, sizes_)[0]; }

  /// A value that `accepts`, later ones more often; nullopt where there is none.
  template <typename F>
  std::optional<Value> find_value(const F& accepts) {
    std::vector<Value> found;
    for (const Value value : values_) {
      if (accepts(graph_.type(value))) found.push_back(value);
    }
    if (found.empty()) return std::nullopt;
    if (random_.chance(0.5)) return found.back();
    return random_.pick(found);
  }

  // Adding.

  Value add_parameter(const Type& type) {
    const std::string name = fmt::format("x{}", graph_.parameters().size());
    const bool is_host = type.shape.empty() && random_.chance(0.5);
    const Value value =
        is_host ? graph_.add_host_scalar(name, type.dtype) : graph_.add_parameter(name, type);
    values_.push_back(value);
    return value;
  }

  static bool is_legal(Op op, const std::vector<Type>& types, const Attributes& attributes) {
    try {
      return !ir::infer_types(op, types, attributes, {}).empty();
    } catch (const UserError&) {
      return false;
    }
  }

  /// Nullopt where the type rules refuse, or the result is too large.
  std::optional<Value> add(Op op, const std::vector<Value>& operands,
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

  Value broadcast_to(Value value, const Shape& shape) {
    if (graph_.type(value).shape == shape) return value;
    return graph_.add(Op::Broadcast, {value}, {{AttributeName::Shape, shape}});
  }

  Value add_constant(const Type& type) {
    const double number = random_.pick(kConstants);
    return broadcast_to(graph_.add_constant(ir::make_literal(type.dtype, number)), type.shape);
  }

  /// A parameter of fewer or stretched dimensions, broadcast to `type`.
  Value add_broadcast_parameter(const Type& type) {
    Shape shape(
        type.shape.begin() + random_.below(static_cast<std::int64_t>(type.shape.size()) + 1),
        type.shape.end());
    for (Dim& dim : shape) {
      if (random_.chance(0.3)) dim = 1;
    }
    return broadcast_to(add_parameter({type.dtype, shape}), type.shape);
  }

  /// Some value of that type.
  Value make_operand(const Type& type) {
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

  Value make_condition(const Shape& shape) {
    const Type type = {DType::Bool, shape};
    const auto same = find_value([&](const Type& other) { return other == type; });
    if (same && random_.chance(0.7)) return *same;
    const auto shaped = find_value(
        [&](const Type& other) { return other.shape == shape && other.dtype != DType::Bool; });
    if (!shaped) return make_operand(type);
    return *add(random_.chance(0.5) ? Op::Lt : Op::Ge,
                {*shaped, make_operand(graph_.type(*shaped))}, {});
  }

  // Steps: one operator each.

  bool add_step() {
    const OpInfo& op = draw_op();
    const auto operand =
        find_value([&](const Type& type) { return ir::accepts_dtype(op.op, type.dtype); });
    if (op.op_class == OpClass::Leaf) return random_.chance(0.8) ? add_iota() : add_size();
    if (!operand) return false;
    if (ir::is_pointwise(op.op)) return add_pointwise(op, *operand);
    if (op.op_class == OpClass::View) return add_view(op.op, *operand);
    if (op.op_class == OpClass::Movement) {
      return op.op == Op::Pad ? add_pad(*operand) : add_gather(*operand);
    }
    if (op.op == Op::Einsum) return add_einsum(*operand);
    if (op.op_class == OpClass::Contraction) return add_matmul(*operand);
    if (op.op_class == OpClass::Composite) return add_composite(op, *operand);
    if (op.op_class == OpClass::Scan) return add_scan(*operand);
    return add_reduction(op.op, *operand);
  }

  /// Classes first, so that many rows of one class do not crowd out the others.
  const OpInfo& draw_op() {
    constexpr std::array kClasses = {
        OpClass::Unary,  OpClass::Unary,     OpClass::Binary,     OpClass::Binary,
        OpClass::Binary, OpClass::Compare,   OpClass::Ternary,    OpClass::Cast,
        OpClass::View,   OpClass::View,      OpClass::Reduction,  OpClass::Reduction,
        OpClass::Scan,   OpClass::Composite, OpClass::Composite,  OpClass::Composite,
        OpClass::Leaf,   OpClass::Movement,  OpClass::Contraction};
    for (;;) {
      const OpClass op_class = random_.pick(kClasses);
      std::vector<const OpInfo*> rows;
      for (const OpInfo& row : ir::all_ops()) {
        if (row.op_class == op_class && row.level != ir::OpLevel::Kernel) rows.push_back(&row);
      }
      if (op_class == OpClass::Scan && !options_.scans) continue;
      if (!rows.empty()) return *random_.pick(rows);
    }
  }

  bool add_iota() {
    const Shape shape = draw_shape();
    if (shape.empty()) return false;
    const std::int64_t axis = random_.below(static_cast<std::int64_t>(shape.size()));
    const DType dtype = random_.chance(0.5) ? DType::I64 : DType::I32;
    return add(Op::Iota, {},
               {{AttributeName::DType, dtype},
                {AttributeName::Shape, shape},
                {AttributeName::Axis, axis}})
        .has_value();
  }

  bool add_size() {
    const Dim size = Dim::size(random_.chance(0.7) ? "n" : "m");
    return add(Op::Size, {}, {{AttributeName::Shape, Shape{size * 2 + 1}}}).has_value();
  }

  bool add_pointwise(const OpInfo& op, Value operand) {
    const Type type = graph_.type(operand);
    std::vector<Value> operands = {operand};
    Attributes attributes;
    if (op.op_class == OpClass::Cast) attributes.set(AttributeName::DType, draw_dtype());
    if (op.op == Op::Select) operands = {make_condition(type.shape), operand};
    while (operands.size() < static_cast<std::size_t>(op.arity)) {
      operands.push_back(make_operand(type));
    }
    if (op.op != Op::Select && random_.chance(0.3)) std::swap(operands.front(), operands.back());
    return add(op.op, operands, attributes).has_value();
  }

  bool add_view(Op op, Value operand) {
    const Shape shape = graph_.type(operand).shape;
    if (op == Op::Broadcast) return add(op, {operand}, broadcast_attributes(shape)).has_value();
    if (op == Op::Reshape) return add(op, {operand}, reshape_attributes(shape)).has_value();
    if (op == Op::Permute) return add(op, {operand}, permute_attributes(shape)).has_value();
    if (op == Op::Unfold) return add(op, {operand}, draw_windows(shape, random_)).has_value();
    return add(op, {operand}, slice_attributes(shape)).has_value();
  }

  /// Before, after, and with negative numbers inside of the operand.
  bool add_pad(Value operand) {
    const Type& type = graph_.type(operand);
    Shape begin;
    Shape shape;
    for (const Dim& dim : type.shape) {
      begin.emplace_back(random_.between(-1, 3));
      shape.push_back(dim.is_constant() ? ir::max(dim + begin.back() + random_.between(-1, 2), 0)
                                        : dim + random_.between(0, 3));
    }
    return add(Op::Pad, {operand},
               {{AttributeName::Begin, begin},
                {AttributeName::Shape, shape},
                {AttributeName::Outside, ir::make_literal(type.dtype, random_.pick(kConstants))}})
        .has_value();
  }

  /// At indices that are computed, read, or known from axes; some of them outside.
  bool add_gather(Value operand) {
    const Shape source = graph_.type(operand).shape;
    const Shape shape = random_.chance(0.5) ? source : draw_shape();
    std::vector<Value> operands{operand};
    for (std::size_t d = 0; d < source.size(); ++d) {
      const bool is_known = !shape.empty() && random_.chance(0.6);
      if (!is_known) {
        operands.push_back(make_operand({DType::I64, shape}));
        continue;
      }
      const std::int64_t axis = random_.below(static_cast<std::int64_t>(shape.size()));
      const auto index = add(Op::Iota, {},
                             {{AttributeName::DType, DType::I64},
                              {AttributeName::Shape, shape},
                              {AttributeName::Axis, axis}});
      if (!index) return false;
      const Op op = random_.pick(std::array{Op::Add, Op::Sub, Op::Mod, Op::FloorDiv, Op::Minimum});
      const Value by = broadcast_to(
          graph_.add_constant(ir::make_integer_literal(DType::I64, random_.between(1, 3))), shape);
      const auto moved = add(op, {*index, by}, {});
      if (!moved) return false;
      operands.push_back(*moved);
    }
    return add(Op::Gather, operands, {}).has_value();
  }

  /// Any labels of the operand against a parameter with some of them and a new one.
  bool add_einsum(Value operand) {
    const Type type = graph_.type(operand);
    if (type.shape.size() > 4) return false;
    std::string left;
    std::string right;
    std::string result;
    Type other{type.dtype, {}};
    std::int64_t products = count(type.shape);
    for (std::size_t d = 0; d < type.shape.size(); ++d) {
      const char label = static_cast<char>('a' + d);
      left += label;
      const bool is_shared = random_.chance(0.5);
      if (is_shared) {
        right += label;
        other.shape.push_back(type.shape[d]);
      }
      if (!is_shared || random_.chance(0.4)) result.insert(result.begin(), label);
    }
    if (random_.chance(0.6)) {
      right += 'z';
      result += 'z';
      other.shape.emplace_back(random_.between(0, 4));
      products *= 4;
    }
    if (products > options_.most_products) return false;
    return add(Op::Einsum, {operand, make_operand(other)},
               {{AttributeName::Equation, left + "," + right + "->" + result}})
        .has_value();
  }

  /// Operands that its definition takes are found by trying.
  bool add_composite(const OpInfo& row, Value operand) {
    const Type type = graph_.type(operand);
    for (int attempt = 0; attempt < 8; ++attempt) {
      const Attributes attributes = draw_attributes(row.op, type.shape, random_);
      const std::int64_t operand_count = row.arity >= 0 ? row.arity : random_.between(1, 3);
      std::vector<Type> types{type};
      while (static_cast<std::int64_t>(types.size()) < operand_count) {
        types.push_back(draw_other_operand(type));
      }
      if (!is_legal(row.op, types, attributes) || !is_usable(row.op, types, attributes)) continue;
      std::vector<Value> operands{operand};
      for (std::size_t i = 1; i < types.size(); ++i) operands.push_back(make_operand(types[i]));
      return add(row.op, operands, attributes).has_value();
    }
    return add_sample(row.op, type.dtype);
  }

  /// On parameters of its own, where it takes what no random operand is.
  bool add_sample(Op op, DType dtype) {
    const std::vector<OperatorSample> samples = samples_of(op, dtype);
    if (samples.empty()) return false;
    const OperatorSample& sample = random_.pick(samples);
    if (!is_legal(op, sample.operands, sample.attributes)) return false;
    std::vector<Value> operands;
    for (const Type& type : sample.operands) operands.push_back(add_parameter(type));
    return add(op, operands, sample.attributes).has_value();
  }

  /// Whether its definition fits the sizes that are drawn, and all values of it are small: some look at
  /// pairs of elements.
  bool is_usable(Op op, const std::vector<Type>& types, const Attributes& attributes) const {
    ir::Graph graph("one");
    std::vector<Value> operands;
    for (const Type& type : types) {
      operands.push_back(graph.add_parameter(fmt::format("x{}", operands.size()), type));
    }
    graph.set_outputs({graph.add(op, operands, attributes)});
    const ir::Graph primitives = ir::decompose(graph);
    try {
      ir::check_conditions(primitives, ir::conditions_of(primitives), sizes_);
    } catch (const UserError&) {
      return false;
    }
    return std::all_of(primitives.nodes().begin(), primitives.nodes().end(), [&](const auto& node) {
      return count(node.results.at(0).shape) <= options_.most_products;
    });
  }

  Type draw_other_operand(const Type& first) {
    Type other = first;
    if (random_.chance(0.3)) other.dtype = random_.chance(0.7) ? DType::Bool : DType::I64;
    if (random_.chance(0.3)) {
      const auto keep = random_.below(static_cast<std::int64_t>(first.shape.size()) + 1);
      other.shape.assign(first.shape.begin() + keep, first.shape.end());
    }
    return other;
  }

  /// Seldom another dimension of the same extent, which only a call can show.
  Dim disguise(const Dim& dim) {
    if (!random_.chance(0.1)) return dim;
    const std::int64_t number = extent(dim);
    for (const auto& [name, size] : sizes_) {
      if (size == number && dim != Dim::size(name)) return Dim::size(name);
    }
    return number;
  }

  Attributes broadcast_attributes(Shape shape) {
    for (Dim& dim : shape) dim = dim == Dim(1) ? Dim(random_.pick(kExtents)) : disguise(dim);
    if (shape.size() < 4) shape.insert(shape.begin(), random_.between(0, 4));
    return {{AttributeName::Shape, shape}};
  }

  /// Merges two neighbours, splits a number, adds a 1, or drops one.
  Attributes reshape_attributes(Shape shape) {
    const auto d = static_cast<std::size_t>(
        random_.below(std::max<std::int64_t>(static_cast<std::int64_t>(shape.size()), 1)));
    const auto at = shape.begin() + static_cast<std::ptrdiff_t>(d);
    if (d + 1 < shape.size() && random_.chance(0.5)) {
      shape[d] = shape[d] * shape[d + 1];
      shape.erase(at + 1);
    } else if (d < shape.size() && shape[d] == Dim(1)) {
      shape.erase(at);
    } else if (d < shape.size() && shape[d].is_constant() && shape[d].constant() % 2 == 0) {
      shape[d] = shape[d].constant() / 2;
      shape.insert(at + 1, 2);
    } else {
      shape.insert(at, 1);
    }
    for (Dim& dim : shape) dim = disguise(dim);
    return {{AttributeName::Shape, shape}};
  }

  Attributes permute_attributes(const Shape& shape) {
    std::vector<std::int64_t> axes;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      axes.insert(axes.begin() + random_.below(static_cast<std::int64_t>(d) + 1),
                  static_cast<std::int64_t>(d));
    }
    return {{AttributeName::Axes, axes}};
  }

  /// Numbers: any range with any step. Names: whole, reversed, or every second.
  Attributes slice_attributes(const Shape& shape) {
    Shape begin;
    Shape length;
    std::vector<std::int64_t> steps;
    for (const Dim& dim : shape) {
      std::int64_t step = random_.chance(0.6) ? 1 : random_.between(2, 3);
      const bool reversed = random_.chance(0.3);
      if (!dim.is_constant()) {
        step = std::min<std::int64_t>(step, 2);
        begin.push_back(reversed ? dim - 1 : Dim(0));
        length.push_back(step == 1 ? dim : ir::floor_div(dim, 2));
      } else {
        const std::int64_t total = dim.constant();
        const std::int64_t first = total > 0 ? random_.below(total) / 2 : 0;
        const std::int64_t most = (total - first + step - 1) / step;
        length.emplace_back(random_.between(std::min<std::int64_t>(most, 1), most));
        begin.emplace_back(reversed ? total - 1 - first : first);
      }
      length.back() = disguise(length.back());
      steps.push_back(reversed ? -step : step);
    }
    return {{AttributeName::Begin, begin},
            {AttributeName::Shape, length},
            {AttributeName::Step, steps}};
  }

  bool add_matmul(Value operand) {
    const Type type = graph_.type(operand);
    if (type.shape.size() < 2) return false;
    const Dim k = type.shape.back();
    Dim columns = random_.pick(kExtents);
    if (extent(columns) * count(type.shape) > options_.most_products) columns = 1;
    if (count(type.shape) > options_.most_products) return false;
    Type other = {type.dtype, {k, columns}};
    // Batched with the same leading dimensions, or broadcast over them.
    if (random_.chance(0.5)) {
      other.shape.insert(other.shape.begin(), type.shape.begin(), type.shape.end() - 2);
    }
    Attributes attributes;
    if (type.dtype == DType::F32 && random_.chance(0.3)) {
      attributes.set(AttributeName::Precision, ir::Precision::Ieee);
    }
    return add(Op::Matmul, {operand, make_operand(other)}, attributes).has_value();
  }

  bool add_reduction(Op op, Value operand) {
    const Shape shape = graph_.type(operand).shape;
    Attributes attributes = {{AttributeName::Axes, draw_axes(shape, random_)}};
    std::vector<Value> operands = {operand};
    if (op == Op::Reduce) add_reducer(operands, attributes);
    if (op == Op::Sum && random_.chance(0.3)) {
      attributes.set(AttributeName::DType, draw_dtype());
    }
    return add(op, operands, attributes).has_value();
  }

  bool add_scan(Value operand) {
    const Shape shape = graph_.type(operand).shape;
    if (shape.empty()) return false;
    Attributes attributes = {
        {AttributeName::Axis, random_.below(static_cast<std::int64_t>(shape.size()))}};
    std::vector<Value> operands = {operand};
    add_reducer(operands, attributes);
    if (random_.chance(0.3)) attributes.set(AttributeName::Exclusive, true);
    if (random_.chance(0.3)) attributes.set(AttributeName::Reverse, true);
    return add(Op::Scan, operands, attributes).has_value();
  }

  /// An operator with an identity, or a Function; the latter may add an operand.
  void add_reducer(std::vector<Value>& operands, Attributes& attributes) {
    const Type type = graph_.type(operands[0]);
    if (options_.functions && type.dtype != DType::Bool && random_.chance(0.3)) {
      const bool with_index = random_.chance(0.4);
      if (with_index) operands.push_back(make_operand({DType::I64, type.shape}));
      attributes.set(AttributeName::Reducer,
                     with_index ? make_argmax(type.dtype) : make_largest_magnitude(type.dtype));
      return;
    }
    std::vector<Op> ops;
    for (const OpInfo& row : ir::all_ops()) {
      if (ir::accepts_dtype(row.op, type.dtype) && ir::identity_of(row.op, type.dtype)) {
        ops.push_back(row.op);
      }
    }
    const Op op = ops.empty() ? Op::Add : random_.pick(ops);
    attributes.set(AttributeName::Reducer, ir::Reducer{op, nullptr, {}});
  }

  void set_outputs() {
    std::vector<Value> outputs = {values_.back()};
    const std::int64_t more = random_.chance(0.5) ? 0 : random_.between(1, 2);
    for (std::int64_t i = 0; i < more; ++i) {
      const Value value = random_.pick(values_);
      const bool is_parameter = graph_.node(value).op == Op::Parameter;
      const bool is_new = std::find(outputs.begin(), outputs.end(), value) == outputs.end();
      if (is_new && !is_parameter) outputs.push_back(value);
    }
    graph_.set_outputs(outputs);
  }

  Random random_;
  RandomGraphOptions options_;
  ir::Graph graph_;
  std::map<std::string, std::int64_t> sizes_;
  std::vector<DType> dtypes_;
  std::vector<Value> values_;
};

/// Names that no parameter binds could not be known at a call: such graphs are drawn again.
bool binds_all_sizes(const RandomGraph& random) {
  std::set<std::string> bound;
  std::set<std::string> used;
  for (const ir::Node& node : random.graph.nodes()) {
    if (node.op == Op::Size) {
      used.merge(ir::sizes_of(node.attributes.get<Shape>(AttributeName::Shape)[0]));
    }
    for (const Type& type : node.results) {
      for (const Dim& dim : type.shape) {
        used.merge(ir::sizes_of(dim));
        if (node.op == Op::Parameter && dim.as_size()) bound.insert(*dim.as_size());
      }
    }
  }
  return std::includes(bound.begin(), bound.end(), used.begin(), used.end());
}

}  // namespace

RandomGraph make_random_graph(std::uint64_t seed, const RandomGraphOptions& options) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    // Attempts of neighbouring seeds draw from different sequences.
    RandomGraph random = Generator(seed + (attempt << 32), options).run(seed);
    random.graph.set_name(fmt::format("random_{}", seed));
    if (binds_all_sizes(random)) return random;
  }
}

std::string describe(const RandomGraph& random) {
  std::string sizes;
  for (const auto& [name, size] : random.sizes) sizes += fmt::format(" {} = {}", name, size);
  return fmt::format("seed {},{}\n{}", random.seed, sizes, ir::to_string(random.graph));
}

}  // namespace sinter::tests
