// Figures to be read, run by hand: test_runtime --no-skip --test-case="speed*". Skipped otherwise.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ir/text.h"
#include "runtime/cpu/jit_module.h"
#include "runtime/device_impl.h"
#include "tests/support/cpu_kernel.h"
#include "tests/support/random.h"

namespace sinter::tests {

namespace {

constexpr std::int64_t kRows = 8192, kWidth = 2560;

std::string residual_text(const std::string& dtype) {
  const std::string wide = dtype == "f32" ? "" : "  %s: f32 (i, j) = cast(%r) {dtype: f32}\n";
  const std::string narrow =
      dtype == "f32" ? "" : "  %o: " + dtype + " (i, j) = cast(%y) {dtype: " + dtype + "}\n";
  return "kernel residual {\n  axis i: m\n  axis j: n\n  axis k: l\n  in x: " + dtype +
         "[m, l]\n  in w: " + dtype + "[l, n]\n  in r: " + dtype + "[m, n]\n  out y: " + dtype +
         "[m, n]\n  %x: " + dtype + " (i, k) = load() {param: x, map: [i, k]}\n  %w: " + dtype +
         " (j, k) = load() {param: w, map: [k, j]}\n"
         "  %p: f32 (i, j) = contract(%x, %w) {axes: [k], dtype: f32, precision: split}\n  %r: " +
         dtype + " (i, j) = load() {param: r, map: [i, j]}\n" + wide +
         "  %y: f32 (i, j) = add(%p, " + (wide.empty() ? "%r" : "%s") + ")\n" + narrow +
         "  store(" + (wide.empty() ? "%y" : "%o") + ") {param: y, map: [i, j]}\n}";
}

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.uniform() - 0.5);
  return values;
}

std::vector<std::uint16_t> to_bf16(const std::vector<float>& values) {
  std::vector<std::uint16_t> bits;
  for (const float value : values) {
    bits.push_back(
        static_cast<std::uint16_t>(ir::encode_float(ir::DType::BF16, static_cast<double>(value))));
  }
  return bits;
}

struct Inputs {
  std::vector<float> x = random_floats(kRows * kWidth, 1);
  std::vector<float> w = random_floats(kWidth * kWidth, 2);
  std::vector<float> r = random_floats(kRows * kWidth, 3);
  std::vector<float> y = std::vector<float>(kRows * kWidth);
};

class Residual {
 public:
  Residual(const std::string& dtype, void* x, void* w, void* r, void* y)
      : device_(*runtime::cpu_device()) {
    const ir::Kernel kernel = ir::parse_kernel(residual_text(dtype));
    call_.facts.sizes = {{"m", kRows}, {"n", kWidth}, {"l", kWidth}};
    const auto bind = [&](const char* name, void* data, std::int64_t rows) {
      call_.facts.tensors.push_back(
          {name, reinterpret_cast<std::uint64_t>(data), {rows, kWidth}, {kWidth, 1}});
    };
    bind("x", x, kRows);
    bind("w", w, kWidth);
    bind("r", r, kRows);
    bind("y", y, kRows);
    const ir::Facts facts = cpu_schedule("blas").classes(kernel).at(0);
    const codegen::Program program = cpu_program(kernel, "blas", facts, device_.target());
    for (const codegen::Workspace& workspace : program.workspaces) {
      const auto size = ir::evaluate(workspace.size_bytes, {call_.facts.sizes, {}, {}});
      memory_.emplace_back(static_cast<std::size_t>(size));
      call_.workspaces[workspace.name] = memory_.back().data();
    }
    loaded_ = device_.load(program, device_.compile(program));
  }
  double time_ms() {
    return device_.time_us(nullptr, [&] { loaded_->launch(nullptr, call_); }) / 1e3;
  }

 private:
  runtime::DeviceImpl& device_;
  runtime::CallBindings call_;
  std::vector<std::vector<char>> memory_;
  std::shared_ptr<runtime::LoadedProgram> loaded_;
};

}  // namespace

TEST_CASE("speed of a product with residual against OpenBLAS alone" * doctest::skip()) {
  Inputs inputs;
  std::vector<std::uint16_t> x16 = to_bf16(inputs.x), w16 = to_bf16(inputs.w),
                             r16 = to_bf16(inputs.r), y16(inputs.y.size());
  Residual f32("f32", inputs.x.data(), inputs.w.data(), inputs.r.data(), inputs.y.data());
  Residual bf16("bf16", x16.data(), w16.data(), r16.data(), y16.data());
  std::vector<float> bare(inputs.y.size());
  const SinterCpuJitApi& jit = runtime::cpu_jit();

  double bare_ms = 1e9, f32_ms = 1e9, bf16_ms = 1e9;
  for (int round = 0; round < 5; ++round) {
    jit.set_blas_threads(runtime::cpu_device()->target().units);
    bare_ms = std::min(bare_ms, runtime::cpu_device()->time_us(nullptr, [&] {
      jit.sgemm(0, 0, kRows, kWidth, kWidth, inputs.x.data(), kWidth, inputs.w.data(), kWidth,
                bare.data(), kWidth);
    }) / 1e3);
    f32_ms = std::min(f32_ms, f32.time_ms());
    bf16_ms = std::min(bf16_ms, bf16.time_ms());
  }

  double difference = 0;
  for (std::size_t i = 0; i < bare.size(); ++i) {
    difference =
        std::max(difference, std::fabs(static_cast<double>(bare[i]) + inputs.r[i] - inputs.y[i]));
  }
  CHECK(difference < 1e-4);
  std::printf("OpenBLAS alone %.1f ms, f32 with residual %.1f ms (%.2fx), bf16 %.1f ms (%.2fx)\n",
              bare_ms, f32_ms, f32_ms / bare_ms, bf16_ms, bf16_ms / bare_ms);
}

}  // namespace sinter::tests
