// Random input tensors for a Graph, in every layout that callers may pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"
#include "reference/host_tensor.h"

namespace sinter::tests {

enum class Layout : std::uint8_t {
  Contiguous,
  Transposed,  // strides in a random order of the dimensions
  Sliced,      // every second or third element of a larger tensor, rows with an odd pitch
  Expanded,    // one dimension has stride 0
  Reversed,    // one or more negative strides
  Misaligned,  // contiguous, one element after an aligned address
  Any,         // one of these, each input its own
};

enum class Values : std::uint8_t {
  Uniform,   // [-1, 1]; integers in [-10, 10]
  Normal,    // standard normal
  Integers,  // whole numbers in [-8, 8]
  Special,   // a tenth NaN, infinities, -0.0, subnormals, largest; integers their extremes
  Any,       // one of these, each input its own
};

/// The six layouts that there are.
std::span<const Layout> all_layouts();
/// The fewest dimensions of a tensor that may have it: 2 for a transposed one, 0 for dense ones.
std::int64_t least_rank(Layout layout);

/// How one input is laid out and filled.
struct InputKind {
  Layout layout = Layout::Contiguous;
  Values values = Values::Uniform;
};

/// Owns its bytes; moving it keeps `tensor` valid, copying does not.
struct RandomInput {
  /// Points into `storage`.
  reference::HostTensor tensor;
  std::vector<std::byte> storage;
  /// Where in `storage` the element with index 0 everywhere lies, to rebuild the view on a device.
  std::int64_t byte_offset = 0;

  RandomInput() = default;
  RandomInput(RandomInput&&) = default;
  RandomInput& operator=(RandomInput&&) = default;
};

/// One input a parameter of `graph`, its named dimensions being `sizes`.
std::vector<RandomInput> make_inputs(const ir::Graph& graph,
                                     const std::map<std::string, std::int64_t>& sizes,
                                     std::uint64_t seed, Layout layout = Layout::Contiguous,
                                     Values values = Values::Uniform);

/// The same with a kind for each parameter. An input depends on the seed, its name and its kind, not on
/// the other inputs.
std::vector<RandomInput> make_inputs(const ir::Graph& graph,
                                     const std::map<std::string, std::int64_t>& sizes,
                                     std::uint64_t seed, std::span<const InputKind> kinds);
/// Kinds for every parameter, each a random one that its rank allows.
std::vector<InputKind> draw_kinds(const ir::Graph& graph, std::uint64_t seed);

/// The views alone, as reference::evaluate takes them.
std::vector<reference::HostTensor> tensors_of(const std::vector<RandomInput>& inputs);

std::string to_string(Layout layout);
std::string to_string(Values values);
std::optional<Layout> parse_layout(std::string_view text);
std::optional<Values> parse_values(std::string_view text);

}  // namespace sinter::tests
