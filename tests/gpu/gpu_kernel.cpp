// Device memory around one kernel.
#include "tests/gpu/gpu_kernel.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "codegen/schedule.h"
#include "ir/facts.h"
#include "sinter/device.h"
#include "tests/support/cpu_kernel.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

/// A tensor on the device, dense or spread.
class GpuTensor {
 public:
  GpuTensor(runtime::DeviceImpl& device, const BitsTensor& tensor, bool is_spread)
      : device_(device), tensor_(tensor), strides_(ir::contiguous_strides(tensor.extents)) {
    const auto count = static_cast<std::int64_t>(tensor.bits.size());
    if (is_spread) {
      for (std::int64_t& stride : strides_) stride *= -2;
      first_ = count > 0 ? 2 * (count - 1) : 0;
    }
    step_ = is_spread ? -2 : 1;
    bytes_.resize(static_cast<std::size_t>((is_spread ? 2 : 1) * count) * size());
    for (std::size_t i = 0; i < tensor.bits.size(); ++i) {
      std::memcpy(bytes_.data() + offset(i), &tensor.bits[i], size());
    }
    memory_ = device.allocate(bytes_.size());
    device.copy_in(memory_, bytes_.data(), bytes_.size());
  }
  ~GpuTensor() { device_.free(memory_); }
  GpuTensor(const GpuTensor&) = delete;
  GpuTensor& operator=(const GpuTensor&) = delete;

  ir::BoundTensor bind(const std::string& name) const {
    const auto address =
        reinterpret_cast<std::uint64_t>(memory_) + static_cast<std::uint64_t>(first_) * size();
    return {name, address, tensor_.extents, strides_};
  }

  BitsTensor read() {
    device_.copy_out(bytes_.data(), memory_, bytes_.size());
    BitsTensor result = tensor_;
    for (std::size_t i = 0; i < result.bits.size(); ++i) {
      result.bits[i] = 0;
      std::memcpy(&result.bits[i], bytes_.data() + offset(i), size());
    }
    return result;
  }

 private:
  std::size_t size() const { return size_bytes(tensor_.dtype); }
  /// Bytes from the start of the memory to element `i` in row-major order.
  std::size_t offset(std::size_t i) const {
    return static_cast<std::size_t>(first_ + step_ * static_cast<std::int64_t>(i)) * size();
  }

  runtime::DeviceImpl& device_;
  BitsTensor tensor_;
  std::vector<std::int64_t> strides_;
  std::int64_t first_ = 0;
  std::int64_t step_ = 1;
  std::vector<unsigned char> bytes_;
  void* memory_ = nullptr;
};

double value_of(const BitsTensor& tensor, std::size_t i) {
  return ir::as_double({tensor.dtype, tensor.bits[i]});
}

/// Largest difference relative to the largest expected magnitude.
double relative_difference(const BitsTensor& actual, const BitsTensor& expected) {
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < expected.bits.size(); ++i) {
    largest = std::max(largest, std::abs(value_of(expected, i)));
    difference = std::max(difference, std::abs(value_of(expected, i) - value_of(actual, i)));
  }
  return largest > 0 ? difference / largest : difference;
}

}  // namespace

runtime::DeviceImpl* first_gpu(std::string* why_none) {
  const auto devices = runtime::cuda_devices(why_none);
  return devices.empty() ? nullptr : devices.front();
}

std::map<std::string, BitsTensor> run_on_gpu(const ir::Kernel& kernel,
                                             const std::map<std::string, std::int64_t>& sizes,
                                             const std::map<std::string, BitsTensor>& inputs,
                                             const GpuRun& options) {
  std::string why;
  runtime::DeviceImpl& device = *first_gpu(&why);
  std::map<std::string, std::unique_ptr<GpuTensor>> tensors;
  runtime::CallBindings call;
  call.facts.sizes = sizes;
  for (const ir::KernelParam& param : kernel.params()) {
    BitsTensor tensor{param.dtype, extents_of(param, sizes), {}};
    tensor.bits.resize(static_cast<std::size_t>(element_count(tensor.extents)));
    if (param.role == ir::ParamRole::In) tensor = inputs.at(param.name);
    if (param.is_host) {
      const auto address = reinterpret_cast<std::uint64_t>(inputs.at(param.name).bits.data());
      call.facts.tensors.push_back({param.name, address, {}, {}});
      continue;
    }
    auto& held = tensors[param.name];
    held = std::make_unique<GpuTensor>(device, tensor, options.is_spread);
    call.facts.tensors.push_back(held->bind(param.name));
  }
  const codegen::Config config = options.config.value_or(
      codegen::Config{"generic", {{"team", options.team}, {"threads", 256}}});
  const codegen::Schedule& schedule = cuda_schedule(config.schedule);
  const ir::Facts facts = schedule.classes(kernel).at(options.facts_class);
  REQUIRE(ir::find_mismatch(facts, call.facts) == std::nullopt);
  const codegen::Program program = schedule.emit(kernel, facts, config, device.target());
  const auto loaded = device.load(program, device.compile(program));

  const runtime::StreamHandle stream = device.make_stream();
  std::vector<Buffer> workspaces;
  for (const codegen::Workspace& workspace : program.workspaces) {
    const auto bytes =
        static_cast<std::size_t>(ir::evaluate(workspace.size_bytes, {sizes, {}, {}}));
    // What need not be zero is filled with ones, so that nothing is read before it is written.
    workspaces.push_back(Device::parse(device.id()).allocate(std::max<std::size_t>(bytes, 1)));
    device.fill_bytes(stream, workspaces.back().data(), workspace.zeroed ? 0 : 0xff, bytes);
    call.workspaces[workspace.name] = workspaces.back().data();
  }
  loaded->launch(stream, call);
  device.synchronize(stream);
  device.free_stream(stream);

  std::map<std::string, BitsTensor> outputs;
  for (const ir::KernelParam& param : kernel.params()) {
    if (param.role == ir::ParamRole::Out) outputs[param.name] = tensors[param.name]->read();
  }
  return outputs;
}

