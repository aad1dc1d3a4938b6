// IR text -> object file.
#pragma once

#include <string>
#include <string_view>

namespace sinter::runtime::cpu_jit {

struct Host {
  std::string cpu;
  std::string features;  // "+avx,+avx2,-avx512f", sorted by name
};
const Host& host();

/// Makes this machine's target known to LLVM, once; what needs it calls this first.
void initialize_target();

/// Bytes of an object file for `cpu` with `features`. Throws std::runtime_error with LLVM's message,
/// "line:column: text" where it has a place.
std::string compile_ir(std::string_view ir_text, const std::string& cpu,
                       const std::string& features);

}  // namespace sinter::runtime::cpu_jit
