// What the benchmark program says of results: table, JSON, picture, exit code, PyTorch's figures.
#include "bench/report.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/picture.h"
#include "sinter/error.h"

namespace sinter::bench {

namespace {

Figure figure(const std::string& name, double time_us) {
  Figure one;
  one.timing.name = name;
  one.timing.median_us = time_us;
  one.timing.low_us = time_us - 1;
  one.timing.high_us = time_us + 1;
  one.timing.samples = 60;
  one.timing.verdict = runtime::Verdict::Precise;
  return one;
}

BenchResult result_of_one_case() {
  Figure own = figure("sinter", 100);
  own.timing.is_verified = true;
  own.share = {.value = 0.9, .binding = "plain copy", .bytes_us = 90};
  Figure peer = figure("cuBLASLt", 110);
  peer.is_peer = true;
  peer.to_sinter = {.median = 1.1, .low = 1.09, .high = 1.11, .rounds = 60};
  CaseResult one;
  one.suite = "memory";
  one.name = "softmax_bf16";
  one.ideal_bytes = 1e8;
  one.is_rate_bytes = true;
  one.modes.push_back({runtime::Cache::Cold, 700, true, false, {own, peer}});
  BenchResult result;
  result.fingerprint = {"device <1>", "NVRTC", "0.1", "2026-01-01T00:00:00Z"};
  result.cases.push_back(one);
  return result;
}

}  // namespace

TEST_CASE("the table shows rate, share, verification and the peer's ratio with its interval") {
  const std::string text = to_text(result_of_one_case().cases[0]);

  CHECK(text.find("90.0 % of plain copy; right") != std::string::npos);
  CHECK(text.find("1.00 TB/s") != std::string::npos);
  CHECK(text.find("1.100x sinter [1.090, 1.110]") != std::string::npos);
  CHECK(text.find("clock settled") != std::string::npos);
}

TEST_CASE("the JSON has its schema, and null for what is not known") {
  const auto json = nlohmann::json::parse(to_json(result_of_one_case()));

  CHECK(json["schema"]["name"] == "sinter.bench");
  CHECK(json["schema"]["version"] == "1.0.0");
  CHECK(json["fingerprint"]["device"] == "device <1>");
  const auto& mode = json["cases"][0]["modes"][0];
  CHECK(mode["cache"] == "cold");
  CHECK(mode["contenders"][0]["share"]["value"] == 0.9);
  CHECK(mode["contenders"][0]["clock_mhz"].is_null());
  CHECK(mode["contenders"][1]["time_over_sinter"]["pairs"] == 60);
}

TEST_CASE("exit codes: wrong and implausible before inconclusive") {
  BenchResult result = result_of_one_case();
  Figure& own = result.cases[0].modes[0].figures[0];
  CHECK(exit_code_of(result) == tools::ExitCode::Ok);

  own.timing.verdict = runtime::Verdict::Inconclusive;
  CHECK(exit_code_of(result) == tools::ExitCode::Inconclusive);
  own.share.is_implausible = true;
  CHECK(exit_code_of(result) == tools::ExitCode::WrongResult);
  own.share.is_implausible = false;
  own.timing.mistake = "element 0 is NaN";
  CHECK(exit_code_of(result) == tools::ExitCode::WrongResult);

  BenchResult compared = result_of_one_case();
  compared.cases[0].false_differences = 3;
  CHECK(exit_code_of(compared) == tools::ExitCode::Inconclusive);
}

TEST_CASE("PyTorch's figures stand beside ours, without an interval of the ratio") {
  BenchResult result = result_of_one_case();
  merge_torch(
      result,
      R"({"schema": {"name": "sinter.torch_peer", "version": "1.0.0"}, "cases": {"softmax_bf16":
      {"cold": {"torch eager": {"median_us": 150, "low_us": 149, "high_us": 151, "samples": 40}}}, "other": {}}})");

  const Figure& torch = result.cases[0].modes[0].figures.at(2);
  CHECK(torch.timing.name == "torch eager");
  CHECK(torch.to_sinter.median == 1.5);
  CHECK(to_text(result.cases[0]).find("1.500x sinter (another process)") != std::string::npos);
  CHECK_THROWS_AS(merge_torch(result, "[]"), UserError);
  CHECK_THROWS_WITH_AS(merge_torch(result, R"({"schema": {"name": "x"}})"),
                       "--torch: the file is none of scripts/torch_peer.py", UserError);
}

TEST_CASE("the picture has a bar for each share and escapes names") {
  const std::string svg = shares_picture(result_of_one_case());

  CHECK(svg.find("<svg ") == 0);
  CHECK(svg.find("device &lt;1&gt;") != std::string::npos);
  CHECK(svg.find(">softmax_bf16</text>") != std::string::npos);
  CHECK(svg.find("90.0 % of plain copy, cold") != std::string::npos);
  CHECK(svg.find("</svg>\n") == svg.size() - 7);
}

TEST_CASE("the picture has a panel for each operator of a sweep, and a curve for each dtype") {
  BenchResult result = result_of_one_case();
  const CaseResult bar = result.cases[0];
  result.cases.clear();
  for (const auto& [row, length] : {std::pair("softmax bf16", 32), std::pair("softmax bf16", 4096),
                                    std::pair("softmax f32", 32), std::pair("sum f32", 32)}) {
    CaseResult& one = result.cases.emplace_back(bar);
    one.point = SweepPoint{row, length};
    one.name = fmt::format("{} {}", row, length);
  }
  const auto count = [](const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };

  const std::string svg = shares_picture(result);

  CHECK(count(svg, ">softmax</text>") == 1);
  CHECK(count(svg, ">sum</text>") == 1);
  CHECK(count(svg, ">f32</text>") == 2);
  CHECK(count(svg, "<polyline ") == 3);
  CHECK(count(svg, "<circle ") == 4);
  // No bar: only the background is a rectangle.
  CHECK(count(svg, "<rect ") == 1);
  result.cases.push_back(bar);
  CHECK(count(shares_picture(result), "<rect ") == 2);
}

}  // namespace sinter::bench
