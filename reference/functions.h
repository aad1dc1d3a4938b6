// The elementary functions: exact values by the C library, and their error bounds.
#pragma once

#include <span>

#include "ir/op.h"
#include "reference/element.h"

namespace sinter::reference {

/// `op` (one that codegen expands: exp to atan2) on decided elements of `dtype`. Undecided where the
/// operands' intervals reach over a pole, a jump or the end of the domain.
Element evaluate_function(ir::Op op, ir::DType dtype, std::span<const Element> operands);

/// What a function may miss, relative to its value: 4 ulp of the stored type, an ulp being at most 2u of the value. Narrow types would
/// be let off with 2^-5 and more, so they are held to 2^-10, which the hardware's approximate forms
/// keep (PTX ISA: tanh.approx.f32 2^-11, ex2.approx.f16 2^-9.9).
Wide function_error(ir::DType dtype);

/// The same for a function whose value is rounded to a narrow float before any output (NarrowForm::is_rounded_later):
/// a backend may compute `exp` in f32 with a relative error of 2^-16, as its argument's rounding is.
Element loosen_function(ir::Op op, ir::DType dtype, Element element);

/// A value that a legal computation may miss by `propagated` and by function_error of itself and of
/// `terms`, the size of what it is the difference of. Where `is_limit` says that it is a zero, a pole
/// or a limit of exact operands, it is certain if the type holds it; so is NaN.
Element function_element(ir::DType dtype, Wide value, bool is_limit, Wide propagated,
                         Wide terms = 0);

}  // namespace sinter::reference
