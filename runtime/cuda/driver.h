// The CUDA driver's functions that we use, opened at run time and declared here, so that no CUDA
// header or library is needed to build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sinter::runtime {

using CudaResult = int;
using CudaDevice = int;
using CudaPointer = std::uint64_t;
using CudaContext = void*;
using CudaModule = void*;
using CudaFunction = void*;
using CudaStream = void*;
using CudaEvent = void*;
using CudaGraph = void*;
using CudaGraphExec = void*;

/// CUlaunchAttribute of cuda.h: an id, and a union of 64 bytes aligned to 8.
struct CudaLaunchAttribute {
  std::int32_t id = 0;
  std::int32_t padding = 0;
  std::uint32_t value[16] = {};
};

/// CUlaunchConfig of cuda.h.
struct CudaLaunchConfig {
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};
  std::uint32_t shared_bytes = 0;
  CudaStream stream = nullptr;
  CudaLaunchAttribute* attributes = nullptr;
  std::uint32_t attribute_count = 0;
};

/// CUtensorMap of cuda.h: opaque, passed to kernels by value.
struct alignas(64) CudaTensorMap {
  std::uint64_t words[16] = {};
};

/// Values of the driver's enumerations, named as in cuda.h.
namespace cu {
inline constexpr CudaResult kSuccess = 0;
inline constexpr CudaResult kOutOfMemory = 2;
inline constexpr CudaResult kInvalidImage = 200;
inline constexpr CudaResult kNoBinaryForGpu = 209;
inline constexpr CudaResult kInvalidPtx = 218;
inline constexpr CudaResult kUnsupportedPtxVersion = 222;

inline constexpr int kClockRateKhz = 13;
inline constexpr int kMultiprocessorCount = 16;
inline constexpr int kMemoryClockRateKhz = 36;
inline constexpr int kMemoryBusWidthBits = 37;
inline constexpr int kComputeCapabilityMajor = 75;
inline constexpr int kComputeCapabilityMinor = 76;
inline constexpr int kMaxSharedBytesOptIn = 97;

inline constexpr int kFunctionLocalBytes = 3;
inline constexpr int kFunctionMaxDynamicSharedBytes = 8;
inline constexpr int kFunctionNonPortableCluster = 14;

inline constexpr int kCaptureRelaxed = 2;

inline constexpr int kLaunchClusterDimension = 4;
inline constexpr int kLaunchProgrammaticSerialization = 6;
}  // namespace cu

/// Entry points; see the driver API reference of cu<Name>.
struct DriverApi {
  CudaResult (*init)(unsigned flags) = nullptr;
  CudaResult (*driver_version)(int* version) = nullptr;
  CudaResult (*device_count)(int* count) = nullptr;
  CudaResult (*device_get)(CudaDevice* device, int ordinal) = nullptr;
  CudaResult (*device_name)(char* name, int size, CudaDevice device) = nullptr;
  CudaResult (*device_bus_id)(char* text, int size, CudaDevice device) = nullptr;
  CudaResult (*device_attribute)(int* value, int attribute, CudaDevice device) = nullptr;
  CudaResult (*device_total_bytes)(std::size_t* bytes, CudaDevice device) = nullptr;
  CudaResult (*retain_primary)(CudaContext* context, CudaDevice device) = nullptr;
  CudaResult (*push_context)(CudaContext context) = nullptr;
  CudaResult (*pop_context)(CudaContext* context) = nullptr;

  CudaResult (*memory_info)(std::size_t* free, std::size_t* total) = nullptr;
  CudaResult (*allocate)(CudaPointer* pointer, std::size_t bytes) = nullptr;
  CudaResult (*free)(CudaPointer pointer) = nullptr;
  CudaResult (*copy_in)(CudaPointer to, const void* from, std::size_t bytes) = nullptr;
  CudaResult (*copy_out)(void* to, CudaPointer from, std::size_t bytes) = nullptr;
  CudaResult (*fill)(CudaPointer to, unsigned char byte, std::size_t bytes,
                     CudaStream stream) = nullptr;

  CudaResult (*make_stream)(CudaStream* stream, unsigned flags) = nullptr;
  CudaResult (*free_stream)(CudaStream stream) = nullptr;
  CudaResult (*synchronize)(CudaStream stream) = nullptr;
  CudaResult (*make_event)(CudaEvent* event, unsigned flags) = nullptr;
  CudaResult (*free_event)(CudaEvent event) = nullptr;
  CudaResult (*record)(CudaEvent event, CudaStream stream) = nullptr;
  CudaResult (*wait)(CudaEvent event) = nullptr;
  CudaResult (*elapsed_ms)(float* ms, CudaEvent begin, CudaEvent end) = nullptr;

  CudaResult (*load_module)(CudaModule* module, const void* image) = nullptr;
  CudaResult (*unload_module)(CudaModule module) = nullptr;
  CudaResult (*find_function)(CudaFunction* function, CudaModule module,
                              const char* name) = nullptr;
  CudaResult (*function_attribute)(int* value, int attribute, CudaFunction function) = nullptr;
  CudaResult (*set_function_attribute)(CudaFunction function, int attribute, int value) = nullptr;
  CudaResult (*launch)(const CudaLaunchConfig* config, CudaFunction function, void** parameters,
                       void** extra) = nullptr;

  CudaResult (*begin_capture)(CudaStream stream, int mode) = nullptr;
  CudaResult (*end_capture)(CudaStream stream, CudaGraph* graph) = nullptr;
  CudaResult (*instantiate_graph)(CudaGraphExec* exec, CudaGraph graph,
                                  unsigned long long flags) = nullptr;
  CudaResult (*launch_graph)(CudaGraphExec exec, CudaStream stream) = nullptr;
  CudaResult (*free_graph)(CudaGraph graph) = nullptr;
  CudaResult (*free_graph_exec)(CudaGraphExec exec) = nullptr;

  /// cuTensorMapEncodeTiled; null where the driver is older than 12.0.
  CudaResult (*encode_tiled)(CudaTensorMap* map, int dtype, std::uint32_t rank, void* address,
                             const std::uint64_t* extents, const std::uint64_t* strides_bytes,
                             const std::uint32_t* box, const std::uint32_t* element_strides,
                             int interleave, int swizzle, int l2_promotion,
                             int outside_fill) = nullptr;

  CudaResult (*error_name)(CudaResult result, const char** name) = nullptr;
  CudaResult (*error_text)(CudaResult result, const char** text) = nullptr;
};

/// The loaded and initialized driver. EnvironmentError says why there is none that can be used.
const DriverApi& driver();

/// "CUDA_ERROR_OUT_OF_MEMORY (2): out of memory".
std::string describe_result(const DriverApi& api, CudaResult result);

/// After these the context is lost: every later call in this process fails.
bool is_sticky(CudaResult result);

}  // namespace sinter::runtime
