// Constants are those of CUtensorMap* in cuda.h.
#include "runtime/cuda/tensor_map.h"

#include <algorithm>

#include "support/check.h"

namespace sinter::runtime {
namespace {

constexpr std::int64_t kMaxExtent = std::int64_t{1} << 32;
constexpr std::int64_t kMaxStrideBytes = std::int64_t{1} << 40;
constexpr std::int64_t kMaxBox = 256;
constexpr std::int64_t kMaxElementStride = 8;
constexpr std::int64_t kUnitBytes = 16;

int data_type_of(ir::DType dtype) {
  using ir::DType;
  switch (dtype) {
    case DType::Bool:
    case DType::I8:
    case DType::U8:
    case DType::F8E4M3:
    case DType::F8E5M2: return 0;  // UINT8
    case DType::I16:
    case DType::U16: return 1;  // UINT16
    case DType::U32: return 2;
    case DType::I32: return 3;
    case DType::U64: return 4;
    case DType::I64: return 5;
    case DType::F16: return 6;
    case DType::F32: return 7;
    case DType::F64: return 8;
    case DType::BF16: return 9;
  }
  support::throw_internal("dtype {} has no tensor map type", static_cast<int>(dtype));
}

/// 0, 1, 2, 3 for 0 and `first`, 2·first, 4·first bytes; nullopt for any other number.
std::optional<int> step_of(int bytes, int first) {
  for (int step = 0; step < 4; ++step) {
    if (bytes == (step == 0 ? 0 : first << (step - 1))) return step;
  }
  return std::nullopt;
}

bool has_nan(ir::DType dtype) { return ir::is_float(dtype) && ir::bits(dtype) >= 16; }

std::optional<std::string> find_layout_trouble(const TensorMapValues& values) {
  if (values.rank < 1 || values.rank > TensorMapValues::kMaxRank) {
    return fmt::format("rank {}, 1 to 5 are possible", values.rank);
  }
  if (values.address % kUnitBytes != 0) {
    return fmt::format("address {:#x}, a multiple of 16 is needed", values.address);
  }
  for (std::size_t d = 0; d < values.rank; ++d) {
    const std::int64_t extent = values.extents[d];
    if (extent >= 1 && extent <= kMaxExtent) continue;
    return fmt::format("extent {} of dimension {}, 1 to 2^32 are possible", extent, d);
  }
  for (std::size_t d = 1; d < values.rank; ++d) {
    const std::int64_t stride = values.strides_bytes[d - 1];
    if (stride > 0 && stride < kMaxStrideBytes && stride % kUnitBytes == 0) continue;
    return fmt::format("stride of {} bytes of dimension {}, a multiple of 16 below 2^40 is needed",
                       stride, d);
  }
  return std::nullopt;
}

std::optional<std::string> find_box_trouble(const TensorMapValues& values) {
  for (std::size_t d = 0; d < values.rank; ++d) {
    if (values.box[d] < 1 || values.box[d] > kMaxBox) {
      return fmt::format("box extent {} of dimension {}, 1 to 256 are possible", values.box[d], d);
    }
    if (values.element_strides[d] < 1 || values.element_strides[d] > kMaxElementStride) {
      return fmt::format("element stride {} of dimension {}, 1 to 8 are possible",
                         values.element_strides[d], d);
    }
  }
  const std::int64_t inner = values.box[0] * static_cast<std::int64_t>(size_bytes(values.dtype));
  if (inner % kUnitBytes != 0) {
    return fmt::format("a box with {} bytes innermost, a multiple of 16 is needed", inner);
  }
  if (values.swizzle_bytes > 0 && inner > values.swizzle_bytes) {
    return fmt::format("a box with {} bytes innermost for a swizzle of {}", inner,
                       values.swizzle_bytes);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_tensor_map_trouble(const TensorMapValues& values) {
  if (const auto trouble = find_layout_trouble(values)) return trouble;
  if (!step_of(values.swizzle_bytes, 32)) {
    return fmt::format("a swizzle of {} bytes, 0, 32, 64 or 128 are possible",
                       values.swizzle_bytes);
  }
  if (!step_of(values.l2_promotion_bytes, 64)) {
    return fmt::format("an L2 promotion of {} bytes, 0, 64, 128 or 256 are possible",
                       values.l2_promotion_bytes);
  }
  if (values.is_nan_outside && !has_nan(values.dtype)) {
    return fmt::format("NaN outside of {}, which the engine has for f16, bf16, f32 and f64",
                       to_string(values.dtype));
  }
  return find_box_trouble(values);
}

TensorMapStep make_tensor_map_step(const codegen::Argument& argument, const SlotSource& tensor,
                                   const SlotFinder& finder) {
  const codegen::TensorMapRecipe& recipe = argument.tensor_map;
  const std::size_t rank = recipe.extents.size();
  support::check(rank >= 1 && rank <= TensorMapValues::kMaxRank, "the tensor map of {} has rank {}",
                 argument.param, rank);
  support::check(recipe.strides.size() + 1 == rank && recipe.box.size() == rank &&
                     (recipe.element_strides.empty() || recipe.element_strides.size() == rank),
                 "the tensor map of {} has {} extents, {} strides and a box of {}", argument.param,
                 rank, recipe.strides.size(), recipe.box.size());
  TensorMapStep step;
  step.tensor = tensor;
  step.param = argument.param;
  step.fixed.dtype = recipe.dtype;
  step.fixed.rank = rank;
  std::copy(recipe.box.begin(), recipe.box.end(), step.fixed.box.begin());
  std::fill_n(step.fixed.element_strides.begin(), rank, 1);
  std::copy(recipe.element_strides.begin(), recipe.element_strides.end(),
            step.fixed.element_strides.begin());
  step.fixed.swizzle_bytes = recipe.swizzle_bytes;
  step.fixed.l2_promotion_bytes = recipe.l2_promotion_bytes;
  step.fixed.is_nan_outside = recipe.is_nan_outside;
  for (const ir::IndexExpr& extent : recipe.extents) step.extents.push_back(finder.flatten(extent));
  for (const codegen::TensorMapStride& stride : recipe.strides) {
    support::check(stride.dimension < 0 || tensor.kind == SlotKind::Tensor,
                   "the tensor map of workspace {} wants a stride of it", argument.param);
    step.strides.push_back({finder.flatten(stride.factor), stride.dimension});
  }
  return step;
}

TensorMapValues evaluate_tensor_map(const TensorMapStep& step, const CallArguments& call) {
  TensorMapValues values = step.fixed;
  values.address = slot_value(step.tensor, call);
  for (std::size_t d = 0; d < values.rank; ++d) {
    values.extents[d] = step.extents[d].evaluate(call.sizes);
  }
  const auto element = static_cast<std::int64_t>(size_bytes(values.dtype));
  for (std::size_t d = 0; d < step.strides.size(); ++d) {
    std::int64_t stride = step.strides[d].factor.evaluate(call.sizes);
    if (step.strides[d].dimension >= 0) {
      const auto dimension = static_cast<std::size_t>(step.strides[d].dimension);
      stride *= call.tensors[step.tensor.index].strides[dimension];
    }
    values.strides_bytes[d] = stride * element;
  }
  return values;
}

CudaTensorMap encode_tensor_map(const DriverApi& api, const TensorMapValues& values,
                                const std::string& param) {
  if (const auto trouble = find_tensor_map_trouble(values)) {
    support::throw_internal("the tensor map of {} has {}", param, *trouble);
  }
  if (!api.encode_tiled) {
    support::throw_environment(
        "the CUDA driver has no function 'cuTensorMapEncodeTiled': 12.0 or newer is needed");
  }
  std::uint64_t extents[TensorMapValues::kMaxRank];
  std::uint64_t strides[TensorMapValues::kMaxRank - 1];
  std::uint32_t box[TensorMapValues::kMaxRank];
  std::uint32_t element_strides[TensorMapValues::kMaxRank];
  for (std::size_t d = 0; d < values.rank; ++d) {
    extents[d] = static_cast<std::uint64_t>(values.extents[d]);
    if (d > 0) strides[d - 1] = static_cast<std::uint64_t>(values.strides_bytes[d - 1]);
    box[d] = static_cast<std::uint32_t>(values.box[d]);
    element_strides[d] = static_cast<std::uint32_t>(values.element_strides[d]);
  }
  CudaTensorMap map;
  const CudaResult result = api.encode_tiled(
      &map, data_type_of(values.dtype), static_cast<std::uint32_t>(values.rank),
      reinterpret_cast<void*>(values.address), extents, strides, box, element_strides,
      /*interleave=*/0, step_of(values.swizzle_bytes, 32).value(),
      step_of(values.l2_promotion_bytes, 64).value(), values.is_nan_outside ? 1 : 0);
  if (result != cu::kSuccess) {
    support::throw_runtime("cuTensorMapEncodeTiled for {} failed: {}", param,
                           describe_result(api, result));
  }
  return map;
}

}  // namespace sinter::runtime
