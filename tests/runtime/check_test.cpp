// sn::check: what it accepts, what it finds, what it refuses.
#include "sinter/check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "runtime/check/compare_outputs.h"
#include "tests/support/mutants.h"

namespace sinter::tests {

namespace {

Executable compile_sum(const std::string& extent) {
  return compile_text(fmt::format("graph sum(%x: f32[{0}]) {{\n"
                                  "  %0: f32[] = reduce(%x) {{axes: [0], reducer: add}}\n"
                                  "  return %0\n}}\n",
                                  extent),
                      Device::cpu());
}

}  // namespace

TEST_CASE("operators without a mistake pass with every family of inputs") {
  for (const MutantHost& host : mutant_hosts()) {
    const CheckReport report = check(compile_text(host.graph, Device::cpu()));
    CHECK_MESSAGE(report.passed, host.name << "\n" << to_string(report));
    CHECK(report.cases.size() == all_input_families().size());
  }
}

TEST_CASE("every mutant is caught by some family of inputs") {
  const MutantTally tally = check_mutants(Device::cpu());

  CHECK_MESSAGE(tally.survivors.empty(), tally.survivors << tally.table);
  CHECK(tally.count == 48);
}

TEST_CASE("a thousand seeds reject nothing that is right") {
  const Executable op = compile_text(
      "graph small(%x: bf16[8, 24], %w: bf16[24, 6]) {\n"
      "  %0: bf16[8, 6] = matmul(%x, %w)\n"
      "  %1: bf16[8, 6] = softmax(%0) {axis: 1}\n"
      "  return %0, %1\n}\n",
      Device::cpu());
  int rejected = 0;
  std::string first;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const CheckReport report =
        check(op, {.families = {InputFamily::Uniform, InputFamily::Normal, InputFamily::Positive,
                                InputFamily::WideRange, InputFamily::Integers},
                   .seed = seed});
    if (!report.passed && ++rejected == 1)
      first = fmt::format("seed {}\n{}", seed, to_string(report));
  }
  CHECK_MESSAGE(rejected == 0, first);
}

TEST_CASE("sums of whole numbers have to be exact") {
  const CheckReport report =
      check(compile_sum("65536"), {.families = {InputFamily::Integers, InputFamily::Positive}});

  CHECK(report.passed);
  CHECK(report.cases[0].max_ratio == 0);
  CHECK(report.cases[1].max_ratio > 0);
}

TEST_CASE("named dimensions get the sizes that are given") {
  const Executable op = compile_sum("n");

  CHECK(check(op, {.sizes = {{"n", 17}}}).passed);
  CHECK_THROWS_WITH_AS(check(op), "check: the dimension 'n' has no value in CheckOptions::sizes",
                       UserError);
  CHECK_THROWS_WITH_AS(check(op, {.sizes = {{"n", 17}, {"rows", 2}}}),
                       "check: CheckOptions::sizes names 'rows', which is no dimension of sum; its "
                       "dimensions: n",
                       UserError);
  CHECK_THROWS_WITH_AS(check(compile_sum("rows"), {.sizes = {{"row", 3}}}),
                       "check: CheckOptions::sizes names 'row', which is no dimension of sum; did "
                       "you mean 'rows'?",
                       UserError);
}

TEST_CASE("options out of range are refused") {
  const Executable op = compile_sum("4");

  CHECK_THROWS_WITH_AS(check(op, {.runs = 1}), "check: runs is 1; at least 2 are needed to compare",
                       UserError);
  CHECK_THROWS_WITH_AS(check(op, {.elements = -1}),
                       "check: elements is -1; 0 (all) or more are needed", UserError);
}

TEST_CASE("bounds that prove nothing are a failure") {
  // The terms cancel to nothing: any small number would be within the bound.
  const Executable op = compile_text(
      "graph nothing(%x: bf16[4096]) {\n"
      "  %0: f32[4096] = cast(%x) {dtype: f32}\n"
      "  %1: f32[4096] = exp(%0)\n"
      "  %2: f32[4096] = sub(%1, %1)\n"
      "  %3: f32[] = reduce(%2) {axes: [0], reducer: add}\n"
      "  return %3\n}\n",
      Device::cpu());

  const CheckReport report = check(op, {.families = {InputFamily::Uniform}});

  CHECK_FALSE(report.passed);
  CHECK(to_string(report).find("vacuous") != std::string::npos);
}

TEST_CASE("inputs that prove nothing do not fail what is right") {
  // A product of 200 numbers below 1 underflows.
  const Executable op = compile_text(
      "graph product(%x: f32[200]) {\n"
      "  %0: f32[] = reduce(%x) {axes: [0], reducer: mul}\n"
      "  return %0\n}\n",
      Device::cpu());

  const CheckReport report = check(op);

  CHECK_MESSAGE(report.passed, to_string(report));
  CHECK_FALSE(report.cases[0].proves);
  CHECK(to_string(report).find("proves nothing") != std::string::npos);
}

TEST_CASE("samples meet every row and column") {
  // 144 * 255 elements: the golden step would be a multiple of 255.
  const auto indices = runtime::sample_indices(144 * 255, 1024, 1);
  std::set<std::int64_t> columns;
  for (const std::int64_t index : indices) columns.insert(index % 255);

  CHECK(indices.size() >= 1023);
  CHECK(columns.size() == 255);
}

TEST_CASE("the report has a line for each family, and what is wrong") {
  const auto mutant = compile_mutant(mutant_hosts()[5].graph, Device::cpu(), all_mutants()[6]);
  const std::string text = to_string(
      check(*mutant, {.families = {InputFamily::Uniform, InputFamily::Integers}, .elements = 1}));

  CHECK(text.find("uniform ") != std::string::npos);
  CHECK(text.find("FAILED") != std::string::npos);
  CHECK(text.find("output 0: element [0] differs between run 0 and run 1") != std::string::npos);
}

}  // namespace sinter::tests
