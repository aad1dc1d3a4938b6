// What a class of calls has to promise so that a tensor map can be made for them.
#pragma once

#include "codegen/program.h"
#include "ir/facts.h"

namespace sinter::codegen::cuda {

/// Facts under which the tensor-copy engine takes every call's address, extents and strides of this
/// TensorMap argument, for a schedule to add to its class; a call that fails one takes another class.
/// That the innermost dimension is dense is the schedule's own to claim: it chose which that is.
/// The demands are those of runtime/cuda/tensor_map.h.
ir::Facts tensor_map_facts(const Argument& argument);

}  // namespace sinter::codegen::cuda
