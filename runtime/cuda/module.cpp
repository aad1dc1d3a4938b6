// Loading and launching. A cubin is checked before the driver sees it, since the driver is not told
// how long it is.
#include "runtime/cuda/module.h"

#include "runtime/cuda/cubin.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/nvrtc.h"
#include "support/check.h"

namespace sinter::runtime {
namespace {

bool is_rejection(CudaResult result) {
  return result == cu::kInvalidImage || result == cu::kNoBinaryForGpu ||
         result == cu::kInvalidPtx || result == cu::kUnsupportedPtxVersion;
}

/// What compiled it, or that nothing here could have.
std::string compiler_text() {
  try {
    return nvrtc_toolchain();
  } catch (const EnvironmentError&) {
    return "another machine (NVRTC is not installed here)";
  }
}

}  // namespace

CudaProgram::CudaProgram(const CudaDeviceImpl& device, const codegen::Program& program,
                         const Binary& binary)
    : LoadedProgram(program.workspaces),
      device_(device),
      resources_(read_cubin_resources(binary.bytes)) {
  const CudaDeviceImpl::Use use(device);
  const CudaResult result = driver().load_module(&module_, binary.bytes.data());
  if (is_rejection(result)) {
    const int version = device.driver_version();
    support::throw_compile(
        "the driver (CUDA {}.{}) rejects a kernel for {} made by {}; install a newer driver or an "
        "NVRTC of its version",
        version / 1000, version % 1000 / 10, device.target().arch,
        compiler_text() + ": " + describe_result(driver(), result));
  }
  device.require(result, "cuModuleLoadData");
  try {
    load_functions(program);
  } catch (...) {
    driver().unload_module(module_);
    throw;
  }
}

CudaProgram::~CudaProgram() {
  try {
    const CudaDeviceImpl::Use use(device_);
    driver().unload_module(module_);
  } catch (const RuntimeError&) {
    // The device is dead, and its modules with it.
  }
}

void CudaProgram::load_functions(const codegen::Program& program) {
  for (const codegen::Entry& entry : program.entries) {
    if (!entry.is_called) continue;
    support::check(entry.kind == codegen::EntryKind::Launch, "{}: not a CUDA kernel", entry.symbol);
    Kernel kernel{.entry = entry, .symbol = std::make_shared<std::string>(entry.symbol)};
    device_.require(driver().find_function(&kernel.function, module_, entry.symbol.c_str()),
                    "cuModuleGetFunction of " + entry.symbol);
    // Drivers load lazily; asking for an attribute makes them load now.
    int local_bytes = 0;
    device_.require(
        driver().function_attribute(&local_bytes, cu::kFunctionLocalBytes, kernel.function),
        "cuFuncGetAttribute of " + entry.symbol);
    const std::int64_t* cluster = entry.launch.cluster;
    if (cluster[0] * cluster[1] * cluster[2] > 8) {
      device_.require(
          driver().set_function_attribute(kernel.function, cu::kFunctionNonPortableCluster, 1),
          "cuFuncSetAttribute of " + entry.symbol);
    }
    kernels_.push_back(std::move(kernel));
  }
}

void CudaProgram::allow_shared(Kernel& kernel, std::uint32_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes <= kernel.allowed_shared_bytes) return;
  device_.require(
      driver().set_function_attribute(kernel.function, cu::kFunctionMaxDynamicSharedBytes,
                                      static_cast<int>(bytes)),
      fmt::format("asking for {} bytes of shared memory for {}", bytes, kernel.entry.symbol));
  kernel.allowed_shared_bytes = bytes;
}

/// The last map that an argument was encoded to: calls usually repeat their tensors.
class LastTensorMap {
 public:
  CudaTensorMap get(const TensorMapStep& step, const CallArguments& call) {
    const TensorMapValues values = evaluate_tensor_map(step, call);
    const std::lock_guard lock(mutex_);
    if (values_ != values) {
      map_ = encode_tensor_map(driver(), values, step.param);
      values_ = values;
    }
    return map_;
  }

 private:
  std::mutex mutex_;
  TensorMapValues values_;  // rank 0: none yet
  CudaTensorMap map_;
};

/// Kernels in order, with the places of their arguments.
class CudaBoundProgram final : public BoundProgram {
 public:
  CudaBoundProgram(CudaProgram& program, const SlotFinder& finder)
      : program_(program), device_(program.device_) {
    for (CudaProgram::Kernel& kernel : program.kernels_) {
      steps_.push_back({&kernel, make_launch_step(kernel.entry, finder), {}});
      for (std::size_t i = 0; i < steps_.back().recipe.tensor_maps.size(); ++i) {
        steps_.back().last_maps.push_back(std::make_unique<LastTensorMap>());
      }
    }
  }

  void launch(StreamHandle stream, const CallArguments& call) override {
    const CudaDeviceImpl::Use use(device_);
    for (Step& step : steps_) launch_kernel(step, stream, call);
  }

 private:
  struct Step {
    CudaProgram::Kernel* kernel;
    LaunchStep recipe;
    std::vector<std::unique_ptr<LastTensorMap>> last_maps;
  };

  void launch_kernel(Step& step, CudaStream stream, const CallArguments& call) {
    PreparedLaunch launch = prepare_launch(step.recipe, call);
    if (launch.is_empty) return;
    program_.allow_shared(*step.kernel, launch.config.shared_bytes);
    launch.config.stream = stream;
    launch.config.attributes = step.recipe.attributes.data();
    launch.config.attribute_count = static_cast<std::uint32_t>(step.recipe.attributes.size());
    fmt::basic_memory_buffer<CudaTensorMap, 4> maps;
    maps.resize(step.last_maps.size());
    for (std::size_t i = 0; i < step.last_maps.size(); ++i) {
      maps[i] = step.last_maps[i]->get(step.recipe.tensor_maps[i], call);
    }
    fmt::basic_memory_buffer<void*, 32> parameters;
    parameters.resize(step.recipe.slots.size());
    for (std::size_t i = 0; i < step.recipe.slots.size(); ++i) {
      const SlotSource& source = step.recipe.slots[i];
      const bool is_map = source.kind == SlotKind::TensorMap;
      parameters[i] = is_map ? static_cast<void*>(&maps[source.index]) : &launch.arguments[i];
    }
    const CudaResult result =
        driver().launch(&launch.config, step.kernel->function, parameters.data(), nullptr);
    // An error of an earlier kernel may come back here; so this one is noted only if it started.
    if (result != cu::kSuccess) device_.require(result, "launch of " + *step.kernel->symbol);
    device_.note_launch(stream, step.kernel->symbol);
  }

  CudaProgram& program_;
  const CudaDeviceImpl& device_;
  std::vector<Step> steps_;
};

std::unique_ptr<BoundProgram> CudaProgram::bind(const ir::CallNames& names) {
  return std::make_unique<CudaBoundProgram>(*this, SlotFinder(workspaces(), names));
}

}  // namespace sinter::runtime
