// Evaluates Functions on bit patterns: a Graph of one-result Scalar operators as a flat list.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codegen/expand/primitive.h"
#include "ir/graph.h"

namespace sinter::codegen {

/// Made once from a Function, then evaluated many times, from any thread.
class Interpreter {
 public:
  /// `function`: rank 0, primitive Scalar operators and casts only.
  explicit Interpreter(const ir::Graph& function);

  /// Bits of the first output for bits of the parameters, in order.
  std::uint64_t evaluate(std::span<const std::uint64_t> arguments) const;
  std::uint64_t evaluate(std::uint64_t argument) const { return evaluate({&argument, 1}); }

 private:
  struct Step {
    ir::Op op;
    ir::DType dtype;  // of the operands (select: of the second)
    ir::DType result;
    std::array<ir::NodeId, 3> from;  // registers of the operands; one register a node
    std::uint64_t bits;              // constant: its bits; parameter: its number
  };

  std::vector<Step> steps_;
  ir::NodeId output_;
};

}  // namespace sinter::codegen
