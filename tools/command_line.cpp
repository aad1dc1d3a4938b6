// Subcommands given to CLI11.
#include "tools/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "sinter/error.h"
#include "support/nearest.h"

namespace sinter::tools {

namespace {

// Why `text` is no whole number of at least `least`; empty where it is one.
std::string refuse_number(const std::string& text, std::int64_t least) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = code == std::errc() && end == text.data() + text.size();
  if (is_whole && value >= least) return {};
  return fmt::format("'{}' is given, a whole number of at least {} is needed", text, least);
}

// No option of ours means anything with an empty value: it is a script's unset variable.
std::string refuse_empty(const std::string& value) {
  return value.empty() ? "the value is empty" : "";
}

CLI::Option* add_target(CLI::App& command, const ArgumentSpec& argument) {
  if (const auto* flag = std::get_if<bool*>(&argument.target)) {
    return command.add_flag(argument.name, **flag, argument.help);
  }
  CLI::Option* option = nullptr;
  if (const auto* text = std::get_if<std::string*>(&argument.target)) {
    option = command.add_option(argument.name, **text, argument.help);
  } else if (const auto* texts = std::get_if<std::vector<std::string>*>(&argument.target)) {
    option = command.add_option(argument.name, **texts, argument.help)->type_name("TEXT");
  } else {
    option =
        command.add_option(argument.name, *std::get<std::int64_t*>(argument.target), argument.help);
    option->check(
        [least = argument.least](const std::string& given) { return refuse_number(given, least); });
  }
  return option->check(refuse_empty);
}

CLI::App* add_subcommand(CLI::App& app, const Subcommand& subcommand) {
  CLI::App* command = app.add_subcommand(subcommand.name, subcommand.help);
  for (const ArgumentSpec& argument : subcommand.arguments) {
    CLI::Option* option = add_target(*command, argument);
    option->required(argument.is_required);
    if (!argument.excludes.empty()) option->excludes(command->get_option(argument.excludes));
  }
  return command;
}

}  // namespace

ExitCode run_command_line(std::span<const Subcommand> subcommands, int argc, char** argv) {
  CLI::App app("Fused tensor operators: written in C++, compiled at start-up, proved right");
  app.name("sinter");
  app.require_subcommand(1);
  std::vector<const CLI::App*> commands;
  for (const Subcommand& subcommand : subcommands) {
    commands.push_back(add_subcommand(app, subcommand));
  }
  if (argc > 1 && argv[1][0] != '-') {
    std::vector<std::string> names;
    for (const Subcommand& subcommand : subcommands) names.push_back(subcommand.name);
    if (std::find(names.begin(), names.end(), argv[1]) == names.end()) {
      throw UserError(fmt::format("there is no subcommand '{}'{} (sinter --help tells more)",
                                  argv[1], support::did_you_mean(argv[1], names)));
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_help = error.get_exit_code() == 0;
    if (!asked_for_help)
      throw UserError(fmt::format("{} (sinter --help tells more)", error.what()));
    app.exit(error);
    return ExitCode::Ok;
  }
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (commands[i]->parsed()) return subcommands[i].run();
  }
  return ExitCode::Usage;
}

}  // namespace sinter::tools
