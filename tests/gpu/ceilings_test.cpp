// The probes run on the GPU at rates that the device can have, and a plain copy copies.
#include "runtime/profile/ceilings.h"

#include <doctest/doctest.h>

#include "runtime/profile/copy_contender.h"
#include "runtime/profile/probe.h"
#include "tests/gpu/gpu_kernel.h"
#include "tests/support/skip.h"

namespace sinter::tests {

TEST_CASE("every arithmetic probe runs, at most at what the data sheet says") {
  std::string why;
  runtime::DeviceImpl* device = first_gpu(&why);
  if (device == nullptr) return skip(why);
  for (const runtime::ArithmeticProbe& probe : runtime::arithmetic_probes(device->target())) {
    CAPTURE(to_string(probe.arithmetic));
    CAPTURE(probe.how);
    const runtime::Contender contender =
        runtime::probe_contender(*device, probe.how, probe.program,
                                 {{"data", runtime::kProbeDataBytes, probe.dtype},
                                  {"out", runtime::kProbeDataBytes, probe.dtype}});
    const runtime::StreamHandle stream = device->make_stream();
    double time_us = 0;
    for (int again = 0; again < 3; ++again) {
      time_us = device->time_us(stream, [&] { contender.launch(stream, 0); });
    }
    device->free_stream(stream);
    MESSAGE(to_string(probe.arithmetic) << " by " << probe.how << ": " << time_us << " us, "
                                        << probe.flops / time_us * 1e-6 << " TFLOP/s");
    CHECK(probe.flops / time_us * 1e-6 > 0.1);
    // Four times the rate of 16-bit floats, of which f8 and i8 have twice.
    if (device->target().product_gflop_per_s > 0) {
      CHECK(probe.flops / time_us * 1e-3 < 4 * device->target().product_gflop_per_s);
    }
  }
}

TEST_CASE("a plain copy writes every whole vector and nothing behind it") {
  std::string why;
  runtime::DeviceImpl* device = first_gpu(&why);
  if (device == nullptr) return skip(why);
  constexpr std::int64_t kWritten = 16 * 70001;
  for (const int each : runtime::copy_probe_sizes(device->target())) {
    const codegen::Program program =
        runtime::copy_probe(device->target(), 2 * kWritten, kWritten, each);
    const auto loaded = device->load(program, device->compile(program));
    std::vector<std::uint8_t> from(2 * kWritten, 1), to(kWritten + 64);
    void* source = device->allocate(from.size());
    void* target = device->allocate(to.size());
    device->copy_in(source, from.data(), from.size());
    const runtime::StreamHandle stream = device->make_stream();
    device->fill_bytes(stream, target, 255, to.size());
    const ir::TensorLayout tensors[] = {{reinterpret_cast<std::uint64_t>(source), {}, {}},
                                        {reinterpret_cast<std::uint64_t>(target), {}, {}}};

    loaded->bind({{}, {"from", "to"}})->launch(stream, {{}, tensors, {}});
    device->synchronize(stream);
    device->copy_out(to.data(), target, to.size());

    int wrong = 0;
    for (std::size_t i = 0; i < to.size(); ++i) wrong += to[i] == (i < kWritten ? 1 : 255) ? 0 : 1;
    CHECK(wrong == 0);
    device->free_stream(stream);
    device->free(source);
    device->free(target);
  }
}

}  // namespace sinter::tests
