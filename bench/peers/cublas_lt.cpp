#include "bench/peers/cublas_lt.h"

#include <array>

#include "runtime/cuda/shared_library.h"
#include "support/check.h"

namespace sinter::bench {

/// cublasLtMatmulHeuristicResult_t.
struct CublasLtHeuristic {
  std::array<std::uint64_t, 8> algorithm;
  std::size_t workspace_bytes;
  int status;
  float waves;
  std::array<int, 4> reserved;
};

namespace {

using Handle = void*;

// Values of cuBLASLt's enumerations.
constexpr int kCompute32F = 68;        // CUBLAS_COMPUTE_32F
constexpr int kReal32F = 0;            // CUDA_R_32F
constexpr int kReal16F = 2;            // CUDA_R_16F
constexpr int kReal16BF = 14;          // CUDA_R_16BF
constexpr int kMaxWorkspaceBytes = 1;  // CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES
constexpr int kMostAlgorithms = 32;
constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;

struct Api {
  int (*create)(Handle*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*make_product)(Handle*, int, int) = nullptr;
  int (*free_product)(Handle) = nullptr;
  int (*make_layout)(Handle*, int, std::uint64_t, std::uint64_t, std::int64_t) = nullptr;
  int (*free_layout)(Handle) = nullptr;
  int (*make_preference)(Handle*) = nullptr;
  int (*set_preference)(Handle, int, const void*, std::size_t) = nullptr;
  int (*free_preference)(Handle) = nullptr;
  int (*find)(Handle, Handle, Handle, Handle, Handle, Handle, Handle, int, CublasLtHeuristic*,
              int*) = nullptr;
  int (*run)(Handle, Handle, const void*, const void*, Handle, const void*, Handle, const void*,
             const void*, Handle, void*, Handle, const void*, void*, std::size_t, void*) = nullptr;
};

Api load_api() {
  const std::vector<std::string> names = {"libcublasLt.so.13", "libcublasLt.so.12",
                                          "libcublasLt.so"};
  const auto library =
      runtime::SharedLibrary::open("cuBLASLt (LD_LIBRARY_PATH says where else to look)", names);
  Api api;
  library.find("cublasLtCreate", api.create);
  library.find("cublasLtDestroy", api.destroy);
  library.find("cublasLtMatmulDescCreate", api.make_product);
  library.find("cublasLtMatmulDescDestroy", api.free_product);
  library.find("cublasLtMatrixLayoutCreate", api.make_layout);
  library.find("cublasLtMatrixLayoutDestroy", api.free_layout);
  library.find("cublasLtMatmulPreferenceCreate", api.make_preference);
  library.find("cublasLtMatmulPreferenceSetAttribute", api.set_preference);
  library.find("cublasLtMatmulPreferenceDestroy", api.free_preference);
  library.find("cublasLtMatmulAlgoGetHeuristic", api.find);
  library.find("cublasLtMatmul", api.run);
  return api;
}

const Api& api() {
  static const Api loaded = load_api();
  return loaded;
}

void require(int status, const char* what) {
  if (status != 0) support::throw_runtime("{} failed with status {}", what, status);
}

}  // namespace

struct CublasLtProduct::State {
  runtime::DeviceImpl* device = nullptr;
  ProductShape shape;
  Handle library = nullptr, product = nullptr, preference = nullptr;
  Handle a = nullptr, b = nullptr, d = nullptr;
  void* workspace = nullptr;
  std::vector<CublasLtHeuristic> found;

  ~State() {
    if (a != nullptr) api().free_layout(a);
    if (b != nullptr) api().free_layout(b);
    if (d != nullptr) api().free_layout(d);
    if (preference != nullptr) api().free_preference(preference);
    if (product != nullptr) api().free_product(product);
    if (library != nullptr) api().destroy(library);
    device->free(workspace);
  }
};

CublasLtProduct::CublasLtProduct(runtime::DeviceImpl& device, const ProductShape& shape)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.device = &device;
  state.shape = shape;
  state.workspace = device.allocate(kWorkspaceBytes);
  const int type = shape.dtype == ir::DType::BF16 ? kReal16BF : kReal16F;
  const auto size = [](std::int64_t extent) { return static_cast<std::uint64_t>(extent); };
  require(api().create(&state.library), "cublasLtCreate");
  require(api().make_product(&state.product, kCompute32F, kReal32F), "cublasLtMatmulDescCreate");
  // It thinks in columns: a row-major matrix is the transposed one, and D' = B'·A'.
  require(api().make_layout(&state.b, type, size(shape.n), size(shape.k), shape.n), "a layout");
  require(api().make_layout(&state.a, type, size(shape.k), size(shape.m), shape.k), "a layout");
  require(api().make_layout(&state.d, type, size(shape.n), size(shape.m), shape.n), "a layout");
  require(api().make_preference(&state.preference), "cublasLtMatmulPreferenceCreate");
  require(api().set_preference(state.preference, kMaxWorkspaceBytes, &kWorkspaceBytes,
                               sizeof kWorkspaceBytes),
          "cublasLtMatmulPreferenceSetAttribute");
  state.found.resize(kMostAlgorithms);
  int count = 0;
  require(api().find(state.library, state.product, state.b, state.a, state.d, state.d,
                     state.preference, kMostAlgorithms, state.found.data(), &count),
          "cublasLtMatmulAlgoGetHeuristic");
  state.found.resize(static_cast<std::size_t>(count));
}

CublasLtProduct::~CublasLtProduct() = default;

std::size_t CublasLtProduct::algorithms() const { return state_->found.size(); }

void CublasLtProduct::launch(runtime::StreamHandle stream, std::size_t algorithm,
                             const ProductBuffers& buffers) {
  State& state = *state_;
  const float one = 1;
  const float beta = state.shape.adds_c ? 1.0F : 0.0F;
  const void* c = state.shape.adds_c ? buffers.c : buffers.d;
  require(api().run(state.library, state.product, &one, buffers.b, state.b, buffers.a, state.a,
                    &beta, c, state.d, buffers.d, state.d, state.found[algorithm].algorithm.data(),
                    state.workspace, kWorkspaceBytes, stream),
          "cublasLtMatmul");
}

}  // namespace sinter::bench
