// LLVM's texts and errors as ours.
#pragma once

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>

#include <stdexcept>
#include <string>

namespace sinter::runtime::cpu_jit {

/// A text that LLVM allocated, which it frees.
inline std::string take_text(char* text) {
  std::string copy = text == nullptr ? "" : text;
  LLVMDisposeMessage(text);
  return copy;
}

/// Throws std::runtime_error with the error's text, if it is one.
inline void require(LLVMErrorRef error) {
  if (error == nullptr) return;
  char* text = LLVMGetErrorMessage(error);
  const std::string copy = text;
  LLVMDisposeErrorMessage(text);
  throw std::runtime_error(copy);
}

}  // namespace sinter::runtime::cpu_jit
