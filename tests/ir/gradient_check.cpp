// Slopes in random directions: a wrong element shows in all of them.
#include "tests/ir/gradient_check.h"

#include <fmt/format.h>

#include <cmath>

#include "ir/bind_sizes.h"
#include "ir/differentiate/gradient.h"
#include "ir/text.h"
#include "tests/support/graph_case.h"
#include "tests/support/random.h"

namespace sinter::tests {

namespace {

constexpr double kStep = 1e-5;
constexpr double kTolerance = 1e-6;

const ir::Type& type_of(const ir::Graph& graph, std::size_t parameter) {
  return graph.type({graph.parameters()[parameter], 0});
}

bool has_nan(const Numbers& numbers) {
  for (const auto& tensor : numbers) {
    for (const double number : tensor) {
      if (std::isnan(number)) return true;
    }
  }
  return false;
}

/// Sum of the floating results times their cotangents; infinities are the identities of extremes.
double weigh(const ir::Graph& graph, const Numbers& results, const Numbers& cotangents) {
  double total = 0;
  std::size_t c = 0;
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (!ir::is_float(graph.type(graph.outputs()[r]).dtype)) continue;
    for (std::size_t i = 0; i < results[r].size(); ++i) {
      if (std::isinf(results[r][i])) continue;
      total += results[r][i] * (cotangents.empty() ? 1 : cotangents[c][i]);
    }
    ++c;
  }
  return total;
}

std::string check_parameter(const ir::Graph& graph, const Numbers& inputs,
                            const Numbers& cotangents, std::size_t parameter,
                            const std::vector<double>& gradient, std::uint64_t seed) {
  Random random(seed);
  double expected = 0;
  Numbers above = inputs;
  Numbers below = inputs;
  double scale = 1;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double direction = random.uniform() * 2 - 1;
    above[parameter][i] += kStep * direction;
    below[parameter][i] -= kStep * direction;
    expected += gradient[i] * direction;
    scale += std::abs(gradient[i]);
  }
  const double slope = (weigh(graph, evaluate_numbers(graph, above), cotangents) -
                        weigh(graph, evaluate_numbers(graph, below), cotangents)) /
                       (2 * kStep);
  if (std::abs(slope - expected) <= kTolerance * scale) return "";
  return fmt::format("by %{}: the slope is {}, the gradient says {}",
                     graph.parameter_name(graph.parameters()[parameter]), slope, expected);
}

}  // namespace

Numbers draw_numbers(const ir::Graph& graph, Range range, std::uint64_t seed) {
  Random random(seed);
  Numbers numbers;
  for (std::size_t p = 0; p < graph.parameters().size(); ++p) {
    const ir::Type& type = type_of(graph, p);
    std::vector<double>& tensor = numbers.emplace_back();
    std::int64_t count = 1;
    for (const std::int64_t extent : ir::evaluate_shape(type.shape, {})) count *= extent;
    for (std::int64_t i = 0; i < count; ++i) {
      const double real = range.low + (range.high - range.low) * random.uniform();
      const double number = ir::is_float(type.dtype) ? real : static_cast<double>(random.below(3));
      tensor.push_back(ir::as_double(ir::make_literal(type.dtype, number)));
    }
  }
  return numbers;
}

Numbers evaluate_numbers(const ir::Graph& graph, const Numbers& inputs) {
  std::vector<std::vector<std::byte>> storage;
  std::vector<reference::HostTensor> tensors;
  storage.reserve(inputs.size());
  for (std::size_t p = 0; p < inputs.size(); ++p) {
    const ir::Type& type = type_of(graph, p);
    const CaseInput input{type.dtype, ir::evaluate_shape(type.shape, {}), inputs[p]};
    storage.push_back(bytes_of(input));
    tensors.push_back(view_of(input, storage.back()));
  }
  Numbers results;
  for (const auto& output : reference::evaluate(graph, tensors).outputs) {
    results.push_back(values_of(output));
  }
  return results;
}

std::string difference_from_slopes(const ir::Graph& graph) {
  const ir::Graph gradient = ir::make_gradient(graph, {}, {});
  const std::size_t count = graph.parameters().size();
  for (const Range range : {Range{-0.9, 0.9}, Range{0.1, 0.9}, Range{1.2, 1.9}}) {
    Numbers inputs = draw_numbers(gradient, range, 5);
    const Numbers cotangents(inputs.begin() + static_cast<std::ptrdiff_t>(count), inputs.end());
    const Numbers own(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(count));
    if (has_nan(evaluate_numbers(graph, own))) continue;
    const Numbers gradients = evaluate_numbers(gradient, inputs);
    std::size_t g = 0;
    for (std::size_t p = 0; p < count; ++p) {
      if (!ir::is_float(type_of(graph, p).dtype)) continue;
      for (const std::uint64_t seed : {11, 12}) {
        const std::string trouble =
            check_parameter(graph, own, cotangents, p, gradients.at(g), seed);
        if (!trouble.empty()) return trouble;
      }
      ++g;
    }
    return "";
  }
  return "every range of numbers gives NaN";
}

}  // namespace sinter::tests
