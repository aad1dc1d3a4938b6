// From the words of a command line to the subcommand that runs.
#pragma once

#include <span>

#include "tools/subcommands.h"

namespace sinter::tools {

/// Fills the arguments of the named subcommand and runs it; Ok after printing a help text.
/// @throws UserError for a command line that fits none.
ExitCode run_command_line(std::span<const Subcommand> subcommands, int argc, char** argv);

}  // namespace sinter::tools
