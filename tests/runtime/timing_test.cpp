// The timing core on a device whose clock the test holds.
#include "runtime/profile/timing.h"

#include <doctest/doctest.h>

#include "tests/support/fake_device.h"

namespace sinter::tests {

namespace {

using runtime::DeviceState;
using runtime::Sample;
using runtime::Timing;

/// Each launch takes as long as it says; the state is what the test sets.
class TimedDevice final : public FakeDevice {
 public:
  TimedDevice() : FakeDevice("timed", [](const codegen::Program&) {}) {}
  double time_us(runtime::StreamHandle, const std::function<void()>& work) override {
    spent_us = 0;
    work();
    return spent_us;
  }
  DeviceState state() const override { return next_state(turn_++); }

  double spent_us = 0;
  std::function<DeviceState(int turn)> next_state = [](int) { return DeviceState{}; };

 private:
  mutable int turn_ = 0;
};

runtime::Contender contender(TimedDevice& device, const std::string& name,
                             std::function<double(std::int64_t turn)> time_us) {
  return {name, [&device, time_us = std::move(time_us)](runtime::StreamHandle, std::int64_t turn) {
            device.spent_us += time_us(turn);
          }};
}

constexpr runtime::TimingOptions kShort{.warmup_ms = 0.1, .budget_ms = 100};

}  // namespace

TEST_CASE("contenders are timed in turn, each launch of a batch counting alike") {
  TimedDevice device;
  const auto timings =
      runtime::time_interleaved(device,
                                {contender(device, "slow", [](std::int64_t) { return 20.0; }),
                                 contender(device, "fast", [](std::int64_t) { return 10.0; })},
                                {.batch = 4, .warmup_ms = 0.1, .budget_ms = 100});

  REQUIRE(timings.size() == 2);
  CHECK(timings[0].name == "slow");
  CHECK(timings[0].median_us == 20);
  CHECK(timings[1].median_us == 10);
  CHECK(timings[1].samples >= 30);
  CHECK(timings[1].is_precise);
  CHECK(timings[1].clock_mhz == 0);
}

TEST_CASE("timing stops at its budget where the interval stays wide") {
  TimedDevice device;
  const auto timings = runtime::time_interleaved(
      device,
      {contender(device, "noisy", [](std::int64_t turn) { return turn % 2 == 0 ? 50.0 : 150.0; })},
      kShort);

  CHECK_FALSE(timings[0].is_precise);
  CHECK(timings[0].low_us == 50);
  CHECK(timings[0].high_us == 150);
}

TEST_CASE("samples of a slowed-down device are rejected and counted") {
  TimedDevice device;
  device.next_state = [](int turn) {
    return DeviceState{.clock_mhz = turn % 10 == 3 ? 900.0 : 1800.0, .is_hot = turn % 10 == 5};
  };
  const auto timings = runtime::time_interleaved(
      device, {contender(device, "kernel", [](std::int64_t) { return 10.0; })}, kShort);

  CHECK(timings[0].rejected > 0);
  CHECK(timings[0].rejected * 4 == timings[0].samples);
  CHECK(timings[0].clock_mhz == 1800);
  CHECK(timings[0].is_precise);
}

TEST_CASE("more than a fifth of rejected samples proves nothing") {
  std::vector<Sample> samples(30, {10, {.clock_mhz = 1800}});
  for (std::size_t i = 0; i < 10; ++i) samples[i].state.is_braked = true;

  const Timing timing = runtime::summarize("kernel", samples, 0.005, 1800);

  CHECK(timing.samples == 20);
  CHECK(timing.rejected == 10);
  CHECK_FALSE(timing.is_precise);
}

TEST_CASE("a device that is slowed down all the time is an error") {
  const std::vector<Sample> samples(3, {10, {.is_hot = true}});

  CHECK_THROWS_WITH_AS(runtime::summarize("kernel", samples, 0.005),
                       "timing kernel: all 3 samples were taken on a slowed-down device",
                       UserError);
}

TEST_CASE("a power cap is told, not rejected") {
  const std::vector<Sample> samples(30, {10, {.clock_mhz = 1400, .is_power_capped = true}});

  const Timing timing = runtime::summarize("kernel", samples, 0.005, 1400);

  CHECK(timing.was_power_capped);
  CHECK(timing.rejected == 0);
  CHECK(timing.is_precise);
}

TEST_CASE("the interval holds the median of samples in any order") {
  std::vector<Sample> samples;
  for (int i = 100; i > 0; --i) samples.push_back({static_cast<double>(i), {}});

  const Timing timing = runtime::summarize("kernel", samples, 0.005);

  CHECK(timing.median_us == 50.5);
  CHECK(timing.mean_us == 50.5);
  CHECK(timing.minimum_us == 1);
  CHECK(timing.low_us == 40);
  CHECK(timing.high_us == 61);
}

}  // namespace sinter::tests
