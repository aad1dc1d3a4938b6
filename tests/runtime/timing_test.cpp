// The timing core on a device whose clock the test holds.
#include "runtime/profile/timing.h"

#include <doctest/doctest.h>

#include "tests/support/fake_device.h"

namespace sinter::tests {

namespace {

using runtime::DeviceState;
using runtime::Sample;
using runtime::Timing;
using runtime::Verdict;

/// Each launch takes as long as it says; the state is what the test sets. A graph takes as long as its launches
/// did when they were recorded.
class TimedDevice final : public FakeDevice {
 public:
  TimedDevice() : FakeDevice("timed", [](const codegen::Program&) {}) {}
  std::unique_ptr<runtime::RecordedWork> record(runtime::StreamHandle,
                                                const std::function<void()>& work) override {
    if (!can_record) return nullptr;
    spent_us = 0;
    work();
    return std::make_unique<Recorded>(*this, spent_us);
  }
  double time_us(runtime::StreamHandle, const std::function<void()>& work) override {
    spent_us = 0;
    work();
    return spent_us;
  }
  DeviceState state() const override { return next_state(turn_++); }

  double spent_us = 0;
  bool can_record = false;
  std::function<DeviceState(int turn)> next_state = [](int) { return DeviceState{}; };

 private:
  class Recorded final : public runtime::RecordedWork {
   public:
    Recorded(TimedDevice& device, double time_us) : device_(device), time_us_(time_us) {}
    void launch(runtime::StreamHandle) override { device_.spent_us += time_us_; }

