// Tensor maps: what the tensor-copy engine (TMA) is told of a tensor. Evaluated for each call, checked
// against what the engine demands, encoded by the driver.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/program.h"
#include "runtime/cuda/driver.h"
#include "runtime/slots.h"

namespace sinter::runtime {

/// The numbers of one call's map, innermost dimension first. Equal ones encode to the same map.
struct TensorMapValues {
  static constexpr std::size_t kMaxRank = 5;

  ir::DType dtype = ir::DType::F32;
  std::size_t rank = 0;
  std::uint64_t address = 0;
  std::array<std::int64_t, kMaxRank> extents{};            // elements
  std::array<std::int64_t, kMaxRank - 1> strides_bytes{};  // of dimension 1 on
  std::array<std::int64_t, kMaxRank> box{};
  std::array<std::int64_t, kMaxRank> element_strides{};
  int swizzle_bytes = 0;
  int l2_promotion_bytes = 0;
  bool is_nan_outside = false;
  friend bool operator==(const TensorMapValues&, const TensorMapValues&) = default;
};

/// What of these numbers the engine does not take, with the number and what is needed; nullopt where
/// it takes all. Source: the driver API's reference of cuTensorMapEncodeTiled, without interleaving.
std::optional<std::string> find_tensor_map_trouble(const TensorMapValues& values);

/// A tensor map argument whose tensor and sizes have their places in a call.
struct TensorMapStep {
  struct Stride {
    ir::FlatExpr factor;
    std::int64_t dimension = -1;
  };
  SlotSource tensor;
  std::string param;
  TensorMapValues fixed;  // all but address, extents and strides
  std::vector<ir::FlatExpr> extents;
  std::vector<Stride> strides;
};

/// InternalError where the recipe has no rank that the engine knows, or lists that differ in length.
TensorMapStep make_tensor_map_step(const codegen::Argument& argument, const SlotSource& tensor,
                                   const SlotFinder& finder);
TensorMapValues evaluate_tensor_map(const TensorMapStep& step, const CallArguments& call);

/// The driver's encoding. InternalError where `values` are not what the engine takes: a schedule's
/// class promises that (codegen/cuda/tensor_map_facts.h). EnvironmentError where the driver is too old.
CudaTensorMap encode_tensor_map(const DriverApi& api, const TensorMapValues& values,
                                const std::string& param);

}  // namespace sinter::runtime
