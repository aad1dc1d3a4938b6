// The command line: subcommands, and the one place where errors become exit codes.
#include <fmt/format.h>

#include <cstdio>
#include <system_error>

#include "dsl/registry.h"
#include "sinter/error.h"
#include "sinter/op.h"
#include "sinter/tool.h"
#include "support/printable.h"
#include "tools/builtin_ops.h"
#include "tools/command_line.h"
#include "tools/subcommands.h"

namespace sinter {

namespace tools {

namespace {

int report(const char* kind, const std::exception& error, ExitCode code) {
  // The message may quote a file or an argument; and nobody may be left to read it.
  const std::string text = fmt::format("sinter: {}{}\n", kind, support::printable(error.what()));
  std::fputs(text.c_str(), stderr);
  return static_cast<int>(code);
}

}  // namespace

ArgumentSpec ops_argument(std::vector<std::string>& libraries) {
  return {"--ops", "Shared library with operators of yours (repeatable)", &libraries};
}

void load_operator_libraries(const std::vector<std::string>& libraries) {
  register_builtin_operators();
  dsl::check_operator_names();
  for (const std::string& library : libraries) load_operators(library);
}

}  // namespace tools

int tool_main(int argc, char** argv) {
  using tools::ExitCode;
  try {
    const tools::Subcommand subcommands[] = {
        tools::doctor_subcommand(), tools::ops_subcommand(),   tools::explain_subcommand(),
        tools::run_subcommand(),    tools::check_subcommand(), tools::ceilings_subcommand()};
    const ExitCode code = tools::run_command_line(subcommands, argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw EnvironmentError("standard output cannot be written");
    }
    return static_cast<int>(code);
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
