// Inputs are drawn dense and their elements put where the layout has them.
#include "tests/support/layout_check.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "ir/text.h"
#include "tests/support/device_run.h"

namespace sinter::tests {

namespace {

enum class Steps { Dense, Sliced, Reversed, Expanded };
constexpr Steps kAllSteps[] = {Steps::Dense, Steps::Sliced, Steps::Reversed, Steps::Expanded};

using Order = std::vector<std::size_t>;

/// Of `rank` dimensions, that number in the sorted list of all orders, which begins anew at its end.
Order order_of(std::size_t rank, int number) {
  Order order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int step = 0; step < number; ++step) std::next_permutation(order.begin(), order.end());
  return order;
}

/// The same elements, but for those that an expanded dimension leaves out.
RandomInput lay_out(const RandomInput& dense, const Order& order, Steps steps) {
  const std::vector<std::int64_t>& extents = dense.tensor.extents;
  const auto size = static_cast<std::int64_t>(size_bytes(dense.tensor.dtype));
  RandomInput input;
  input.tensor.dtype = dense.tensor.dtype;
  input.tensor.extents = extents;
  input.tensor.strides.resize(extents.size());
  std::int64_t stride = steps == Steps::Sliced ? 2 : 1;
  std::int64_t first = steps == Steps::Sliced ? 1 : 0;  // element
  for (std::size_t d = order.size(); d-- > 0;) {
    input.tensor.strides[order[d]] = stride;
    stride = stride * std::max<std::int64_t>(extents[order[d]], 1) + first;
  }
  if (!order.empty() && steps == Steps::Reversed) {
    const std::size_t inner = order.back();
    first = std::max<std::int64_t>(extents[inner] - 1, 0);
    input.tensor.strides[inner] = -1;
  }
  if (order.size() > 1 && steps == Steps::Expanded) input.tensor.strides[order.front()] = 0;
  input.storage.resize(static_cast<std::size_t>((stride + first + 1) * size));
  input.byte_offset = first * size;
  input.tensor.data = input.storage.data() + input.byte_offset;
  for (std::int64_t flat = 0; flat < reference::count_elements(extents); ++flat) {
    std::int64_t offset = first;
    const auto index = reference::unravel_index(extents, flat);
    for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * input.tensor.strides[d];
    std::memcpy(&input.storage[static_cast<std::size_t>(offset * size)],
                static_cast<const std::byte*>(dense.tensor.data) + flat * size,
                static_cast<std::size_t>(size));
  }
  return input;
}

}  // namespace

std::string check_all_layouts(const std::string& graph_text,
                              const std::map<std::string, std::int64_t>& sizes,
                              const Device& device, const CompileOptions& options,
                              CheckCounts* counts) {
  const ir::Graph graph = ir::parse_graph(graph_text);
  const Executable op = compile_lazily(graph, device, options);
  const std::vector<RandomInput> dense = make_inputs(graph, sizes, 11);
  std::size_t rank = 0;
  for (const RandomInput& input : dense) rank = std::max(rank, input.tensor.extents.size());
  const int order_count = rank == 3 ? 6 : 2;
  for (int number = 0; number < 2 * 4 * order_count; ++number) {
    const Steps steps = kAllSteps[number / 2 % 4];
    const int order_number = number / 8;
    std::vector<RandomInput> inputs;
    for (const RandomInput& input : dense) {
      const Order order = order_of(input.tensor.extents.size(), order_number);
      inputs.push_back(lay_out(input, order, steps));
    }
    std::vector<OutputOrder> orders;
    for (const ir::Value output : graph.outputs()) {
      const int output_order = number % 2 == 0 ? 0 : order_number;
      orders.push_back(order_of(graph.type(output).shape.size(), output_order));
    }
    reference::EvaluateOptions evaluation;
    const DeviceOutputs outputs = run_executable(op, inputs, &evaluation.longest_chain, orders);
    const std::string trouble = compare_with_reference(graph, inputs, outputs, counts, evaluation);
    if (trouble.empty()) continue;
    return fmt::format("layout {}, outputs in orders {}: {}", number, orders, trouble);
  }
  return "";
}

}  // namespace sinter::tests
