// The subcommands of `sinter`: each adds itself to the command line and runs; one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "tools/exit_code.h"

namespace sinter::tools {

/// Adds a subcommand; the returned function runs it after parsing.
using AddSubcommand = std::function<ExitCode()> (*)(CLI::App& app);

std::function<ExitCode()> add_doctor(CLI::App& app);
std::function<ExitCode()> add_ops(CLI::App& app);
std::function<ExitCode()> add_explain(CLI::App& app);
std::function<ExitCode()> add_run(CLI::App& app);

/// Option --ops LIB..., shared by all that take operators by name.
void add_ops_option(CLI::App& command, std::vector<std::string>& libraries);
/// Registers the built-in library and loads the named ones.
void load_operator_libraries(const std::vector<std::string>& libraries);

}  // namespace sinter::tools
