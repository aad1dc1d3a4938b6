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
#include "bench/summary.h"
#include "sinter/error.h"
#include "support/check.h"
#include "support/counted.h"
#include "tools/doctor_versions.h"
#include "tools/report.h"
#include "tools/write_file.h"

namespace sinter::bench {
namespace {

constexpr int kSkipped = 77;

struct Arguments {
  std::string suite, word, json, svg, torch;
  MeasureOptions measuring;
  bool is_list = false;
};

std::string suites_text() {
  std::vector<std::string> usual, named;
  for (const Suite& suite : all_suites()) {
    (suite.is_by_name_only ? named : usual).push_back(suite.name);
  }
  return fmt::format("{} (all of these without it), or {}", fmt::join(usual, ", "),
                     fmt::join(named, ", "));
}

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

int list(const Arguments& arguments) {
  for (const Case& one : all_cases()) {
    const bool is_wanted = (arguments.suite.empty() || one.suite == arguments.suite) &&
                           one.name.find(arguments.word) != std::string::npos;
    if (is_wanted) fmt::print("{:<14} {}\n", one.suite, one.name);
  }
  return 0;
}

std::vector<Case> cases_of(const std::string& suite, const std::vector<Case>& cases) {
  std::vector<Case> some;
  for (const Case& one : cases) {
    if (one.suite == suite) some.push_back(one);
  }
  return some;
}

/// One that cannot be compiled or run must not cost the figures of the others.
CaseResult measure_or_note(const Case& one, const MeasureOptions& options, Session& session) {
  CaseResult failed;
  failed.suite = one.suite;
  failed.name = one.name;
  failed.point = one.point;
  try {
    return measure(one, options, session);
  } catch (const CompileError& error) {
    failed.failure = error.what();
    failed.failure_code = tools::ExitCode::Compile;
  } catch (const RuntimeError& error) {
    failed.failure = error.what();
    failed.failure_code = tools::ExitCode::Environment;
  } catch (const InternalError& error) {
    failed.failure = fmt::format("internal error: {}", error.what());
    failed.failure_code = tools::ExitCode::Internal;
  }
  return failed;
}

const char* verdict_text(tools::ExitCode code) {
  switch (code) {
    case tools::ExitCode::Ok: return "all right and plausible";
    case tools::ExitCode::Inconclusive: return "INCONCLUSIVE ones among them";
    case tools::ExitCode::WrongResult: return "WRONG or implausible ones among them";
    default: return "FAILED ones among them";
  }
}

void measure_all(const Device& device, const std::vector<Case>& cases, const Arguments& arguments,
                 BenchResult& result) {
  // Read first: a mistake in it must not cost a measurement.
  const std::string torch = arguments.torch.empty() ? "" : read_whole(arguments.torch);
  runtime::Ceilings ceilings(device.impl());
  std::optional<Session> session;
  std::string suite;
  for (const Case& one : cases) {
    if (!session || one.suite != suite) {
      session.reset();  // its memory first
      suite = one.suite;
      session.emplace(device, find_suite(suite).pace, ceilings);
      session->compile_ahead(cases_of(suite, cases));
    }
    BenchResult single{result.fingerprint, {measure_or_note(one, arguments.measuring, *session)}};
    if (!torch.empty()) merge_torch(single, torch);
    fmt::print("{}", to_text(single.cases.front()));
    std::fflush(stdout);
    result.cases.push_back(std::move(single.cases.front()));
  }
}

int run(const Arguments& arguments) {
  if (arguments.is_list) return list(arguments);
  const std::vector<Case> cases = select_cases(arguments.suite, arguments.word);
  if (cases.empty()) support::throw_user("no case of bench matches (bench --list shows all)");
  for (const std::string& path : {arguments.json, arguments.svg}) {
    if (!path.empty()) tools::check_writable(path);
  }
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
  measure_all(*device, cases, arguments, result);
  if (!arguments.json.empty()) tools::write_file(arguments.json, {to_json(result)});
  if (!arguments.svg.empty()) tools::write_file(arguments.svg, {shares_picture(result)});
  fmt::print("{}{}", sweep_table(result), layouts_table(result));
  const tools::ExitCode code = exit_code_of(result);
  fmt::print("{}, {}\n", support::counted(result.cases.size(), "case"), verdict_text(code));
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
  app.add_option("--suite", arguments.suite, sinter::bench::suites_text());
  app.add_option("--case", arguments.word, "Only cases whose name holds this");
  app.add_flag("--list", arguments.is_list, "Print suites and names of the cases instead");
  app.add_option("--json", arguments.json, "Also write the figures to this file");
  app.add_option("--svg", arguments.svg, "Also draw the shares into this file");
  app.add_option("--torch", arguments.torch, "Figures of scripts/torch_peer.py, shown beside ours");
  app.add_option("--budget-ms", arguments.measuring.budget_ms,
                 "Of a case's samples in one state of the cache, in place of the suite's")
      ->check(CLI::PositiveNumber);
  app.add_option("--configs", arguments.measuring.configs,
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