   private:
    TimedDevice& device_;
    double time_us_;
  };
  mutable int turn_ = 0;
};

runtime::Contender contender(TimedDevice& device, const std::string& name,
                             std::function<double(std::int64_t turn)> time_us) {
  return {name, [&device, time_us = std::move(time_us)](runtime::StreamHandle, std::int64_t turn) {
            device.spent_us += time_us(turn);
          }};
}

constexpr runtime::TimingOptions kShort{.warm_up = {.least_ms = 0.1, .most_ms = 1},
                                        .budget_ms = 100};

}  // namespace

TEST_CASE("contenders are timed in turn, each launch of a batch counting alike") {
  TimedDevice device;
  runtime::TimingOptions options = kShort;
  options.cache = runtime::Cache::BackToBack;
  const auto timings =
      runtime::time_interleaved(device,
                                {contender(device, "slow", [](std::int64_t) { return 20.0; }),
                                 contender(device, "fast", [](std::int64_t) { return 10.0; })},
                                options)
          .timings;

  REQUIRE(timings.size() == 2);
  CHECK(timings[0].name == "slow");
  CHECK(timings[0].median_us == 20);
  CHECK(timings[1].median_us == 10);
  CHECK(timings[1].samples >= 30);
  CHECK(timings[1].verdict == Verdict::Precise);
  CHECK(runtime::launching_text(timings[1]) == "20 back to back");
  CHECK(timings[1].clock_mhz == 0);
}

TEST_CASE("timing stops at its budget where the interval stays wide") {
  TimedDevice device;
  const auto timings =
      runtime::time_interleaved(
          device,
          {contender(device, "noisy",
                     [](std::int64_t turn) { return turn % 2 == 0 ? 50.0 : 150.0; })},
          kShort)
          .timings;

  CHECK(timings[0].verdict == Verdict::Wide);
  CHECK(runtime::launching_text(timings[0]) == "alone");
  CHECK(timings[0].quarter_us == 50);
  CHECK(timings[0].three_quarters_us == 150);
  CHECK(timings[0].low_us == 0);  // a clock of steps of 100, as far as the samples tell
  CHECK(timings[0].high_us == 200);
}

TEST_CASE("samples of a slowed-down device are rejected and counted") {
  TimedDevice device;
  device.next_state = [](int turn) {
    return DeviceState{.clock_mhz = turn % 10 == 3 ? 900.0 : 1800.0, .is_hot = turn % 10 == 5};
  };
  const auto timings =
      runtime::time_interleaved(
          device, {contender(device, "kernel", [](std::int64_t) { return 10.0; })}, kShort)
          .timings;

  CHECK(timings[0].rejected > 0);
  CHECK(timings[0].rejected * 4 == timings[0].samples);
  CHECK(timings[0].clock_mhz == 1800);
  CHECK(timings[0].verdict == Verdict::Precise);
}

TEST_CASE("more than a fifth of rejected samples proves nothing") {
  std::vector<Sample> samples(30, {10, {.clock_mhz = 1800}});
  for (std::size_t i = 0; i < 10; ++i) samples[i].state.is_braked = true;

  const Timing timing = runtime::summarize("kernel", samples, {}, 1800);

  CHECK(timing.samples == 20);
  CHECK(timing.rejected == 10);
  CHECK(timing.verdict == Verdict::Inconclusive);
  CHECK(timing.reason == "10 of 30 samples were taken on a slowed-down device");
}

TEST_CASE("a device that is slowed down all the time ends with its budget, without a figure") {
  TimedDevice device;
  device.next_state = [](int) { return DeviceState{.is_hot = true}; };

  const auto timings =
      runtime::time_interleaved(
          device, {contender(device, "kernel", [](std::int64_t) { return 100.0; })}, kShort)
          .timings;

  CHECK(timings[0].verdict == Verdict::Inconclusive);
  CHECK(timings[0].samples == 0);
  CHECK(timings[0].median_us == 0);
}

TEST_CASE("too few samples in the budget prove nothing") {
  TimedDevice device;

  const auto timings =
      runtime::time_interleaved(
          device, {contender(device, "long", [](std::int64_t) { return 1e4; })}, kShort)
          .timings;

  CHECK(timings[0].verdict == Verdict::Inconclusive);
  CHECK(timings[0].reason == "10 samples in 100 ms, at least 30 are needed");
}

TEST_CASE("launches of less than 10 us are recorded as graphs that rotate over all buffers") {
  TimedDevice device;
  device.can_record = true;
  std::vector<runtime::Contender> contenders = {
      contender(device, "short", [](std::int64_t) { return 4.0; }),
      contender(device, "long", [](std::int64_t) { return 12.0; })};
  contenders[0].rotation = 64;

  const auto timings = runtime::time_interleaved(device, contenders, kShort).timings;

  CHECK(runtime::launching_text(timings[0]) == "graph of 64");
  CHECK(timings[0].median_us == 4);
  CHECK(runtime::launching_text(timings[1]) == "graph of 20");
  CHECK(timings[1].median_us == 12);
}

TEST_CASE("a device without graphs has short launches timed in batches, long ones alone") {
  TimedDevice device;
  const auto launching_of = [&](double time_us) {
    const runtime::Contender one =
        contender(device, "kernel", [=](std::int64_t) { return time_us; });
    return runtime::launching_text(runtime::time_interleaved(device, {one}, kShort).timings[0]);
  };

  CHECK(launching_of(9) == "20 back to back");
  CHECK(launching_of(10) == "alone");
}

TEST_CASE("the last launch is made once more between poison and comparison") {
  for (const bool can_record : {false, true}) {
    TimedDevice device;
    device.can_record = can_record;
    std::int64_t poisoned = -1, compared = -1;
    runtime::Contender right = contender(device, "right", [](std::int64_t) { return 5.0; });
    right.verification = {[&](runtime::StreamHandle, std::int64_t turn) { poisoned = turn; },
                          [&](std::int64_t turn) {
                            compared = turn;
                            return std::string();
                          }};
    runtime::Contender wrong = contender(device, "wrong", [](std::int64_t) { return 5.0; });
    wrong.verification = {[](runtime::StreamHandle, std::int64_t) {},
                          [](std::int64_t) { return std::string("element 7 is NaN"); }};

    const auto timings = runtime::time_interleaved(device, {right, wrong}, kShort).timings;

    CHECK(poisoned > 0);
    CHECK(compared == poisoned);
    CHECK(timings[0].is_verified);
    CHECK(timings[0].mistake == "");
    CHECK(timings[1].mistake == "element 7 is NaN");
  }
}

TEST_CASE("the warm-up lasts until the clock has settled") {
  runtime::WarmUp warm_up({.least_ms = 300, .most_ms = 5000});
  double time_ms = 0;
  while (!warm_up.is_over()) {
    time_ms += 10;
    warm_up.note(time_ms, time_ms < 1000 ? 1980 - time_ms / 10 : 1880);
  }

  CHECK(warm_up.has_settled());
  CHECK(time_ms > 1000);
  CHECK(time_ms < 1600);
}

TEST_CASE(
    "a clock that never settles ends the warm-up at its cap; an unknown one at the least time") {
  runtime::WarmUp moving({.least_ms = 300, .most_ms = 5000}), unknown({.least_ms = 300});
  double time_ms = 0, unknown_ms = 0;
  for (; !moving.is_over(); moving.note(time_ms, 1000 + time_ms)) time_ms += 10;
  for (; !unknown.is_over(); unknown.note(unknown_ms, 0)) unknown_ms += 10;

  CHECK_FALSE(moving.has_settled());
  CHECK(time_ms == 5000);
  CHECK_FALSE(unknown.has_settled());
  CHECK(unknown_ms == 300);
}

TEST_CASE("a run tells how long it warmed up and whether the clock settled") {
  TimedDevice device;
  device.next_state = [](int) { return DeviceState{.clock_mhz = 1800}; };

  const auto run = runtime::time_interleaved(
      device, {contender(device, "kernel", [](std::int64_t) { return 1000.0; })});

  CHECK(run.has_settled);
  CHECK(run.warm_up_ms > 500);
  CHECK(run.warm_up_ms < 650);
}

TEST_CASE("a ratio is taken round by round, so that what slows both does not count") {
  runtime::TimingRun run;
  run.samples.resize(2);
  for (int round = 0; round < 40; ++round) {
    const double slow = 1 + round;
    run.samples[0].push_back({3 * slow, {.is_hot = round < 5}});
    run.samples[1].push_back({2 * slow, {}});
  }

  const runtime::TimeRatio ratio = runtime::ratio_of_times(run, 0, 1);

  CHECK(ratio.rounds == 35);
  CHECK(ratio.median == doctest::Approx(1.5));
  CHECK(ratio.low == doctest::Approx(1.5));
  CHECK(ratio.high == doctest::Approx(1.5));
}

TEST_CASE("a power cap is told, not rejected") {
  const std::vector<Sample> samples(30, {10, {.clock_mhz = 1400, .is_power_capped = true}});

  const Timing timing = runtime::summarize("kernel", samples, {}, 1400);

  CHECK(timing.was_power_capped);
  CHECK(timing.rejected == 0);
  CHECK(timing.verdict == Verdict::Precise);
}

TEST_CASE("the interval holds the median of samples in any order") {
  std::vector<Sample> samples;
  for (int i = 100; i > 0; --i) samples.push_back({static_cast<double>(i), {}});

  const Timing timing = runtime::summarize("kernel", samples, {});

  CHECK(timing.median_us == 50.5);
  CHECK(timing.mean_us == 50.5);
  CHECK(timing.minimum_us == 1);
  CHECK(timing.low_us == 39.5);
  CHECK(timing.high_us == 61.5);
}

}  // namespace sinter::tests
