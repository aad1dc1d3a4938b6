// sn::check on a GPU: it accepts what is right and finds planted mistakes.
#include "tests/support/mutants.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/skip.h"
#include "tests/support/text_mutants.h"

namespace sinter::tests {

TEST_CASE("operators without a mistake pass on the GPU with every family of inputs") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  const Device device = Device::cuda(0);
  for (const MutantHost& host : mutant_hosts()) {
    const CheckReport report = check(compile_text(host.graph, device));
    CHECK_MESSAGE(report.passed, host.name << "\n" << to_string(report));
  }
  for (const TextMutant& mutant : all_text_mutants()) {
    const CheckReport report = check(compile_text(mutant.graph, device));
    CHECK_MESSAGE(report.passed, mutant.graph << to_string(report));
  }
}

TEST_CASE("every mutant of a kernel is caught on the GPU") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  const Device device = Device::cuda(0);
  const MutantTally tally = check_mutants(device);

  MESSAGE(tally.table);
  CHECK_MESSAGE(tally.survivors.empty(), tally.survivors);
  CHECK(tally.count == 48);
}

// Those that may hang are run by the program `mutant`, a process each: scripts/gpu.
TEST_CASE("every mutant of a program's text that ends is caught on the GPU") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  const Device device = Device::cuda(0);
  MutantTally tally;
  for (const TextMutant& mutant : all_text_mutants()) {
    if (mutant.may_hang || mutant.is_right) continue;
    const auto executable = compile_mutant(device, mutant);
    CHECK_MESSAGE(executable.has_value(), mutant.name << " has no place");
    if (executable) tally.add(mutant.name, *executable);
  }
  MESSAGE(tally.table);
  CHECK_MESSAGE(tally.survivors.empty(), tally.survivors);
}

}  // namespace sinter::tests
