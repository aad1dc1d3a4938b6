// A case is measured on the CPU as it would be on a GPU: contenders, verification, share.
#include "bench/measure.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "bench/report.h"

namespace sinter::bench {

namespace {

CaseResult measure_on_cpu(const Case& one, const Pace& pace = {}) {
  const Device device = Device::cpu();
  runtime::Ceilings ceilings(device.impl());
  Session session(device, pace, ceilings);
  return measure(one, {.budget_ms = 30}, session);
}

}  // namespace

TEST_CASE("an operator is timed cold and back to back against a copy, and its output is compared") {
  const CaseResult result = measure_on_cpu({.suite = "memory",
                                            .name = "scaled",
                                            .graph = "graph g(%x: f32[64, 300]) {\n  %0: f32[64, "
                                                     "300] = softmax(%x) {axis: 1}\n  return %0\n}",
                                            .has_copy_peer = true});

  REQUIRE(result.modes.size() == 2);
  for (const ModeResult& mode : result.modes) {
    REQUIRE(mode.figures.size() == 2);
    CHECK(mode.figures[0].timing.name == "sinter");
    CHECK(mode.figures[0].timing.is_verified);
    CHECK(mode.figures[0].timing.mistake == "");
    CHECK(mode.figures[0].share.value > 0);
    CHECK(mode.figures[1].is_peer);
    CHECK(mode.figures[1].to_sinter.rounds > 0);
  }
}

TEST_CASE("the cases of a session share memory, and a later one warms up for a shorter time") {
  const Device device = Device::cpu();
  runtime::Ceilings ceilings(device.impl());
  Session session(device, {.batch = 3, .later_warm_up_ms = 10, .most_visits = 4000}, ceilings);
  const auto measure_rows = [&](int length) {
    const std::string type = fmt::format("f32[{}, {}]", 3000 / length, length);
    return measure({.suite = "rows_sweep",
                    .name = "sums",
                    .graph = fmt::format("graph g(%x: {0}) {{\n  %0: {0} = cumsum(%x) {{axis: "
                                         "1}}\n  return %0\n}}\n",
                                         type),
                    .has_copy_peer = true},
                   {.budget_ms = 20}, session);
  };

  const CaseResult first = measure_rows(10);
  const CaseResult second = measure_rows(1000);

  CHECK(first.modes.at(0).warm_up_ms >= 300);
  CHECK(first.compared_elements > 500);
  CHECK(first.compared_elements <= 1024);
  // A row of 1000 costs a thousand visits and more.
  CHECK(second.compared_elements > 0);
  CHECK(second.compared_elements <= 1024);
  for (const ModeResult& mode : second.modes) {
    CHECK(mode.warm_up_ms < 300);
    CHECK(mode.figures[0].timing.is_verified);
    CHECK(mode.figures[0].timing.mistake == "");
  }
  CHECK(runtime::launching_text(second.modes.at(1).figures[0].timing) == "3 back to back");
}

TEST_CASE("a product whose peer cannot be had is measured alone, and says why") {
  const CaseResult result = measure_on_cpu(
      {.suite = "products",
       .name = "tiny",
       .graph = "graph g(%x: f32[32, 32], %w: f32[32, 32]) {\n  %0: f32[32, 32] = matmul(%x, %w)\n"
                "  return %0\n}",
       .product = ProductPeer{32, 32, 32}});

  // Where the library is installed, it finds no GPU.
  CHECK_FALSE(result.missing.empty());
  CHECK(result.modes.at(0).figures.size() == 1);
}

TEST_CASE("a call's cost to the host is measured on any device") {
  const CaseResult result = measure_on_cpu(launch_suite().front());

  CHECK(result.call_ns > 0);
  CHECK(result.fastest_call_ns <= result.call_ns);
}

}  // namespace sinter::bench
