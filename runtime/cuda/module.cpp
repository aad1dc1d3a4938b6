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
    : device_(device), resources_(read_cubin_resources(binary.bytes)) {
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
    Kernel kernel{.entry = entry};
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

void CudaProgram::launch(StreamHandle stream, const CallBindings& call) {
  const CudaDeviceImpl::Use use(device_);
  for (Kernel& kernel : kernels_) launch_kernel(kernel, stream, call);
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

void CudaProgram::launch_kernel(Kernel& kernel, CudaStream stream, const CallBindings& call) {
  PreparedLaunch launch = prepare_launch(kernel.entry, call);
  if (launch.is_empty) return;
  allow_shared(kernel, launch.config.shared_bytes);
  launch.config.stream = stream;
  launch.config.attributes = launch.attributes.data();
  launch.config.attribute_count = static_cast<std::uint32_t>(launch.attributes.size());
  std::vector<void*> parameters;
  for (std::uint64_t& argument : launch.arguments) parameters.push_back(&argument);

  const CudaResult result =
      driver().launch(&launch.config, kernel.function, parameters.data(), nullptr);
  // An error of an earlier kernel may come back here; so this one is noted only if it started.
  device_.require(result, "launch of " + kernel.entry.symbol);
  device_.note_launch(stream, kernel.entry.symbol);
}

}  // namespace sinter::runtime
