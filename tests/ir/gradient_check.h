// Gradients against central differences, and against themselves in wider arithmetic.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace sinter::tests {

/// One tensor for each parameter of a graph, as numbers.
using Numbers = std::vector<std::vector<double>>;

/// Draws a floating number.
struct Range {
  double low;
  double high;
};
/// Random numbers in the range for floating parameters, in [0, 3) for others; representable in their types.
Numbers draw_numbers(const ir::Graph& graph, Range range, std::uint64_t seed);

/// Every element of every output, by the reference.
Numbers evaluate_numbers(const ir::Graph& graph, const Numbers& inputs);

/// Empty where the gradient by every floating parameter of an f64 graph agrees with central differences in
/// two random directions, on numbers of the first of several ranges where no result is NaN.
std::string difference_from_slopes(const ir::Graph& graph);

}  // namespace sinter::tests
