// Mistakes planted in the text of GPU programs: waits, barriers and steps that a Kernel does not have.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codegen/program.h"
#include "sinter/compile.h"

namespace sinter::tests {

/// Every match of `pattern` (a regular expression) is replaced.
struct TextEdit {
  std::string pattern;
  std::string replacement;
};

struct TextMutant {
  std::string name;
  std::string graph;
  /// All are made. A mistake that only bad luck shows has an edit beside it that brings the bad luck, such as a late
  /// copy: a program without the mistake is right with it, which a control proves.
  std::vector<TextEdit> edits;
  /// True of a control: what is planted is no mistake.
  bool is_right = false;
  /// Perhaps the kernel never ends: to be run in a process of its own, with a limit of time.
  bool may_hang = false;
};
std::span<const TextMutant> all_text_mutants();
/// UserError with the names that there are.
const TextMutant& find_text_mutant(const std::string& name);

/// The program with the edits; nullopt where one of them has no place.
std::optional<codegen::Program> edit_program(codegen::Program program, const TextMutant& mutant);

/// Its graph compiled with the edits in its first kernel; nullopt where the program of its best class has no such
/// text. One at a time, of which the last one compiled may still compile more classes.
std::optional<Executable> compile_mutant(const Device& device, const TextMutant& mutant);

}  // namespace sinter::tests
