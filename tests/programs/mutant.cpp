// One mutant of a GPU program's text in a process of its own: without its waits a kernel may never end, and what
// it breaks stays broken until the process ends.
//
//   mutant --list                 names, a line each
//   mutant NAME [--device cuda:0]
//
// Exit code: 0 caught (by a wrong result or by an error of the device), or, of a control, right; 1 not caught,
// or a control that is wrong; 2 usage; 3 the generated text has no place for it; 77 no such device. The caller counts a run that
// does not end in time as caught.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "sinter/check.h"
#include "sinter/error.h"
#include "tests/support/text_mutants.h"

using namespace sinter;
using namespace sinter::tests;

namespace {

int run(const std::string& name, const std::string& device_text) {
  const TextMutant& mutant = find_text_mutant(name);
  if (const std::string why = Device::why_no_gpu(); !why.empty()) {
    fmt::print("[SKIP] {}\n", why);
    return 77;
  }
  const auto executable = compile_mutant(Device::parse(device_text), mutant);
  if (!executable) {
    fmt::print("'{}' has no place in the generated text\n", name);
    return 3;
  }
  try {
    const CheckReport report = check(*executable);
    fmt::print("{}", to_string(report));
    fmt::print("'{}' {}\n", name, report.passed ? "is not seen" : "is seen");
    return report.passed == mutant.is_right ? 0 : 1;
  } catch (const RuntimeError& error) {
    fmt::print("'{}' ends in an error: {}\n", name, error.what());
    return mutant.is_right ? 1 : 0;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs one mutant of a GPU program's text");
  std::string name, device = "cuda:0";
  bool is_list = false;
  app.add_option("name", name, "The mutant");
  app.add_option("--device", device, "cuda:<index>");
  app.add_flag("--list", is_list, "Print the names of all");
  try {
    app.parse(argc, argv);
    if (is_list) {
      for (const TextMutant& mutant : all_text_mutants()) fmt::print("{}\n", mutant.name);
      return 0;
    }
    return run(name, device);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const UserError& error) {
    fmt::print(stderr, "mutant: {}\n", error.what());
    return 2;
  }
}
