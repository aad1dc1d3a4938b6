// Counts executions of every node in its place of the nest.
#include "codegen/cuda/cost.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/cuda/native_functions.h"
#include "codegen/expand/expand.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AttributeName;
using ir::AxisId;
using ir::Kernel;
using ir::KernelNode;
using ir::Op;

using Sizes = std::map<std::string, std::int64_t>;

constexpr double kThreadsToFill = 512;  // a multiprocessor
constexpr double kStepUs = 0.02;
constexpr double kTreeLevelUs = 0.1;
constexpr double kAccessSlots = 4;
constexpr double kScatteredSlots = 200;
constexpr double kSectorBytes = 32;
constexpr double kDivideSlots = 10;
constexpr double kNativeSlots = 12;
constexpr double kRoundedExpSlots = 3;
// A block on one multiprocessor while others run beside it: sums of f32 0.105 us, pairs of f32 and i64 0.24 us.
constexpr double kBlockUs = 0.04;
constexpr double kBlockWordUs = 0.065;
constexpr double kOverlapLost = 0.35;
constexpr double kThreadsOfUnit = 2048;
constexpr double kLoadsUnderWay = 4;
constexpr double kLoadsUs = 0.6;
constexpr double kFoldUs = 0.5;
/// Share of the stated bandwidth that a plain copy reaches.
constexpr double kCopyShare = 0.88;

class NestCost {
 public:
  NestCost(const Kernel& kernel, const LoopNest& nest, const Sizes& sizes)
      : kernel_(kernel), nest_(nest), sizes_(sizes) {}

  double product(const std::vector<AxisId>& axes) const {
    double result = 1;
    for (const AxisId axis : axes) result *= estimate(kernel_.axes()[axis].extent, sizes_);
    return result;
  }

  /// How often node `id` is executed, all threads together.
  double executions(ir::NodeId id) const {
    const std::vector<AxisId> around(nest_.loops.begin(),
                                     nest_.loops.begin() + static_cast<long>(nest_.depths[id]));
    return product(nest_.parallel) * product(around);
  }

  /// Where neighbouring lanes are far apart, each of their elements brings a sector of its own; a thread that
  /// walks along a fold by itself meets the rest of its sector later.
  double bytes(bool lanes_fold) const {
    std::map<std::int64_t, double> touched;
    std::set<std::int64_t> scattered;
    for (const KernelNode& node : kernel_.nodes()) {
      if (node.op != Op::Load && node.op != Op::Store) continue;
      const auto param = node.attributes.get<std::int64_t>(AttributeName::Param);
      touched[param] += product(node.domain);
      const bool walks = nest_.fold && !lanes_fold;
      if (!walks && is_scattered(node, lanes_fold)) scattered.insert(param);
    }
    double sum = 0;
    for (const auto& [index, elements] : touched) {
      const ir::KernelParam& param = kernel_.params()[static_cast<std::size_t>(index)];
      double all = 1;
      for (const ir::IndexExpr& extent : param.shape) all *= estimate(extent, sizes_);
      const auto size = static_cast<double>(size_bytes(param.dtype));
      const double moved = scattered.contains(index) ? std::max(kSectorBytes, size) : size;
      sum += std::min(all, elements) * moved;
    }
    return sum;
  }

  double slots(bool lanes_fold) const {
    double sum = 0;
    for (ir::NodeId id = 0; id < kernel_.nodes().size(); ++id) {
      if (nest_.segments[id] == Segment::Dead) continue;
      sum += executions(id) * slots_of(kernel_.node(id), lanes_fold);
    }
    return sum;
  }

 private:
  double slots_of(const KernelNode& node, bool lanes_fold) const {
    if (node.op == Op::Constant) return 0;
    if (node.op == Op::Load || node.op == Op::Store) {
      return is_scattered(node, lanes_fold) ? kScatteredSlots : kAccessSlots;
    }
    return operator_slots(kernel_, node);
  }

  /// Whether neighbouring lanes touch elements of different rows.
  bool is_scattered(const KernelNode& node, bool lanes_fold) const {
    const std::vector<AxisId>& lanes = lanes_fold ? nest_.loops : nest_.parallel;
    if (lanes.empty()) return false;
    const auto& map = node.attributes.get<ir::Shape>(AttributeName::Map);
    const ir::Shape& shape = tensor_of(kernel_, node).shape;
    std::size_t inner = map.size();  // the dimension whose neighbours are neighbours in memory
    while (inner > 0 && shape[inner - 1] == ir::IndexExpr(1)) --inner;
    for (std::size_t d = 0; d + 1 < inner; ++d) {
      if (ir::axes_of(map[d]).contains(lanes.back())) return true;
    }
    return false;
  }

  const Kernel& kernel_;
  const LoopNest& nest_;
  const Sizes& sizes_;
};

}  // namespace

