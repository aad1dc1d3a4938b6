// Draws a layout, allocates the bytes that it spans, then writes a value at every index.
#include "tests/support/random_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "ir/bind_sizes.h"
#include "tests/support/random.h"

namespace sinter::tests {

using ir::DType;

namespace {

constexpr std::array kLayouts = {Layout::Contiguous, Layout::Transposed, Layout::Sliced,
                                 Layout::Expanded,   Layout::Reversed,   Layout::Misaligned};
constexpr std::array kValues = {Values::Uniform, Values::Normal, Values::Integers, Values::Special};

/// Strides in elements, and how many lie before the element with index 0 everywhere.
struct Placement {
  std::vector<std::int64_t> strides;
  std::int64_t lead = 0;
};

/// Not in their own order where there are two at least.
std::vector<std::size_t> shuffled_dimensions(Random& random, std::size_t rank) {
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = rank; i > 1; --i) {
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
  }
  const bool is_sorted = std::is_sorted(order.begin(), order.end());
  if (is_sorted && rank > 1) std::swap(order[0], order[1]);
  return order;
}

Placement place(Random& random, Layout layout, const std::vector<std::int64_t>& extents) {
  const std::size_t rank = extents.size();
  Placement placement;
  placement.strides.resize(rank);
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (layout == Layout::Transposed) order = shuffled_dimensions(random, rank);
  std::int64_t stride = 1;
  for (std::size_t i = rank; i-- > 0;) {
    const std::size_t d = order[i];
    const bool is_last = i + 1 == rank;
    const bool is_spread = random.chance(0.5) || (is_last && rank == 1);
    if (layout == Layout::Sliced && is_spread) stride *= random.between(2, 3);
    placement.strides[d] = stride;
    stride *= std::max<std::int64_t>(extents[d], 1);
    if (layout == Layout::Sliced) stride += is_last ? 1 : random.below(2);
  }
  if (layout == Layout::Misaligned) placement.lead = 1;
  if (layout == Layout::Sliced) placement.lead = random.below(4);
  if (rank == 0) return placement;
  const auto some = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(rank)));
  if (layout == Layout::Expanded) placement.strides[some] = 0;
  if (layout == Layout::Reversed) {
    for (std::size_t d = 0; d < rank; ++d) {
      if (d != some && random.chance(0.5)) continue;
      placement.lead += std::max<std::int64_t>(extents[d] - 1, 0) * placement.strides[d];
      placement.strides[d] = -placement.strides[d];
    }
  }
  return placement;
}

double draw_special_float(Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  // 1e-310 is a subnormal of f64 and 1e-40 of f32; narrower types round both as they do.
  constexpr std::array kSpecial = {std::numeric_limits<double>::quiet_NaN(),
                                   kInfinity,
                                   -kInfinity,
                                   -0.0,
                                   0.0,
                                   1e-40,
                                   -1e-40,
                                   1e-310,
                                   6e-8,
                                   3e38,
                                   -3e38,
                                   65504.0,
                                   448.0};
  return random.pick(kSpecial);
}

std::uint64_t draw_float(Random& random, DType dtype, Values values) {
  double value = 2 * random.uniform() - 1;
  if (values == Values::Normal) value = random.normal();
  if (values == Values::Integers) value = static_cast<double>(random.between(-8, 8));
  if (values == Values::Special && random.chance(0.1)) value = draw_special_float(random);
  // Conversions to f8e5m2 saturate, but its infinities are values like others.
  if (dtype == DType::F8E5M2 && std::isinf(value)) return value > 0 ? 0x7c : 0xfc;
  return ir::encode_float(dtype, value);
}

std::uint64_t draw_integer(Random& random, DType dtype, Values values) {
  const bool is_signed = ir::is_signed_integer(dtype);
  const int bits = ir::bits(dtype);
  if (values == Values::Special) {
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - bits);
    const std::array<std::uint64_t, 6> special = {
        0, 1, ones, ones >> 1, (ones >> 1) + 1, random.next() & ones};
    return random.pick(special);
  }
  const std::int64_t limit = values == Values::Integers ? 8 : 10;
  return static_cast<std::uint64_t>(random.between(is_signed ? -limit : 0, limit));
}

std::uint64_t draw_value(Random& random, DType dtype, Values values) {
  if (dtype == DType::Bool) return static_cast<std::uint64_t>(random.below(2));
  return ir::is_float(dtype) ? draw_float(random, dtype, values)
                             : draw_integer(random, dtype, values);
}

/// Elements from the first byte of storage to the last element reached.
std::int64_t span_elements(const Placement& placement, const std::vector<std::int64_t>& extents) {
  std::int64_t last = placement.lead;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (placement.strides[d] > 0)
      last += std::max<std::int64_t>(extents[d] - 1, 0) * placement.strides[d];
  }
  return last + 1;
}

