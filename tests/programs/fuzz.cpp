// The differential fuzzer: random graphs on a device against the reference, fused and unfused.
//
//   fuzz --count 5000                      on the CPU; prints the table of what was covered
//   fuzz --device gpu --count 2000
//   fuzz --strict --count 1000 --write-hashes FILE       bits of the CPU ...
//   fuzz --device gpu --strict --count 1000 --expect-hashes FILE    ... and of the GPU
//   fuzz --replay FILE                     one case, as a failure leaves it
//
// Exit code: 0 all right; 1 a case failed, a pair was not covered, or too much was undecided; 2 usage;
// 77 no such device.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sinter/error.h"
#include "support/regular_file.h"
#include "tests/support/fuzz_workers.h"
#include "tests/support/required_use.h"
#include "tests/support/shrink.h"
#include "tools/command_line.h"

using namespace sinter;
using namespace sinter::tests;

namespace {

/// Of all compared elements; more would mean that the run proves little. With expected hashes it may be any:
/// then every output is compared bit for bit.
constexpr double kMostUndecided = 0.01;
constexpr std::size_t kMostShrunk = 12;

struct Arguments {
  FuzzRun run;
  std::int64_t count = 0;  // 0: what covers every use
  std::int64_t workers = 1;
  std::string write_hashes;
  std::string expect_hashes;
  std::string replay;
  std::string folder = "fuzz_failures";
  bool print_case = false;
};

std::vector<tools::ArgumentSpec> argument_specs(Arguments& arguments) {
  return {{"--device", "cpu, gpu or cuda:<index>", &arguments.run.device},
          {"--first", "Number of the first case", &arguments.run.first},
          {"--count", "Cases; what covers every use, unless given", &arguments.count, false, 1},
          {"--workers", "Processes at a time", &arguments.workers, false, 1, "", 256},
          {"--strict", "Strict mode, bit for bit", &arguments.run.strict},
          {"--write-hashes", "File for the bits of a strict run", &arguments.write_hashes},
          {"--expect-hashes", "File of bits that a strict run must give", &arguments.expect_hashes},
          {"--failures", "Folder for failing cases, made when there is one", &arguments.folder},
          {"--replay", "Run this file's case alone", &arguments.replay},
          {"--print", "Print case --first and end", &arguments.print_case, false, 0, "--replay"}};
}

std::string read_file(const std::string& path) {
  support::RegularFile file(path);
  std::string text = file.read_all();
  if (!file.trouble().empty()) {
    throw UserError("'" + path + "' cannot be read: " + file.trouble());
  }
  return text;
}

std::map<std::uint64_t, std::string> read_hashes(const std::string& path) {
  std::istringstream lines(read_file(path));
  std::map<std::uint64_t, std::string> hashes;
  std::uint64_t number = 0;
  for (std::string hash; lines >> number >> hash;) hashes[number] = hash;
  if (lines.eof() && !hashes.empty()) return hashes;
  throw UserError(
      fmt::format("--expect-hashes: '{}' has {} lines of a case's number and its bits, then "
                  "something else; a file of "
                  "--write-hashes is needed",
                  path, hashes.size()));
}

/// What a run would find out at its end: files that cannot be read or written, options that do nothing.
void check_arguments(Arguments& arguments) {
  const bool has_hashes = !arguments.write_hashes.empty() || !arguments.expect_hashes.empty();
  if (has_hashes && !arguments.run.strict) {
    throw UserError("--write-hashes and --expect-hashes are of strict runs; --strict is needed");
  }
  if (!arguments.expect_hashes.empty()) {
    arguments.run.expected_hashes = read_hashes(arguments.expect_hashes);
  }
  if (!arguments.write_hashes.empty() && !std::ofstream(arguments.write_hashes, std::ios::app)) {
    throw UserError("--write-hashes: '" + arguments.write_hashes + "' cannot be written");
  }
  const std::filesystem::file_status folder = std::filesystem::status(arguments.folder);
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder)) {
    throw UserError("--failures: '" + arguments.folder + "' is no folder");
  }
  if (!arguments.replay.empty()) parse_fuzz_case(read_file(arguments.replay));
}

void write_hashes(const FuzzReport& report, const std::string& path) {
  std::ofstream file(path);
  for (const auto& [number, hash] : report.hashes) file << number << ' ' << hash << '\n';
  if (!file.flush()) throw UserError("'" + path + "' cannot be written");
}

int replay(const Arguments& arguments) {
  const std::string text = read_file(arguments.replay);
  const std::string trouble = trouble_of(parse_fuzz_case(text), arguments.run);
  fmt::print("{}\n", trouble.empty() ? "agrees" : trouble);
  return trouble.empty() ? 0 : 1;
}

std::string as_comment(const std::string& text) {
  std::istringstream lines(text);
  std::string comment;
  for (std::string line; std::getline(lines, line);) comment += "# " + line + "\n";
  return comment;
}

/// The command that runs the case at `path` as this run ran it.
std::string replay_command(const Arguments& arguments, const std::string& path) {
  std::string command = "fuzz";
  if (arguments.run.device != "cpu") command += " --device " + arguments.run.device;
  if (arguments.run.strict) command += " --strict";
  if (!arguments.expect_hashes.empty()) command += " --expect-hashes " + arguments.expect_hashes;
  return command + " --replay " + path;
}