double operator_slots(const Kernel& kernel, const KernelNode& node) {
  if (node.op == Op::Constant) return 0;
  if (!ir::is_pointwise(node.op) || node.operands.empty()) return 1;
  return scalar_slots(kernel, node.op, kernel.dtype(node.operands.front()));
}

double scalar_slots(const Kernel& kernel, Op op, ir::DType dtype) {
  if (op == Op::Div && ir::is_float(dtype)) return kDivideSlots;
  const NativeFunctions kind = native_functions_of(kernel);
  if (!native_function(op, dtype, kind).empty()) {
    return op == Op::Exp && kind == NativeFunctions::Rounded ? kRoundedExpSlots : kNativeSlots;
  }
  const auto expansion = expansion_of(op, dtype);
  return expansion ? static_cast<double>(expansion->nodes().size()) : 1;
}

double block_folds_us(const Kernel& kernel, const std::vector<ir::NodeId>& folds, double blocks,
                      const Target& target) {
  double words = 0;
  for (const ir::NodeId id : folds) {
    for (const ir::DType dtype : kernel.node(id).results) {
      words += std::max(static_cast<double>(size_bytes(dtype)) / 4, 1.0);
    }
  }
  return blocks / target.units * (kBlockUs + kBlockWordUs * words);
}

double overlapped_us(double one_us, double other_us) {
  return std::max(one_us, other_us) + kOverlapLost * std::min(one_us, other_us);
}

double copy_us(double bytes, const Target& target) {
  return bytes / (std::max(target.memory_gb_per_s, 1.0) * 1e3 * kCopyShare);
}

double moved_bytes(const Kernel& kernel, const KernelNode& access, const Sizes& sizes,
                   bool is_scattered) {
  const auto count = [&](const ir::IndexExpr& extent) {
    return std::max(estimate(extent, sizes), 1.0);
  };
  const ir::KernelParam& param = tensor_of(kernel, access);
  double elements = 1, all = 1;
  for (const AxisId axis : access.domain) elements *= count(kernel.axes()[axis].extent);
  for (const ir::IndexExpr& extent : param.shape) all *= count(extent);
  if (is_scattered) return elements * kSectorBytes;
  return std::min(all, elements) * static_cast<double>(size_bytes(param.dtype));
}

double estimate(const ir::IndexExpr& expr, const Sizes& sizes) {
  ir::IndexBindings bindings;
  for (const std::string& name : ir::sizes_of(expr)) {
    const auto found = sizes.find(name);
    bindings.sizes[name] = found == sizes.end() ? 1024 : found->second;
  }
  return static_cast<double>(std::max<std::int64_t>(ir::evaluate(expr, bindings), 0));
}

double predict_us(const Kernel& kernel, const LoopNest& nest, const NestShape& shape,
                  const Target& target, const Sizes& sizes) {
  const NestCost cost(kernel, nest, sizes);
  const auto team = static_cast<double>(shape.team);
  const double teams = std::max(cost.product(nest.parallel), 1.0);
  const double blocks = std::ceil(teams * team / static_cast<double>(shape.threads));
  const double threads = std::min(teams * team, blocks * static_cast<double>(shape.threads));
  const double fill = std::min(1.0, threads / (target.units * kThreadsToFill));
  const double spread = std::min(1.0, blocks / target.units);
  const double utilization = std::max(std::min(fill, spread), 1e-6);

  const double memory_us = copy_us(cost.bytes(shape.team > 1), target);
  // A rate of n GFLOP/s is n/2 multiply-adds, each in one slot.
  const double slots_per_us = std::max(target.fma_gflop_per_s, 1.0) * 1e3 / 2;
  const double steps = nest.fold ? std::ceil(cost.product(nest.loops) / team) : 0;
  // Lanes beyond the end of the folded axes wait for the others.
  const double idle = steps > 0 ? steps * team / cost.product(nest.loops) : 1;
  const double issue_us = cost.slots(shape.team > 1) * idle / slots_per_us;
  const double levels = std::log2(team);
  const double busy_us = std::max(memory_us, issue_us) / utilization;
  if (!nest.fold) return target.launch_us + busy_us;
  const double waves = std::ceil(threads / (target.units * kThreadsOfUnit));
  const double waiting_us = waves * (std::ceil(steps / kLoadsUnderWay) * kLoadsUs + kFoldUs);
  const std::vector<ir::NodeId> shared =
      shape.team > 32 ? std::vector{*nest.fold} : std::vector<ir::NodeId>{};
  const double folds_us = block_folds_us(kernel, shared, blocks, target);
  return target.launch_us + overlapped_us(std::max(busy_us, waiting_us), folds_us) +
         steps * kStepUs + levels * kTreeLevelUs;
}

}  // namespace sinter::codegen::cuda
