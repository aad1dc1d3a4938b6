// Error of the elementary functions on a device, against MPFR: a table, a line a function and dtype.
//
//   ulp                                    10,000,000 f32 inputs a function on the CPU
//   ulp --device cuda:0
//   ulp --functions exp,pow --count 100000
//
// Every bf16, f16 and f8 is an input, and a hundredth as many f64 as f32.
// Exit code: 0 all errors are within what is stated; 1 one is not; 2 usage; 77 no such device.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <thread>

#include "sinter/error.h"
#include "tests/support/ulp_check.h"

using namespace sinter;
using namespace sinter::tests;

namespace {

struct Arguments {
  std::string device = "cpu";
  std::uint64_t count = 10'000'000;
  std::vector<std::string> functions;
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::uint64_t seed = 1;
};

void add_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--device", arguments.device, "cpu, gpu or cuda:<index>");
  app.add_option("--count", arguments.count, "f32 inputs a function")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  app.add_option("--functions", arguments.functions, "Names with commas; all unless given")
      ->delimiter(',');
  app.add_option("--threads", arguments.threads, "That compare with MPFR; all unless given")
      ->check(CLI::Range(1, 1024));
  app.add_option("--seed", arguments.seed, "Of the random inputs");
}

std::vector<FunctionCase> chosen_cases(const std::vector<std::string>& names) {
  const std::vector<FunctionCase> all = all_function_cases();
  if (names.empty()) return all;
  std::vector<FunctionCase> chosen;
  for (const std::string& name : names) {
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const FunctionCase& c) { return ir::to_string(c.op) == name; });
    if (found == all.end()) throw UserError("'" + name + "' is no elementary function");
    chosen.push_back(*found);
  }
  return chosen;
}

int measure_all(const Arguments& arguments) {
  const std::vector<FunctionCase> cases = chosen_cases(arguments.functions);
  const UlpRun run{Device::parse(arguments.device), arguments.count, arguments.seed,
                   arguments.threads};
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t inputs = 0;
  int failed = 0;
  fmt::print("{}: {}\n\n{}", run.device.id(), run.device.description(), ulp_heading());
  for (const FunctionCase& c : cases) {
    for (const DType dtype :
         {DType::F32, DType::F64, DType::BF16, DType::F16, DType::F8E4M3, DType::F8E5M2}) {
      for (const UlpRow& row : measure_ulp(c, dtype, run)) {
        inputs += row.worst.inputs;
        if (!row.is_within()) ++failed;
        fmt::print("{}", sinter::tests::to_string(row));
      }
      std::fflush(stdout);
    }
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("\n{} functions on {}, {} inputs in {:.0f} s: {} rows above the stated error\n",
             cases.size(), arguments.device, inputs, seconds, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Error of the elementary functions on a device, against MPFR");
  add_options(app, arguments);
  try {
    app.parse(argc, argv);
    const int code = measure_all(arguments);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    fmt::print(stderr, "ulp: standard output cannot be written\n");
    return 1;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const EnvironmentError& error) {
    fmt::print("[SKIP] {}\n", error.what());
    return 77;
  } catch (const UserError& error) {
    fmt::print(stderr, "ulp: {}\n", error.what());
    return 2;
  }
}