RandomInput make_input(Random& random, const ir::Type& type, std::vector<std::int64_t> extents,
                       Layout layout, Values values) {
  const Placement placement = place(random, layout, extents);
  const auto width = static_cast<std::int64_t>(size_bytes(type.dtype));
  RandomInput input;
  // What lies between the elements is poison: all bits set is NaN or -1.
  input.storage.assign(static_cast<std::size_t>(span_elements(placement, extents) * width),
                       std::byte{0xff});
  input.byte_offset = placement.lead * width;
  input.tensor = {type.dtype, extents, placement.strides, input.storage.data() + input.byte_offset};
  const std::int64_t count = reference::count_elements(extents);
  for (std::int64_t flat = 0; flat < count; ++flat) {
    const auto index = reference::unravel_index(extents, flat);
    std::int64_t offset = placement.lead;
    for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * placement.strides[d];
    const std::uint64_t bits = draw_value(random, type.dtype, values);
    std::memcpy(input.storage.data() + offset * width, &bits, static_cast<std::size_t>(width));
  }
  return input;
}

}  // namespace

std::vector<RandomInput> make_inputs(const ir::Graph& graph,
                                     const std::map<std::string, std::int64_t>& sizes,
                                     std::uint64_t seed, Layout layout, Values values) {
  Random random(seed);
  std::vector<RandomInput> inputs;
  for (const ir::NodeId id : graph.parameters()) {
    const ir::Type& type = graph.node(id).results[0];
    const Layout own_layout = layout == Layout::Any ? random.pick(kLayouts) : layout;
    const Values own_values = values == Values::Any ? random.pick(kValues) : values;
    inputs.push_back(
        make_input(random, type, ir::evaluate_shape(type.shape, sizes), own_layout, own_values));
  }
  return inputs;
}

std::vector<RandomInput> make_inputs(const ir::Graph& graph,
                                     const std::map<std::string, std::int64_t>& sizes,
                                     std::uint64_t seed, std::span<const InputKind> kinds) {
  std::vector<RandomInput> inputs;
  for (const ir::NodeId id : graph.parameters()) {
    const ir::Type& type = graph.node(id).results[0];
    std::uint64_t mixed = seed;
    for (const char letter : graph.parameter_name(id)) {
      mixed = mixed * 31 + static_cast<unsigned char>(letter);
    }
    Random random(mixed);
    const InputKind& kind = kinds[inputs.size()];
    inputs.push_back(
        make_input(random, type, ir::evaluate_shape(type.shape, sizes), kind.layout, kind.values));
  }
  return inputs;
}

std::vector<InputKind> draw_kinds(const ir::Graph& graph, std::uint64_t seed) {
  Random random(seed ^ 0x5157);
  std::vector<InputKind> kinds;
  for (const ir::NodeId id : graph.parameters()) {
    const auto rank = static_cast<std::int64_t>(graph.node(id).results[0].shape.size());
    std::vector<Layout> fitting;
    for (const Layout layout : kLayouts) {
      const bool is_plain = layout == Layout::Contiguous || !graph.is_host_scalar(id);
      if (least_rank(layout) <= rank && is_plain) fitting.push_back(layout);
    }
    kinds.push_back({random.pick(fitting), random.pick(kValues)});
  }
  return kinds;
}

std::span<const Layout> all_layouts() { return kLayouts; }

std::int64_t least_rank(Layout layout) {
  switch (layout) {
    case Layout::Transposed: return 2;
    case Layout::Sliced:
    case Layout::Expanded:
    case Layout::Reversed: return 1;
    case Layout::Contiguous:
    case Layout::Misaligned:
    case Layout::Any: return 0;
  }
  return 0;
}

std::vector<reference::HostTensor> tensors_of(const std::vector<RandomInput>& inputs) {
  std::vector<reference::HostTensor> tensors;
  for (const RandomInput& input : inputs) tensors.push_back(input.tensor);
  return tensors;
}

std::string to_string(Layout layout) {
  switch (layout) {
    case Layout::Contiguous: return "contiguous";
    case Layout::Transposed: return "transposed";
    case Layout::Sliced: return "sliced";
    case Layout::Expanded: return "expanded";
    case Layout::Reversed: return "reversed";
    case Layout::Misaligned: return "misaligned";
    case Layout::Any: return "any";
  }
  return "";
}

std::string to_string(Values values) {
  switch (values) {
    case Values::Uniform: return "uniform";
    case Values::Normal: return "normal";
    case Values::Integers: return "integers";
    case Values::Special: return "special";
    case Values::Any: return "any";
  }
  return "";
}

std::optional<Layout> parse_layout(std::string_view text) {
  for (const Layout layout : kLayouts) {
    if (to_string(layout) == text) return layout;
  }
  return std::nullopt;
}

std::optional<Values> parse_values(std::string_view text) {
  for (const Values values : kValues) {
    if (to_string(values) == text) return values;
  }
  return std::nullopt;
}

}  // namespace sinter::tests
