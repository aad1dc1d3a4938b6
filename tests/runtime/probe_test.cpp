// The probes of the CPU run and count what they say.
#include "runtime/profile/probe.h"

#include <doctest/doctest.h>

#include "runtime/profile/copy_contender.h"

namespace sinter::runtime {

TEST_CASE("the CPU's arithmetic probes run, at a rate that a CPU can have") {
  DeviceImpl& cpu = *cpu_device();

  const auto probes = arithmetic_probes(cpu.target());

  CHECK(probes.size() == 4);
  for (const ArithmeticProbe& probe : probes) {
    const Contender contender = probe_contender(
        cpu, probe.how, probe.program,
        {{"data", kProbeDataBytes, probe.dtype}, {"out", kProbeDataBytes, probe.dtype}});
    const double time_us = cpu.time_us(nullptr, [&] { contender.launch(nullptr, 0); });
    CAPTURE(to_string(probe.arithmetic));
    // Between a thousandth of and a hundred times a few GFLOP/s a thread.
    CHECK(probe.flops / time_us * 1e-3 > 0.01);
    CHECK(probe.flops / time_us * 1e-3 < 1e3 * cpu.target().units);
  }
}

TEST_CASE("a plain copy on the CPU copies whole vectors and touches nothing behind them") {
  DeviceImpl& cpu = *cpu_device();
  constexpr std::int64_t kWritten = 32 * 5000;
  for (const int each : copy_probe_sizes(cpu.target())) {
    const codegen::Program program = copy_probe(cpu.target(), 2 * kWritten, kWritten + 31, each);
    const auto loaded = cpu.load(program, cpu.compile(program));
    std::vector<std::uint8_t> from(2 * kWritten), to(kWritten + 64, 255);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint8_t>(i % 251);
    const ir::TensorLayout tensors[] = {{reinterpret_cast<std::uint64_t>(from.data()), {}, {}},
                                        {reinterpret_cast<std::uint64_t>(to.data()), {}, {}}};

    loaded->bind({{}, {"from", "to"}})->launch(nullptr, {{}, tensors, {}});

    int unwritten = 0;
    for (std::size_t i = 0; i < kWritten; ++i) unwritten += to[i] == 255 ? 1 : 0;
    CHECK(unwritten == 0);
    CHECK(to[0] == from[0]);
    CHECK(to[kWritten] == 255);
  }
}

}  // namespace sinter::runtime
