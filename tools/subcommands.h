// The subcommands of `sinter` as data: what each takes and what it does; one file each. Only
// command_line.cpp knows the library that reads command lines.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "tools/exit_code.h"

namespace sinter::tools {

/// One argument. Its target is filled before the subcommand runs, and lives as long as its `run`.
struct ArgumentSpec {
  std::string name;  // "TASK" stands at its place, "--device" is an option
  std::string help;
  /// Text, a whole number, a repeatable option, or a flag. Unsigned numbers go up to 2^64 - 1.
  std::variant<std::string*, std::int64_t*, std::uint64_t*, std::vector<std::string>*, bool*>
      target;
  bool is_required = false;
  std::int64_t least = 0;     // of numbers
  std::string excludes = {};  // the name of an option that cannot be given beside it
  std::int64_t most = std::numeric_limits<std::int64_t>::max();  // of signed numbers
};

struct Subcommand {
  std::string name;
  std::string help;
  std::vector<ArgumentSpec> arguments;
  std::function<ExitCode()> run;
};

Subcommand doctor_subcommand();
Subcommand ops_subcommand();
Subcommand explain_subcommand();
Subcommand run_subcommand();
Subcommand check_subcommand();
Subcommand ceilings_subcommand();

/// Option --ops LIB..., shared by all that take operators by name.
ArgumentSpec ops_argument(std::vector<std::string>& libraries);
/// Registers the built-in library and loads the named ones.
void load_operator_libraries(const std::vector<std::string>& libraries);

}  // namespace sinter::tools
