// Evaluates a Graph as it stands: no rewrite, no fusion, wider arithmetic, and for every element a
// bound on what any legal computation in the default mode may differ by.
//
// Narrow floats are not rounded between nodes, only by an explicit cast and where a node is an
// output of the graph; its consumers then see the rounded value (DESIGN section 3).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ir/bind_sizes.h"
#include "ir/graph.h"
#include "reference/host_tensor.h"

namespace sinter::reference {

struct EvaluateOptions {
  /// The most roundings that one term of a sum goes through in the computation that is checked
  /// (its serial chain plus the depth of its tree); 0: not known, one after the other. Long sums
  /// need it: 2^20 terms one after the other may lose a sixteenth of the sum of their magnitudes.
  std::int64_t longest_chain = 0;
  /// Round narrow floats at every node.
  bool round_each = false;
};

/// Some or all elements of one output.
struct ReferenceOutput {
  ir::DType dtype = ir::DType::F32;
  std::vector<std::int64_t> extents;
  /// Row-major numbers of the elements evaluated; without repetition only if asked for so.
  std::vector<std::int64_t> indices;
  /// One for each of `indices`.
  std::vector<Element> elements;
  /// For each of `indices` how often an element of any node was asked for, beyond what those before it had asked
  /// for: what it cost, the same on every machine.
  std::vector<std::int64_t> visits;
};

struct ReferenceResult {
  std::vector<ReferenceOutput> outputs;
};

/// Every element of every output. Inputs in the order of the parameters. UserError where inputs do
/// not fit the parameters' dtypes and shapes, or sizes known only now make a node meaningless.
ReferenceResult evaluate(const ir::Graph& graph, std::span<const HostTensor> inputs,
                         const EvaluateOptions& options = {});

/// The elements `indices` (row-major numbers) of output number `output`; evaluates only what they
/// need. UserError for an index outside.
ReferenceOutput evaluate(const ir::Graph& graph, std::span<const HostTensor> inputs,
                         std::size_t output, std::span<const std::int64_t> indices,
                         const EvaluateOptions& options = {});

}  // namespace sinter::reference
