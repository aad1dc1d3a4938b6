// Parameters of an entry point: what the runtime passes and how the text calls it.
#pragma once

#include <string>
#include <vector>

#include "codegen/cuda/index_text.h"
#include "codegen/cuda/names.h"
#include "codegen/program.h"
#include "ir/facts.h"

namespace sinter::codegen::cuda {

struct Signature {
  std::vector<Argument> arguments;
  std::vector<std::string> parameters;  // C declarations, in the same order
  std::vector<std::string> aliases;     // lines that bring sizes and strides to type idx
};

/// Pointers (host scalars: values) in the order of the kernel's params, then the sizes that the text may mention, then the
/// strides of params that `facts` do not call contiguous (known strides become numbers). Fills
/// `names`. With `restrict_inputs`, inputs are promised not to alias outputs.
Signature make_signature(const ir::Kernel& kernel, const ir::Facts& facts, bool restrict_inputs,
                         NameTable& table, TextNames& names, PieceSet& pieces);

}  // namespace sinter::codegen::cuda
