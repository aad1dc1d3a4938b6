// sn::check on a GPU: it accepts what is right and finds planted mistakes.
#include "tests/support/mutants.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/skip.h"

namespace sinter::tests {

namespace {

constexpr const char* kLongProduct =
    "graph long_product(%x: bf16[256, 1536], %w: bf16[1536, 256], %r: bf16[256, 256]) {\n"
    "  %0: bf16[256, 256] = matmul(%x, %w)\n"
    "  %1: bf16[256, 256] = add(%0, %r)\n"
    "  return %1\n}\n";
constexpr const char* kLongRows =
    "graph long_rows(%x: bf16[16, 16384]) {\n"
    "  %0: bf16[16, 16384] = softmax(%x) {axis: 1}\n"
    "  return %0\n}\n";

struct Place {
  const char* graph;
  TextMutant mutant;
};

/// Not here: waits for barriers of the ring, without which a kernel never ends, and the wait for an addend's
/// tile, whose load is under way since the whole main loop, so that no run shows that it is missing.
std::vector<Place> text_places() {
  return {
      {kLongProduct, {"k-step of 16 dropped", R"(multiply\(\w+, a \+ 6,[^;]*;)", ""}},
      {kLongProduct, {"sums not cleared", "step != 0\\);", "1);"}},
      {kLongRows, {"no barrier", R"(__syncthreads\(\);)", ""}},
  };
}

}  // namespace

TEST_CASE("operators without a mistake pass on the GPU with every family of inputs") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  const Device device = Device::cuda(0);
  for (const MutantHost& host : mutant_hosts()) {
    const CheckReport report = check(compile_text(host.graph, device));
    CHECK_MESSAGE(report.passed, host.name << "\n" << to_string(report));
  }
  for (const char* graph : {kLongProduct, kLongRows}) {
    const CheckReport report = check(compile_text(graph, device));
    CHECK_MESSAGE(report.passed, graph << to_string(report));
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

TEST_CASE("every mutant of a program's text is caught on the GPU") {
  if (const std::string why = Device::why_no_gpu(); !why.empty()) return skip(why);
  const Device device = Device::cuda(0);
  MutantTally tally;
  for (const Place& place : text_places()) {
    const auto executable = compile_mutant(place.graph, device, place.mutant);
    CHECK_MESSAGE(executable.has_value(), place.mutant.name << " has no place");
    if (executable) tally.add(place.mutant.name, *executable);
  }
  MESSAGE(tally.table);
  CHECK_MESSAGE(tally.survivors.empty(), tally.survivors);
}

}  // namespace sinter::tests
