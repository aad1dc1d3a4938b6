// A case is measured on the CPU as it would be on a GPU: contenders, verification, share.
#include "bench/measure.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "bench/report.h"
#include "sinter/error.h"

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
    CHECK(mode.warm_up_ms < first.modes.at(0).warm_up_ms);
    CHECK(mode.figures[0].timing.is_verified);
    CHECK(mode.figures[0].timing.mistake == "");
  }
  CHECK(runtime::launching_text(second.modes.at(1).figures[0].timing) == "3 back to back");
}

TEST_CASE(
    "a pool fills its inputs alike whatever their size, and leaves smaller ones to who holds "
    "them") {
  TensorPool pool(Device::cpu());
  const auto read = [](const Buffer& buffer, std::size_t count) {
    std::vector<float> values(count);
    buffer.copy_out(values.data(), count * sizeof(float));
    return values;
  };

  const TensorPool::Input small = pool.input(InputFamily::Uniform, DType::F32, 0, 40, 2);
  const TensorPool::Input large = pool.input(InputFamily::Uniform, DType::F32, 0, 4000, 3);
  const TensorPool::Input other = pool.input(InputFamily::Uniform, DType::F32, 1, 40, 1);

  CHECK(large.sets.size() == 3);
  CHECK(read(*large.sets[2], 1000) == read(*large.sets[0], 1000));
  CHECK(read(*small.sets[1], 10) == read(*large.sets[0], 10));
  CHECK(read(*other.sets[0], 10) != read(*small.sets[0], 10));
  CHECK(pool.input(InputFamily::Uniform, DType::F32, 0, 400, 3).sets == large.sets);
  const TensorPool::Input positive = pool.input(InputFamily::Positive, DType::F32, 0, 40, 1);
  for (const float value : read(*positive.sets[0], 10)) CHECK(value >= 0);
  const TensorPool::Sets output = pool.output(0, 400, 2);
  CHECK(pool.output(0, 40, 2) == output);
}

TEST_CASE("what is compiled ahead and fails is thrown where it is asked for") {
  const Device device = Device::cpu();
  runtime::Ceilings ceilings(device.impl());
  Session session(device, {}, ceilings);
  const Case good = {.name = "good",
                     .graph = "graph g(%x: f32[4]) {\n  %0: f32[4] = tanh(%x)\n  return %0\n}"};
  const Case bad = {.name = "bad", .graph = "graph g(%x: f32[4]) {"};

  session.compile_ahead({good, bad});

  CHECK(&session.executable(good).impl() == &session.executable(good).impl());
  CHECK_THROWS_AS(session.executable(bad), UserError);
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
