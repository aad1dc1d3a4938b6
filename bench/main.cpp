// bench: measures Sinter's kernels on the first GPU against their peers and against measured limits.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>

#include "bench/measure.h"
#include "bench/picture.h"
#include "bench/report.h"
#include "sinter/error.h"
#include "support/check.h"
#include "tools/doctor_versions.h"
#include "tools/report.h"
#include "tools/write_file.h"

namespace sinter::bench {
namespace {

constexpr int kSkipped = 77;

struct Arguments {
  std::string suite, word, json, svg, torch;
  double budget_ms = MeasureOptions{}.budget_ms;
  std::size_t configs = 0;
  bool is_list = false;
};

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string read_whole(const std::string& path) {
  std::ifstream file(path);
  if (!file) support::throw_user("--torch: '{}' cannot be read", path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Launch cases are measured on the CPU where there is no GPU; nullopt where a case needs one.
std::optional<Device> device_for(const std::vector<Case>& cases, std::string& why) {
  why = Device::why_no_gpu();
  if (why.empty()) return Device::cuda(0);
  for (const Case& one : cases) {
    if (one.method != Method::Launch) return std::nullopt;
  }
  return Device::cpu();
}

int run(const Arguments& arguments) {
  const std::vector<Case> cases = select_cases(arguments.suite, arguments.word);
  if (cases.empty()) support::throw_user("no case of bench matches (bench --list shows all)");
  if (arguments.is_list) {
    for (const Case& one : cases) fmt::print("{:<14} {}\n", one.suite, one.name);
    return 0;
  }
  // Read first: a mistake in it must not cost a measurement.
  const std::string torch = arguments.torch.empty() ? "" : read_whole(arguments.torch);
  std::string why;
  const std::optional<Device> device = device_for(cases, why);
  if (!device) {
    fmt::print("[SKIP] {}\n", why);
    return kSkipped;
  }
  BenchResult result;
  result.fingerprint = {device->description(), device->impl().toolchain(), tools::build_text(),
                        now_text()};
  fmt::print("{}, {}\n", result.fingerprint.device, result.fingerprint.toolchain);
  runtime::Ceilings ceilings(device->impl());
  for (const Case& one : cases) {
    BenchResult single{result.fingerprint,
                       {measure(*device, one, {arguments.budget_ms, arguments.configs}, ceilings)}};
    if (!torch.empty()) merge_torch(single, torch);
    fmt::print("{}", to_text(single.cases.front()));
    std::fflush(stdout);
    result.cases.push_back(std::move(single.cases.front()));
  }
  if (!arguments.json.empty()) tools::write_file(arguments.json, {to_json(result)});
  if (!arguments.svg.empty()) tools::write_file(arguments.svg, {shares_picture(result)});
  const tools::ExitCode code = exit_code_of(result);
  fmt::print("{} cases, {}\n", result.cases.size(),
             code == tools::ExitCode::Ok             ? "all right and plausible"
             : code == tools::ExitCode::Inconclusive ? "INCONCLUSIVE ones among them"
                                                     : "WRONG or implausible ones among them");
  return static_cast<int>(code);
}

int report(const char* kind, const std::exception& error, tools::ExitCode code) {
  fmt::print(stderr, "bench: {}{}\n", kind, error.what());
  return static_cast<int>(code);
}

}  // namespace
}  // namespace sinter::bench

int main(int argc, char** argv) {
  using sinter::bench::report;
  using sinter::tools::ExitCode;
  sinter::bench::Arguments arguments;
  CLI::App app("Sinter's kernels against their peers and against measured limits");
  app.add_option("--suite", arguments.suite,
                 "memory, products, self_compare or launch; all without it");
  app.add_option("--case", arguments.word, "Only cases whose name holds this");
  app.add_flag("--list", arguments.is_list, "Print suites and names of the cases instead");
  app.add_option("--json", arguments.json, "Also write the figures to this file");
  app.add_option("--svg", arguments.svg, "Also draw the shares into this file");
  app.add_option("--torch", arguments.torch, "Figures of scripts/torch_peer.py, shown beside ours");
  app.add_option("--budget-ms", arguments.budget_ms,
                 "Of a case's samples in one state of the cache")
      ->check(CLI::PositiveNumber);
  app.add_option("--configs", arguments.configs,
                 "Also time the best so many configs of the kernel");
  try {
    app.parse(argc, argv);
    return sinter::bench::run(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::Usage);
  } catch (const sinter::UserError& error) {
    return report("", error, ExitCode::Usage);
  } catch (const sinter::CompileError& error) {
    return report("compilation failed: ", error, ExitCode::Compile);
  } catch (const sinter::RuntimeError& error) {
    return report("", error, ExitCode::Environment);
  } catch (const std::exception& error) {
    return report("internal error: ", error, ExitCode::Internal);
  }
}
