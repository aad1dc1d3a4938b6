// Loading of libcuda; symbols carry the version suffix whose signature driver.h declares.
#include "runtime/cuda/driver.h"

#include "runtime/cuda/shared_library.h"
#include "support/check.h"
#include "support/options.h"

namespace sinter::runtime {
namespace {

SharedLibrary open_driver() {
  const std::string name = support::option_text(support::Option::CudaDriver);
  if (name == "none") support::throw_environment("SINTER_CUDA_DRIVER is 'none'");
  return SharedLibrary::open("the CUDA driver", {name});
}

void find_device_functions(const SharedLibrary& library, DriverApi& api) {
  library.find("cuInit", api.init);
  library.find("cuDriverGetVersion", api.driver_version);
  library.find("cuDeviceGetCount", api.device_count);
  library.find("cuDeviceGet", api.device_get);
  library.find("cuDeviceGetName", api.device_name);
  library.find("cuDeviceGetPCIBusId", api.device_bus_id);
  library.find("cuDeviceGetAttribute", api.device_attribute);
  library.find("cuDeviceTotalMem_v2", api.device_total_bytes);
  library.find("cuDevicePrimaryCtxRetain", api.retain_primary);
  library.find("cuCtxPushCurrent_v2", api.push_context);
  library.find("cuCtxPopCurrent_v2", api.pop_context);
  library.find("cuGetErrorName", api.error_name);
  library.find("cuGetErrorString", api.error_text);
}

void find_work_functions(const SharedLibrary& library, DriverApi& api) {
  library.find("cuMemGetInfo_v2", api.memory_info);
  library.find("cuMemAlloc_v2", api.allocate);
  library.find("cuMemFree_v2", api.free);
  library.find("cuMemcpyHtoD_v2", api.copy_in);
  library.find("cuMemcpyDtoH_v2", api.copy_out);
  library.find("cuMemsetD8Async", api.fill);
  library.find("cuStreamCreate", api.make_stream);
  library.find("cuStreamDestroy_v2", api.free_stream);
  library.find("cuStreamSynchronize", api.synchronize);
  library.find("cuEventCreate", api.make_event);
  library.find("cuEventDestroy_v2", api.free_event);
  library.find("cuEventRecord", api.record);
  library.find("cuEventSynchronize", api.wait);
  library.find("cuEventElapsedTime", api.elapsed_ms);
  library.find("cuModuleLoadData", api.load_module);
  library.find("cuModuleUnload", api.unload_module);
  library.find("cuModuleGetFunction", api.find_function);
  library.find("cuFuncGetAttribute", api.function_attribute);
  library.find("cuFuncSetAttribute", api.set_function_attribute);
  library.find("cuLaunchKernelEx", api.launch);
  library.find("cuStreamBeginCapture_v2", api.begin_capture);
  library.find("cuStreamEndCapture", api.end_capture);
  library.find("cuGraphInstantiateWithFlags", api.instantiate_graph);
  library.find("cuGraphLaunch", api.launch_graph);
  library.find("cuGraphDestroy", api.free_graph);
  library.find("cuGraphExecDestroy", api.free_graph_exec);
  library.find_if_there("cuTensorMapEncodeTiled", api.encode_tiled);
}

DriverApi load_driver() {
  const SharedLibrary library = open_driver();
  DriverApi api;
  find_device_functions(library, api);
  find_work_functions(library, api);
  if (const CudaResult result = api.init(0); result != cu::kSuccess) {
    support::throw_environment("cuInit of {} failed: {}", library.name(),
                               describe_result(api, result));
  }
  return api;
}

}  // namespace

const DriverApi& driver() {
  static const DriverApi api = load_driver();
  return api;
}

std::string describe_result(const DriverApi& api, CudaResult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  api.error_name(result, &name);
  api.error_text(result, &text);
  return fmt::format("{} ({}): {}", name ? name : "unknown error", result,
                     text ? text : "no description");
}

bool is_sticky(CudaResult result) {
  constexpr CudaResult kSticky[] = {
      214,  // ECC_UNCORRECTABLE
      220,  // NVLINK_UNCORRECTABLE
      226,  // CONTAINED
      700,  // ILLEGAL_ADDRESS
      702,  // LAUNCH_TIMEOUT
      709,  // CONTEXT_IS_DESTROYED
      710,  // ASSERT
      714,  // HARDWARE_STACK_ERROR
      715,  // ILLEGAL_INSTRUCTION
      716,  // MISALIGNED_ADDRESS
      717,  // INVALID_ADDRESS_SPACE
      718,  // INVALID_PC
      719,  // LAUNCH_FAILED
      721,  // TENSOR_MEMORY_LEAK
      999,  // UNKNOWN
  };
  for (const CudaResult sticky : kSticky) {
    if (result == sticky) return true;
  }
  return false;
}

}  // namespace sinter::runtime
