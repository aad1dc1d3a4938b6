// Suites of many cases at a glance, from made-up figures.
#include "bench/summary.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "bench/report.h"

namespace sinter::bench {

namespace {

Figure with_ratio(const std::string& name, double ratio, bool is_peer) {
  Figure one;
  one.timing.name = name;
  one.timing.median_us = 100 * ratio;
  one.timing.verdict = runtime::Verdict::Precise;
  one.is_peer = is_peer;
  one.to_sinter.median = ratio;
  return one;
}

CaseResult sweep_point(const std::string& row, std::int64_t length, double cold,
                       double back_to_back) {
  CaseResult one;
  one.name = row + "_" + std::to_string(length);
  one.point = SweepPoint{row, length};
  for (const double share : {cold, back_to_back}) {
    one.modes.push_back(
        {.figures = {with_ratio("sinter", 1, false), with_ratio("plain copy", share, true)}});
  }
  return one;
}

BenchResult small_sweep() {
  BenchResult result;
  result.cases = {sweep_point("softmax bf16", 32, 1.0, 0.9),
                  sweep_point("softmax bf16", 4096, 0.8, 0.95),
                  sweep_point("sum f32", 4096, 0.98, 0.99)};
  return result;
}

CaseResult layouts_case(double transposed, double reversed) {
  CaseResult one;
  one.name = "layouts_sum";
  one.compares_layouts = true;
  for (const double more : {1.0, 1.25}) {
    one.modes.push_back({.figures = {with_ratio("contiguous", 1, false),
                                     with_ratio("transposed", transposed * more, false),
                                     with_ratio("reversed", reversed, false)}});
  }
  return one;
}

}  // namespace

TEST_CASE("the sweep's table has the smaller share of both states, in rows and columns") {
  CHECK(sweep_table(small_sweep()) ==
        "% of a plain copy 32 4096\n"
        "softmax bf16      90   80\n"
        "sum f32            -   98\n"
        "geometric mean 89.0 % over 3 points; least 80.0 %: softmax bf16_4096; 1 below 85 %\n");
  CHECK(sweep_table({}) == "");
}

TEST_CASE("the sweep's table marks what is wrong and what proves nothing") {
  BenchResult result = small_sweep();
  result.cases[0].modes[1].figures[0].timing.mistake = "element 0 is NaN";
  result.cases[1].modes[0].figures[1].timing.verdict = runtime::Verdict::Inconclusive;
  result.cases[2].modes.clear();
  result.cases[2].failure = "no such instruction";
  result.cases[2].failure_code = tools::ExitCode::Compile;

  const std::string table = sweep_table(result);

  CHECK(table.find("softmax bf16      90!  80?\n") != std::string::npos);
  CHECK(table.find("sum f32             -   -!\n") != std::string::npos);
  CHECK(table.find("over 2 points") != std::string::npos);
}

TEST_CASE("a share counts where every state of the cache has one, PyTorch's figures are none") {
  CaseResult one = sweep_point("sum f32", 32, 0.7, 0.8);
  Figure torch = with_ratio("torch eager", 0.1, true);
  torch.is_foreign = true;
  one.modes[0].figures.insert(one.modes[0].figures.begin() + 1, torch);
  CHECK(copy_share(one) == 0.7);

  one.modes[1].figures.pop_back();
  CHECK(copy_share(one) == 0);
}

TEST_CASE("the JSON has points with their shares and the summary of the sweep") {
  const auto json = nlohmann::json::parse(to_json(small_sweep()));

  CHECK(json["cases"][1]["point"]["row"] == "softmax bf16");
  CHECK(json["cases"][1]["point"]["length"] == 4096);
  CHECK(json["cases"][1]["point"]["share"] == 0.8);
  CHECK(json["sweep"]["points"] == 3);
  CHECK(json["sweep"]["least_name"] == "softmax bf16_4096");
  CHECK(json["sweep"]["below_fine"] == 1);
}

TEST_CASE("the table of layouts names those that are slower than twice the contiguous one") {
  BenchResult result;
  result.cases = {layouts_case(4, 1.25)};

  CHECK(layouts_table(result) ==
        "speed to contiguous contiguous transposed reversed\n"
        "layouts_sum               1.00       0.20     0.80\n"
        "below one half:\n"
        "  layouts_sum transposed: 0.20\n");
  result.cases = {layouts_case(1.5, 1)};
  CHECK(layouts_table(result).find("none below one half\n") != std::string::npos);
  CHECK(layouts_table({}) == "");
}

TEST_CASE("a case that failed is told, and its code counts") {
  BenchResult result = small_sweep();
  result.cases[0].failure = "no such instruction";
  result.cases[0].failure_code = tools::ExitCode::Compile;

  CHECK(exit_code_of(result) == tools::ExitCode::Compile);
  CHECK(to_text(result.cases[0]).find("FAILED: no such instruction") != std::string::npos);
  result.cases[1].modes[0].figures[0].timing.mistake = "element 0 is NaN";
  CHECK(exit_code_of(result) == tools::ExitCode::WrongResult);
}

}  // namespace sinter::bench