namespace {

/// Largest difference, relative to the value or 1; infinity where one of two is NaN.
double largest_difference(const BitsTensor& actual, const BitsTensor& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < expected.bits.size(); ++i) {
    const double a = ir::as_double({actual.dtype, actual.bits[i]});
    const double b = ir::as_double({expected.dtype, expected.bits[i]});
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double difference = std::fabs(a - b) / std::max(1.0, std::fabs(b));
    largest = std::max(largest, std::isnan(difference) ? INFINITY : difference);
  }
  return largest;
}

}  // namespace

void check_configs_on_gpu(const std::string& schedule, const std::string& graph_text,
                          const std::map<std::string, std::int64_t>& sizes,
                          const ConfigChecks& checks) {
  CAPTURE(graph_text);
  std::string why;
  runtime::DeviceImpl* gpu = first_gpu(&why);
  if (gpu == nullptr) return skip(why);
  const ir::Kernel kernel = fused_kernel(graph_text);
  const auto reason = cuda_schedule(schedule).refuses(kernel, gpu->target());
  REQUIRE_MESSAGE(!reason, *reason);
  const bool is_exact = checks.tolerance == 0;
  const auto inputs = is_exact ? whole_numbers(kernel, sizes) : random_inputs(kernel, sizes, 5);
  const auto expected = interpret_kernel(kernel, sizes, inputs);
  auto runs = fitting_runs(cuda_schedule(schedule), kernel, sizes, gpu->target(), checks.step);
  REQUIRE(!runs.empty());
  if (checks.is_spread) {
    runs.push_back(runs.back());
    runs.back().is_spread = true;
  }
  for (const GpuRun& run : runs) {
    CAPTURE(run.facts_class);
    CAPTURE(run.is_spread);
    CAPTURE(codegen::to_string(*run.config));
    const auto actual = run_on_gpu(kernel, sizes, inputs, run);
    for (const auto& [name, tensor] : expected) {
      CAPTURE(name);
      if (is_exact) {
        CHECK(count_differences(actual.at(name), tensor) == 0);
      } else {
        CHECK(largest_difference(actual.at(name), tensor) <= checks.tolerance);
      }
    }
  }
}

void check_gpu_kernel(const std::string& name, const std::map<std::string, std::int64_t>& sizes,
                      const GpuRun& options, double tolerance) {
  const ir::Kernel kernel = read_kernel(name);
  const auto inputs = random_inputs(kernel, sizes, 7);
  CAPTURE(name);
  CAPTURE(options.facts_class);
  CAPTURE(options.team);

  const auto actual = run_on_gpu(kernel, sizes, inputs, options);

  for (const auto& [output, expected] : interpret_kernel(kernel, sizes, inputs)) {
    CAPTURE(output);
    if (tolerance == 0) {
      CHECK(count_differences(actual.at(output), expected) == 0);
    } else {
      CHECK(relative_difference(actual.at(output), expected) <= tolerance);
    }
  }
}

std::map<std::string, BitsTensor> whole_numbers(const ir::Kernel& kernel,
                                                const std::map<std::string, std::int64_t>& sizes) {
  std::mt19937_64 random(11);
  std::map<std::string, BitsTensor> inputs;
  for (const ir::KernelParam& param : kernel.params()) {
    if (param.role != ir::ParamRole::In) continue;
    BitsTensor tensor{param.dtype, extents_of(param, sizes), {}};
    tensor.bits.resize(static_cast<std::size_t>(element_count(tensor.extents)));
    for (std::uint64_t& bits : tensor.bits) {
      const double value = static_cast<double>(random() % 5) - 2;
      bits = ir::make_literal(param.dtype, value).bits;
    }
    inputs[param.name] = std::move(tensor);
  }
  return inputs;
}

std::vector<GpuRun> fitting_runs(const codegen::Schedule& schedule, const ir::Kernel& kernel,
                                 const std::map<std::string, std::int64_t>& sizes,
                                 const codegen::Target& target, std::size_t step) {
  const auto classes = schedule.classes(kernel);
  ir::CallFacts call;
  call.sizes = sizes;
  std::vector<std::vector<std::int64_t>> extents, strides;
  for (const ir::KernelParam& param : kernel.params()) {
    extents.push_back(extents_of(param, sizes));
    strides.push_back(ir::contiguous_strides(extents.back()));
  }
  for (std::size_t p = 0; p < kernel.params().size(); ++p) {
    call.tensors.push_back({kernel.params()[p].name, 256, extents[p], strides[p]});
  }
  std::set<std::string> seen;
  std::vector<GpuRun> runs;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (ir::find_mismatch(classes[c], call)) continue;
    const auto candidates = schedule.candidates(kernel, classes[c], target, sizes);
    for (std::size_t k = 0; k < candidates.size(); k += step) {
      const bool is_new = seen.insert(codegen::to_string(candidates[k].config)).second;
      if (!is_new && c + 1 < classes.size()) continue;
      runs.push_back({.facts_class = c, .config = candidates[k].config});
    }
  }
  return runs;
}

}  // namespace sinter::tests
