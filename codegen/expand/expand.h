// Kernel -> Kernel: elementary functions become scalar expansions in our own IR (the same for both
// backends, so CPU and GPU agree bit for bit), after planning and before emission.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "ir/graph.h"
#include "ir/kernel.h"

namespace sinter::codegen {

/// The expansion of `op` for operands of `dtype` as a Function of primitive operators on f64, or on
/// f32 for f32 and the narrow floats. Null where `op` is primitive (both backends emit it directly).
/// Built once, shared.
std::shared_ptr<const ir::Graph> expansion_of(ir::Op op, ir::DType dtype);

/// Whether a backend writes the operator on operands of `dtype` itself.
using IsNative = std::function<bool(ir::Op op, ir::DType dtype)>;

/// Replaces every operator that has an expansion and is not native, also inside reducers.
ir::Kernel expand_elementary(const ir::Kernel& kernel, const IsNative& is_native = nullptr);

/// Evaluates one scalar operator (expansions included) on literals exactly as generated code does:
/// what the constant folder and the exhaustive tests use. NaN results are the canonical NaN.
ir::Literal evaluate_scalar(ir::Op op, std::span<const ir::Literal> operands,
                            const ir::Attributes& attributes);

}  // namespace sinter::codegen
