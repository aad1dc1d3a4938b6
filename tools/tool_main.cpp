// The command line: subcommands, and the one place where errors become exit codes.
#include <fmt/format.h>

#include <cstdio>
#include <system_error>

#include "sinter/error.h"
#include "sinter/op.h"
#include "sinter/tool.h"
#include "tools/builtin_ops.h"
#include "tools/subcommands.h"

namespace sinter {

namespace tools {

namespace {

constexpr AddSubcommand kSubcommands[] = {add_doctor, add_ops, add_explain, add_run};

int report(const char* kind, const std::exception& error, ExitCode code) {
  fmt::print(stderr, "sinter: {}{}\n", kind, error.what());
  return static_cast<int>(code);
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_help = error.get_exit_code() == 0;
    if (asked_for_help) return app.exit(error);
    fmt::print(stderr, "sinter: {} (sinter --help tells more)\n", error.what());
    return static_cast<int>(ExitCode::Usage);
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
