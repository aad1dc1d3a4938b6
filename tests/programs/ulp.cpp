// Error of the elementary functions on a device, against MPFR: a table, a line a function and dtype.
//
//   ulp                                    10,000,000 f32 inputs a function on the CPU
//   ulp --device cuda:0
//   ulp --functions exp,pow --count 100000
//
// Every bf16, f16 and f8 is an input, and a hundredth as many f64 as f32.
// Exit code: 0 all errors are within what is stated; 1 one is not; 2 usage; 77 no such device.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "sinter/error.h"
#include "support/nearest.h"
#include "tests/support/ulp_check.h"
#include "tools/command_line.h"

using namespace sinter;
using namespace sinter::tests;

namespace {

struct Arguments {
  std::string device = "cpu";
  std::int64_t count = 10'000'000;
  std::vector<std::string> functions;
  std::int64_t threads = std::max<std::int64_t>(1, std::thread::hardware_concurrency());
  std::uint64_t seed = 1;
};

std::vector<tools::ArgumentSpec> argument_specs(Arguments& arguments) {
  return {
      {"--device", "cpu, gpu or cuda:<index>", &arguments.device},
      {"--count", "f32 inputs a function", &arguments.count, false, 1, "", std::int64_t{1} << 40},
      {"--functions", "Names with commas between; all unless given", &arguments.functions},
      {"--threads", "That compare with MPFR; all unless given", &arguments.threads, false, 1, "",
       1024},
      {"--seed", "Of the random inputs", &arguments.seed}};
}

/// The names between commas.
std::vector<std::string> split_names(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists) {
    std::istringstream words(list);
    for (std::string name; std::getline(words, name, ',');) names.push_back(name);
  }
  return names;
}

std::vector<FunctionCase> chosen_cases(const std::vector<std::string>& names) {
  const std::vector<FunctionCase> all = all_function_cases();
  if (names.empty()) return all;
  std::vector<FunctionCase> chosen;
  for (const std::string& name : names) {
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const FunctionCase& c) { return ir::to_string(c.op) == name; });
    if (found == all.end()) {
      std::vector<std::string> known;
      for (const FunctionCase& c : all) known.emplace_back(ir::to_string(c.op));
      throw UserError(fmt::format("--functions: '{}' is no elementary function{}", name,
                                  support::did_you_mean(name, known)));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

int measure_all(const Arguments& arguments) {
  const std::vector<FunctionCase> cases = chosen_cases(split_names(arguments.functions));
  const UlpRun run{Device::parse(arguments.device), static_cast<std::uint64_t>(arguments.count),
                   arguments.seed, static_cast<int>(arguments.threads)};
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
  try {
    if (!tools::read_arguments("ulp", "Error of the elementary functions on a device, against MPFR",
                               argument_specs(arguments), argc, argv)) {
      return 0;
    }
    const int code = measure_all(arguments);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    fmt::print(stderr, "ulp: standard output cannot be written\n");
    return 1;
  } catch (const EnvironmentError& error) {
    fmt::print("[SKIP] {}\n", error.what());
    return 77;
  } catch (const UserError& error) {
    fmt::print(stderr, "ulp: {}\n", error.what());
    return 2;
  }
}
