// What the schedule contraction_wgmma accepts, the classes it tells apart and how it ranks its configs.
#include "codegen/cuda/schedule/contraction_wgmma.h"

#include <algorithm>
#include <cmath>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/schedule/generic.h"
#include "codegen/cuda/schedule/wgmma_tiling.h"

namespace sinter::codegen::cuda {
namespace {

using ir::Facts;
using ir::Kernel;
using Sizes = std::map<std::string, std::int64_t>;

/// What measured kernels reach of the stated rate under the card's power limit.
constexpr double kReached = 0.75;
/// Columns whose tile costs the tensor core twice what its products do (loads of A, issue).
constexpr double kHalfColumns = 16;
constexpr double kPairGain = 0.98;   // of a cluster's shared loads
constexpr double kEpilogueUs = 1.0;  // of a tile, that nothing hides
constexpr double kRampUs = 3.0;      // first loads, last stores

std::vector<const TiledTensor*> tiled_tensors(const WgmmaProblem& problem) {
  std::vector<const TiledTensor*> tensors = {&problem.a, &problem.b, &problem.output};
  if (problem.addend) tensors.push_back(&*problem.addend);
  return tensors;
}

struct Shape {
  double m, n, k, batch;
};

Shape shape_of(const WgmmaProblem& problem, const Sizes& sizes) {
  const auto at = [&](const ir::IndexExpr& expr) { return std::max(estimate(expr, sizes), 1.0); };
  return {at(problem.m), at(problem.n), at(problem.k), at(problem.batch)};
}

double predict_us(const WgmmaTiling& tiling, const Shape& shape, const Target& target,
                  double bytes) {
  const double rows = kWgmmaRows * static_cast<double>(tiling.cluster);
  const auto width = static_cast<double>(tiling.columns);
  const double tiles = std::ceil(shape.m / rows) * std::ceil(shape.n / width) * shape.batch;
  const double places = std::floor(target.units / static_cast<double>(tiling.cluster));
  const double waves = std::ceil(tiles / places);
  const double steps = std::ceil(shape.k / kWgmmaSummed);
  const double flops = 2.0 * kWgmmaRows * (width + kHalfColumns) * kWgmmaSummed * steps;
  const double gain = tiling.cluster > 1 ? kPairGain : 1.0;
  const double flop_per_us = target.product_gflop_per_s * 1e3 / target.units;
  const double tile_us = flops / (flop_per_us * kReached) * gain + kEpilogueUs;
  const double memory_us = bytes / (std::max(target.memory_gb_per_s, 1.0) * 1e3);
  return target.launch_us + kRampUs + std::max(waves * tile_us, memory_us);
}

double touched_bytes(const Kernel& kernel, const Sizes& sizes) {
  double bytes = 0;
  for (const ir::KernelParam& param : kernel.params()) {
    double elements = 1;
    for (const ir::IndexExpr& extent : param.shape) elements *= estimate(extent, sizes);
    bytes += elements * static_cast<double>(size_bytes(param.dtype));
  }
  return bytes;
}

}  // namespace

std::optional<std::string> refuses_wgmma(const Kernel& kernel, const Target& target) {
  if (target.arch != "sm_90a") return "it needs sm_90a, the device has " + target.arch;
  if (kernel.mode() == ir::Mode::Strict) return "strict mode fixes the order of sums";
  std::string why_not;
  if (!match_wgmma(kernel, why_not)) return why_not;
  return refuses_generic(kernel, target);
}

std::vector<Facts> classes_wgmma(const Kernel& kernel) {
  std::string why_not;
  const auto problem = match_wgmma(kernel, why_not);
  Facts tiled;
  for (const TiledTensor* tensor : tiled_tensors(*problem)) {
    const Facts needed = tile_facts(kernel, *tensor);
    for (const ir::Fact& fact : needed.list()) tiled.add(fact);
  }
  std::vector<Facts> classes;
  if (const auto narrow = narrow_index_facts(kernel)) {
    Facts facts = tiled;
    for (const ir::Fact& fact : *narrow) facts.add(fact);
    classes.push_back(facts);
  }
  classes.push_back(tiled);
  for (const Facts& facts : classes_generic(kernel)) classes.push_back(facts);
  return classes;
}

std::vector<Candidate> candidates_wgmma(const Kernel& kernel, const Facts& facts,
                                        const Target& target, const Sizes& sizes) {
  std::string why_not;
  const auto problem = match_wgmma(kernel, why_not);
  for (const TiledTensor* tensor : tiled_tensors(*problem)) {
    if (!is_tiled_by(kernel, *tensor, facts)) {
      return candidates_generic(kernel, facts, target, sizes);
    }
  }
  const Shape shape = shape_of(*problem, sizes);
  const double bytes = touched_bytes(kernel, sizes);
  std::vector<Candidate> candidates;
  for (const std::int64_t cluster : {2, 1}) {
    for (const std::int64_t columns : {256, 192, 128, 64}) {
      // Each block of a pair brings whole lines of 64 columns.
      if (columns / cluster % 64 != 0) continue;
      const WgmmaTiling tiling = make_wgmma_tiling(kernel, *problem, columns, cluster);
      if (tiling.columns * tiling.output_bytes % 128 != 0) continue;  // no whole lines
      Config config{"contraction_wgmma",
                    {{"columns", columns}, {"stages", tiling.stages}, {"cluster", cluster}}};
      candidates.push_back({config, predict_us(tiling, shape, target, bytes)});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.predicted_us < b.predicted_us; });
  return candidates;
}

}  // namespace sinter::codegen::cuda