/// The case, small for as long as it fails in the same way; whole where only the bits expected of it are wrong:
/// nobody knows those of a smaller one.
FuzzCase shrink_failure(const FuzzFailure& failure, FuzzRun run) {
  const FuzzCase whole = make_fuzz_case(failure.number);
  const bool has_expected = run.expected_hashes.contains(failure.number);
  run.expected_hashes.clear();
  const auto fails = [&](const FuzzCase& fuzz) { return fails_alike(fuzz, run, failure.trouble); };
  return has_expected && !fails(whole) ? whole : shrink(whole, fails);
}

/// Prints each failure; the first ones shrunk, and written to a file that replays.
void report_failures(const FuzzReport& report, const Arguments& arguments) {
  std::size_t shrunk_count = 0;
  for (const FuzzFailure& failure : report.failures) {
    fmt::print("case {} fails: {}\n", failure.number, failure.trouble);
    if (shrunk_count++ >= kMostShrunk) continue;
    const FuzzCase small = shrink_failure(failure, arguments.run);
    std::filesystem::create_directories(arguments.folder);
    const std::string path = fmt::format("{}/case_{}.txt", arguments.folder, failure.number);
    const std::string text = as_comment(trouble_of(small, arguments.run)) +
                             as_comment("replay: " + replay_command(arguments, path)) +
                             sinter::tests::to_string(small);
    std::ofstream(path) << text;
    fmt::print("the smallest that fails alike is in {}:\n{}\n", path, text);
    std::fflush(stdout);
  }
}

/// What the table leaves out, on runs long enough to have all.
bool report_coverage(const FuzzReport& report, const FuzzRun& run) {
  fmt::print("{}\n", report.coverage.table());
  const auto missing = report.coverage.missing_pairs();
  fmt::print("{} of {} uses (operator, dtype, layout) and {} pairs were not met\n",
             report.coverage.missing_uses(), all_required_uses().size(), missing.size());
  std::string impossible;
  for (const RequiredUse& use : impossible_uses()) {
    impossible += fmt::format(" {} {},", ir::to_string(use.op), sinter::to_string(use.dtype));
  }
  fmt::print("no operands are known for:{}\n", impossible);
  if (run.count < full_fuzz_count()) return true;
  for (const std::string& pair : missing) fmt::print("not covered: {}\n", pair);
  return missing.empty();
}

/// Whether so little is undecided that the run proves something; says so where it does not.
bool report_undecided(const FuzzReport& report, const Arguments& arguments) {
  std::string most;
  for (std::size_t i = 0; i < std::min<std::size_t>(report.undecided.size(), 8); ++i) {
    most += fmt::format(" {} ({})", report.undecided[i].second, report.undecided[i].first);
  }
  fmt::print("most undecided elements are in cases{}\n", most);
  const double undecided = report.counts.undecided_share();
  if (undecided <= kMostUndecided || !arguments.expect_hashes.empty()) return true;
  fmt::print("{:.3f} % of the elements are undecided, which fails the run: at most {} % may be\n",
             undecided * 100, kMostUndecided * 100);
  return false;
}

int run_all(const Arguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  const FuzzReport report = run_fuzz(arguments.run);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool is_covered = report_coverage(report, arguments.run);
  if (!arguments.write_hashes.empty()) write_hashes(report, arguments.write_hashes);
  report_failures(report, arguments);
  const bool is_telling = report_undecided(report, arguments);
  fmt::print(
      "{} cases on {} in {:.0f} s: {} failed; {} outputs, {} with vacuous bounds; {} elements, "
      "{:.3f} % undecided\n",
      report.done, arguments.run.device, seconds, report.failures.size(), report.counts.outputs,
      report.counts.vacuous, report.counts.compared + report.counts.undecided,
      report.counts.undecided_share() * 100);
  return report.failures.empty() && is_covered && is_telling ? 0 : 1;
}

/// 0 where there is such a device, else the exit code, the reason printed. Asked in a process of its own: a
/// driver that was opened before the workers are forked is of no use in them.
int device_trouble(const std::string& device) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 0;
    try {
      Device::parse(device);
    } catch (const UserError& error) {
      fmt::print(stderr, "fuzz: {}\n", error.what());
      code = 2;
    } catch (const EnvironmentError& error) {
      fmt::print("[SKIP] {}\n", error.what());
      code = 77;
    }
    std::fflush(stdout);
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 77;
}

int run_program(Arguments arguments) {
  check_arguments(arguments);
  if (const int code = device_trouble(arguments.run.device); code != 0) return code;
  arguments.run.workers = static_cast<int>(arguments.workers);
  arguments.run.count =
      arguments.count > 0 ? static_cast<std::uint64_t>(arguments.count) : full_fuzz_count();
  if (arguments.print_case) {
    fmt::print("{}", sinter::tests::to_string(make_fuzz_case(arguments.run.first)));
    return 0;
  }
  return arguments.replay.empty() ? run_all(arguments) : replay(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  // A kernel of a random graph is never met again: no file for each. Workers are the parallel part.
  setenv("SINTER_CACHE_DIR", "off", 0);
  setenv("SINTER_THREADS", "2", 0);
  Arguments arguments;
  try {
    const bool runs =
        tools::read_arguments("fuzz", "Random graphs on a device against the reference",
                              argument_specs(arguments), argc, argv);
    return runs ? run_program(std::move(arguments)) : 0;
  } catch (const UserError& error) {
    fmt::print(stderr, "fuzz: {}\n", error.what());
    return 2;
  }
}
