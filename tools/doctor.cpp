// `sinter doctor`: what this machine can run, proved by a vector addition through the whole chain.
#include <fmt/format.h>

#include <memory>

#include "runtime/cache/disk_cache.h"
#include "runtime/check/families.h"
#include "runtime/cpu/jit_module.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/nvrtc.h"
#include "runtime/device_impl.h"
#include "sinter/sinter.h"
#include "tools/builtin_ops.h"
#include "tools/doctor_versions.h"
#include "tools/subcommands.h"

namespace sinter::tools {

namespace {

constexpr std::int64_t kElements = 1 << 20;

// Empty where the sum that came back equals a + b element by element, else what was wrong.
std::string prove_vector_addition(const Device& device) {
  const Executable op =
      compile(find_operator("vector_add"), device, {f32(kElements), f32(kElements)});
  const std::size_t bytes = kElements * sizeof(float);
  std::vector<std::vector<float>> host(3, std::vector<float>(kElements, -1.0F));
  std::vector<Buffer> buffers;
  std::vector<TensorView> views;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i < 2)
      runtime::fill_family(InputFamily::Uniform, DType::F32, i + 1, 0,
                           std::as_writable_bytes(std::span(host[i])));
    Buffer& buffer = buffers.emplace_back(device.allocate(bytes));
    buffer.copy_in(host[i].data(), bytes);
    views.push_back(buffer.view(DType::F32, {kElements}));
  }
  const Stream stream = device.make_stream();
  op.run(stream, std::span(views).first(2), std::span(views).last(1));
  stream.synchronize();
  buffers[2].copy_out(host[2].data(), bytes);
  for (std::size_t i = 0; i < host[2].size(); ++i) {
    const float expected = host[0][i] + host[1][i];
    if (host[2][i] != expected) {
      return fmt::format("element {} is {}, {} was expected", i, host[2][i], expected);
    }
  }
  return {};
}

bool examine(const Device& device) {
  fmt::print("{:<9} {}\n", device.id(), device.description());
  fmt::print("          memory     {:.1f} GB, {:.1f} GB free\n",
             static_cast<double>(device.total_bytes()) * 1e-9,
             static_cast<double>(device.free_bytes()) * 1e-9);
  try {
    fmt::print("          toolchain  {}\n", device.impl().toolchain());
    const std::string trouble = prove_vector_addition(device);
    fmt::print("          addition   {}\n", trouble.empty() ? "right" : "WRONG: " + trouble);
    return trouble.empty();
  } catch (const RuntimeError& error) {
    fmt::print("          addition   failed: {}\n", error.what());
    return false;
  }
}

std::optional<CudaVersion> driver_version() {
  try {
    int version = 0;
    if (runtime::driver().driver_version(&version) != runtime::cu::kSuccess) return std::nullopt;
    return CudaVersion{version / 1000, version % 1000 / 10};
  } catch (const EnvironmentError&) {
    return std::nullopt;  // why_no_gpu says why
  }
}

std::optional<CudaVersion> nvrtc_version_if_any() {
  try {
    const auto [major, minor] = runtime::nvrtc_version();
    return CudaVersion{major, minor};
  } catch (const EnvironmentError&) {
    return std::nullopt;
  }
}

std::string llvm_text() {
  try {
    const SinterCpuJitApi& jit = runtime::cpu_jit();
    return judge_llvm(jit.llvm_version, jit.loaded_llvm_version);
  } catch (const EnvironmentError& error) {
    return error.what();
  }
}

ExitCode examine_all(const std::string& only) {
  register_builtin_operators();
  const std::vector<Device> devices =
      only.empty() ? Device::all() : std::vector<Device>{Device::parse(only)};
  const std::string why_no_gpu = Device::why_no_gpu();
  if (!why_no_gpu.empty()) fmt::print("gpu       {}\n", why_no_gpu);
  fmt::print("sinter    {}\n", build_text());
  fmt::print("cuda      {}\n", judge_cuda(driver_version(), nvrtc_version_if_any()));
  fmt::print("llvm      {}\n", llvm_text());
  bool is_well = true;
  for (const Device& device : devices) is_well = examine(device) && is_well;
  const std::string folder = runtime::default_cache_folder();
  fmt::print("cache     {}\n", folder.empty() ? "off" : folder);
  fmt::print("verdict   {}\n", is_well ? "well" : "not well: see above");
  return is_well ? ExitCode::Ok : ExitCode::Environment;
}

}  // namespace

Subcommand doctor_subcommand() {
  const auto only = std::make_shared<std::string>();
  return {"doctor",
          "Say what this machine can run, and prove it",
          {{"--device", "Examine only this one: cpu, gpu or cuda:<index>", only.get()}},
          [only] { return examine_all(*only); }};
}

}  // namespace sinter::tools
