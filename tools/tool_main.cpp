// The command line: subcommands, and the one place where errors become exit codes.
#include <fmt/format.h>

#include <cstdio>
#include <system_error>

#include "sinter/error.h"
#include "sinter/op.h"
#include "sinter/tool.h"
#include "support/printable.h"
#include "tools/builtin_ops.h"
#include "tools/subcommands.h"

namespace sinter {

namespace tools {

namespace {

constexpr AddSubcommand kSubcommands[] = {add_doctor, add_ops, add_explain, add_run};

int report(const char* kind, const std::exception& error, ExitCode code) {
  // The message may quote a file or an argument; and nobody may be left to read it.
  const std::string text = fmt::format("sinter: {}{}\n", kind, support::printable(error.what()));
  std::fputs(text.c_str(), stderr);
  return static_cast<int>(code);
}

// No option of ours means anything with an empty value: it is a script's unset variable.
void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a flag
    option->check([](const std::string& value) {
      return value.empty() ? std::string("the value is empty") : std::string();
    });
  }
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_values(*command);
}

int run_command_line(int argc, char** argv) {
  CLI::App app("Fused tensor operators: written in C++, compiled at start-up, proved right");
  app.name("sinter");
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, std::function<ExitCode()>>> commands;
  for (const AddSubcommand add : kSubcommands) {
    std::function<ExitCode()> run = add(app);
    commands.emplace_back(app.get_subcommands({}).back(), std::move(run));
  }
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_help = error.get_exit_code() == 0;
    if (asked_for_help) return app.exit(error);
    return report("", UserError(fmt::format("{} (sinter --help tells more)", error.what())),
                  ExitCode::Usage);
  }
  for (const auto& [command, run] : commands) {
    if (command->parsed()) return static_cast<int>(run());
  }
  return static_cast<int>(ExitCode::Usage);
}

}  // namespace

void add_ops_option(CLI::App& command, std::vector<std::string>& libraries) {
  command.add_option("--ops", libraries, "Shared library with operators of yours (repeatable)")
      ->type_name("LIB");
}

void load_operator_libraries(const std::vector<std::string>& libraries) {
  register_builtin_operators();
  for (const std::string& library : libraries) load_operators(library);
}

}  // namespace tools

int tool_main(int argc, char** argv) {
  using tools::ExitCode;
  try {
    const int code = tools::run_command_line(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw EnvironmentError("standard output cannot be written");
    }
    return code;
  } catch (const UserError& error) {
    return tools::report("", error, ExitCode::Usage);
  } catch (const CompileError& error) {
    return tools::report("compilation failed: ", error, ExitCode::Compile);
  } catch (const RuntimeError& error) {
    return tools::report("", error, ExitCode::Environment);
  } catch (const std::system_error& error) {
    return tools::report("", error, ExitCode::Environment);
  } catch (const std::bad_alloc& error) {
    return tools::report("out of host memory: ", error, ExitCode::Environment);
  } catch (const std::exception& error) {
    return tools::report("internal error: ", error, ExitCode::Internal);
  }
}

}  // namespace sinter
