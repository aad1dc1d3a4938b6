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

Subcommand ops_subcommand() {
  struct Options {
    std::vector<std::string> libraries;
    bool is_language = false;
  };
  const auto options = std::make_shared<Options>();
  return {"ops",
          "List the operators that can be run by name",
          {ops_argument(options->libraries),
           {"--language", "List what operators are written with instead", &options->is_language}},
          [options] {
            load_operator_libraries(options->libraries);
            options->is_language ? print_language() : print_registered();
            return ExitCode::Ok;
          }};
}

}  // namespace sinter::tools
