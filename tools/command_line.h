// From the words of a command line to the subcommand that runs, or to the arguments of a program without
// any. A message is one line that names the option, what was given and what is needed.
#pragma once

#include <span>

#include "tools/subcommands.h"

namespace sinter::tools {

/// Fills the arguments of the named subcommand and runs it; Ok after printing a help text.
/// @throws UserError for a command line that fits none.
ExitCode run_command_line(std::span<const Subcommand> subcommands, int argc, char** argv);

/// Fills the arguments of `program`, which has no subcommands; false after printing a help text.
/// @throws UserError for a command line that does not fit.
bool read_arguments(const std::string& program, const std::string& help,
                    std::span<const ArgumentSpec> arguments, int argc, char** argv);

}  // namespace sinter::tools
