// Which features of a processor generated code may use.
#pragma once

#include <string>

namespace sinter::runtime {

/// LLVM's feature list ("+avx,+avx2,-avx512f") with avx512fp16 switched off: everything narrow is computed in
/// f32 here, and LLVM 19 narrows comparisons of widened f16 to f16 ones, whose operands it swaps without the
/// predicate when it folds a load into vcmpph (fuzz case 12873: mish of f16 on a Sapphire Rapids).
std::string usable_features(std::string features);

/// Width of the widest vector registers that `features` name.
int vector_bytes(const std::string& features);

}  // namespace sinter::runtime
