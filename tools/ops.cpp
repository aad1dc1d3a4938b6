// `sinter ops`: the operators that can be run by name, and the language's own.
#include <fmt/format.h>

#include <memory>

#include "ir/op.h"
#include "sinter/op.h"
#include "tools/subcommands.h"

namespace sinter::tools {

namespace {

void print_registered() {
  for (const Operator* op : registered_operators()) {
    fmt::print("{}({})\n", op->name, fmt::join(op->parameters, ", "));
  }
}

void print_language() {
  for (const ir::OpInfo& row : ir::all_ops()) {
    if (row.level == ir::OpLevel::Kernel) continue;
    fmt::print("{:<12} {}\n", row.text, row.meaning);
  }
}

}  // namespace

std::function<ExitCode()> add_ops(CLI::App& app) {
  struct Options {
    std::vector<std::string> libraries;
    bool is_language = false;
  };
  CLI::App* command = app.add_subcommand("ops", "List the operators that can be run by name");
  const auto options = std::make_shared<Options>();
  add_ops_option(*command, options->libraries);
  command->add_flag("--language", options->is_language,
                    "List what operators are written with instead");
  return [options] {
    load_operator_libraries(options->libraries);
    options->is_language ? print_language() : print_registered();
    return ExitCode::Ok;
  };
}

}  // namespace sinter::tools
