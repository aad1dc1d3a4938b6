// Arguments given to CLI11, and its complaints in our words.
#include "tools/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>

#include "sinter/error.h"
#include "support/nearest.h"
#include "tools/doctor_versions.h"

namespace sinter::tools {

namespace {

/// Why `text` is no whole number in this range; empty where it is one.
template <typename Number>
std::string refuse_number(const std::string& text, Number least, Number most) {
  Number value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = code == std::errc() && end == text.data() + text.size();
  if (is_whole && value >= least && value <= most) return {};
  const bool has_end = std::is_unsigned_v<Number> || most < std::numeric_limits<Number>::max();
  const std::string range =
      has_end ? fmt::format("from {} to {}", least, most) : fmt::format("of at least {}", least);
  return fmt::format("'{}' is given, a whole number {} is needed", text, range);
}

// No option of ours means anything with an empty value: it is a script's unset variable.
std::string refuse_empty(const std::string& value) {
  return value.empty() ? "the value is empty" : "";
}

template <typename Number>
CLI::Option* add_number(CLI::App& command, const ArgumentSpec& argument, Number& target,
                        Number least, Number most) {
  CLI::Option* option = command.add_option(argument.name, target, argument.help);
  return option->check([least, most](const std::string& given) {
    return given.empty() ? refuse_empty(given) : refuse_number(given, least, most);
  });
}

CLI::Option* add_target(CLI::App& command, const ArgumentSpec& argument) {
  if (const auto* flag = std::get_if<bool*>(&argument.target)) {
    return command.add_flag(argument.name, **flag, argument.help);
  }
  if (const auto* number = std::get_if<std::int64_t*>(&argument.target)) {
    return add_number(command, argument, **number, argument.least, argument.most);
  }
  if (const auto* number = std::get_if<std::uint64_t*>(&argument.target)) {
    return add_number(command, argument, **number, static_cast<std::uint64_t>(argument.least),
                      std::numeric_limits<std::uint64_t>::max());
  }
  if (const auto* texts = std::get_if<std::vector<std::string>*>(&argument.target)) {
    return command.add_option(argument.name, **texts, argument.help)
        ->type_name("TEXT")
        ->check(refuse_empty);
  }
  return command.add_option(argument.name, *std::get<std::string*>(argument.target), argument.help)
      ->check(refuse_empty);
}

void add_arguments(CLI::App& command, std::span<const ArgumentSpec> arguments) {
  for (const ArgumentSpec& argument : arguments) {
    CLI::Option* option = add_target(command, argument);
    option->required(argument.is_required);
    if (!argument.excludes.empty()) option->excludes(command.get_option(argument.excludes));
  }
}

/// The first word that no option and no argument takes.
std::string explain_extra(const CLI::App& command, std::span<const ArgumentSpec> arguments) {
  const std::vector<std::string> extras = command.remaining(true);
  const std::string word = extras.empty() ? std::string() : extras[0];
  if (!word.starts_with('-')) return fmt::format("the argument '{}' is one too many", word);
  std::vector<std::string> names{"--help"};
  for (const ArgumentSpec& argument : arguments) {
    if (argument.name.starts_with('-')) names.push_back(argument.name);
  }
  return fmt::format("there is no option '{}'{}", word, support::did_you_mean_or_list(word, names));
}

/// What CLI11 found wrong. Where it means an argument, its message begins with the name.
std::string explain_error(const CLI::ParseError& error, const CLI::App& command,
                          std::span<const ArgumentSpec> arguments) {
  const std::string text =
      std::string(error.what()).substr(0, std::string(error.what()).find('\n'));
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) return explain_extra(command, arguments);
  const std::string name = text.substr(0, text.find_first_of(": "));
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr) return text;
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    std::string needed = option->get_description();
    needed[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(needed[0])));
    return fmt::format("{} is not given; needed: {}", name, needed);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    return option->count() > 1
               ? fmt::format("{} is given {} times; once is needed", name, option->count())
               : fmt::format("{} is given without a value; one is needed", name);
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) return text + ": only one may be given";
  return text;
}

[[noreturn]] void refuse(const std::string& program, const std::string& trouble) {
  throw UserError(fmt::format("{} ({} --help tells more)", trouble, program));
}

/// Whether `argv` asked for something else than help, which is then printed.
bool parse(CLI::App& app, const std::function<std::string(const CLI::ParseError&)>& explain,
           int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) refuse(app.get_name(), explain(error));
    app.exit(error);
    return false;
  }
}

}  // namespace

ExitCode run_command_line(std::span<const Subcommand> subcommands, int argc, char** argv) {
  CLI::App app("Fused tensor operators: written in C++, compiled at start-up, proved right");
  app.name("sinter");
  app.require_subcommand(1);
  app.set_version_flag("--version", "sinter " + build_text(), "Print the version and exit");
  std::vector<const CLI::App*> commands;
  std::vector<std::string> names;
  for (const Subcommand& subcommand : subcommands) {
    CLI::App* command = app.add_subcommand(subcommand.name, subcommand.help);
    add_arguments(*command, subcommand.arguments);
    commands.push_back(command);
    names.push_back(subcommand.name);
  }
  const std::string first = argc > 1 ? argv[1] : "";
  const bool is_option = first.starts_with('-');
  const auto named = std::find(names.begin(), names.end(), first);
  if (first.empty()) {
    refuse("sinter",
           fmt::format("no subcommand is given; one of {} is needed", fmt::join(names, ", ")));
  }
  if (!is_option && named == names.end()) {
    refuse("sinter", fmt::format("there is no subcommand '{}'{}", first,
                                 support::did_you_mean(first, names)));
  }
  const auto explain = [&](const CLI::ParseError& error) {
    if (is_option) {
      return fmt::format("'{}' is no subcommand; one of {} is needed first", first,
                         fmt::join(names, ", "));
    }
    const auto at = static_cast<std::size_t>(named - names.begin());
    return explain_error(error, *commands[at], subcommands[at].arguments);
  };
  if (!parse(app, explain, argc, argv)) return ExitCode::Ok;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (commands[i]->parsed()) return subcommands[i].run();
  }
  return ExitCode::Usage;
}

bool read_arguments(const std::string& program, const std::string& help,
                    std::span<const ArgumentSpec> arguments, int argc, char** argv) {
  CLI::App app(help);
  app.name(program);
  add_arguments(app, arguments);
  const auto explain = [&](const CLI::ParseError& error) {
    return explain_error(error, app, arguments);
  };
  return parse(app, explain, argc, argv);
}

}  // namespace sinter::tools
