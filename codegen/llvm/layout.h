// Where the elements of loads and stores lie: offsets as index expressions, with strides from Facts
// or, where nothing is known, as symbols that become arguments of the entry point.
#pragma once

#include <optional>

#include "codegen/program.h"
#include "ir/facts.h"
#include "ir/kernel.h"

namespace sinter::codegen::llvm {

/// Stride of a parameter's dimension, in elements: a number or product of sizes where Facts tell
/// it, else the size symbol "stride(x, 1)".
ir::IndexExpr stride_of(const ir::Kernel& kernel, const ir::Facts& facts, std::int64_t param,
                        std::size_t dimension);
/// The argument that a size symbol stands for: a size, or a stride.
Argument argument_of_symbol(const std::string& symbol);

/// Offset of the element that a load or store touches, in elements.
ir::IndexExpr offset_of(const ir::Kernel& kernel, const ir::Facts& facts,
                        const ir::KernelNode& access);

/// How an access moves from one lane to the next.
enum class LaneStep : std::uint8_t {
  Invariant,  // every lane has the same element
  Unit,       // neighbours in memory
  Reversed,   // neighbours, downwards
  Strided,    // a constant distance, known when the kernel runs
  Irregular,  // each lane has an offset of its own
};
struct LaneStride {
  LaneStep step = LaneStep::Invariant;
  ir::IndexExpr distance;  // Unit, Reversed, Strided
};
LaneStride lane_stride(const ir::Kernel& kernel, const ir::Facts& facts,
                       const ir::KernelNode& access, ir::AxisId axis);

/// True where the expression changes with the axis, itself or through a value in it.
bool depends_on(const ir::Kernel& kernel, const ir::IndexExpr& expr, ir::AxisId axis);
bool depends_on(const ir::Kernel& kernel, const ir::Shape& expressions, ir::AxisId axis);

}  // namespace sinter::codegen::llvm
