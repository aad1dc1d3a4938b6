// What one call costs the host on the CPU backend, beyond the work: tiny operators of one kernel and of
// several, in ns a call. Rounds are repeated; the median is printed with the fastest.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "sinter/sinter.h"

namespace sn = sinter;

namespace {

constexpr int kRounds = 15;
constexpr int kCalls = 20000;
constexpr std::int64_t kRows = 2;
constexpr std::int64_t kColumns = 8;

struct Case {
  const char* name;
  const char* graph;
  bool fuse;
};

constexpr Case kCases[] = {
    {"one kernel, numbers",
     "graph add(%x: f32[2, 8], %y: f32[2, 8]) {\n  %0: f32[2, 8] = add(%x, %y)\n  return %0\n}\n",
     true},
    {"one kernel, names",
     "graph add(%x: f32[m, n], %y: f32[m, n]) {\n  %0: f32[m, n] = add(%x, %y)\n  return %0\n}\n",
     true},
    {"one kernel, condition",
     "graph add(%x: f32[m, n], %y: f32[k, n]) {\n"
     "  %0: f32[m, n] = broadcast(%y) {shape: [m, n]}\n"
     "  %1: f32[m, n] = add(%x, %0)\n  return %1\n}\n",
     true},
    {"three kernels, names",
     "graph chain(%x: f32[m, n], %y: f32[m, n]) {\n  %0: f32[m, n] = add(%x, %y)\n"
     "  %1: f32[m, n] = mul(%0, %y)\n  %2: f32[m, n] = sub(%1, %x)\n  return %2\n}\n",
     false},
};

sn::TensorView view_of(std::vector<float>& data) {
  sn::TensorView view;
  view.data = data.data();
  view.dtype = sn::DType::F32;
  view.shape = {kRows, kColumns};
  return view;
}

void measure(const Case& one) {
  sn::CompileOptions options;
  options.fuse = one.fuse;
  const sn::Device device = sn::Device::cpu();
  const sn::Executable op = sn::compile_text(one.graph, device, options);
  const sn::Stream stream = device.make_stream();
  std::vector<float> x(kRows * kColumns, 2), y(kRows * kColumns, 3), z(kRows * kColumns, 0);
  const sn::TensorView inputs[] = {view_of(x), view_of(y)};
  const sn::TensorView outputs[] = {view_of(z)};
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < kCalls; ++call) op.run(stream, inputs, outputs);
    const auto stop = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration<double, std::nano>(stop - start).count() / kCalls);
  }
  std::sort(times.begin(), times.end());
  std::printf("%-22s %8.0f ns a call (fastest %.0f)\n", one.name, times[kRounds / 2], times[0]);
}

}  // namespace

int main() {
  for (const Case& one : kCases) measure(one);
}
