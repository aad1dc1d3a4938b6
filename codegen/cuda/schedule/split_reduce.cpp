// What the schedule split_reduce accepts, the classes it tells apart and how it ranks its configs.
#include "codegen/cuda/schedule/split_reduce.h"

#include <algorithm>
#include <cmath>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/fold_text.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/schedule/generic.h"
#include "codegen/cuda/schedule/row_kernel.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AxisId;
using ir::Facts;
using ir::Kernel;
using ir::NodeId;
using ir::Op;
using Sizes = std::map<std::string, std::int64_t>;

constexpr std::int64_t kSplitThreads = 256;
constexpr std::int64_t kMostSplits = 1024;
constexpr double kSplitThreadsToFill = 1024;  // of a multiprocessor, with their loads under way
constexpr double kCountUs = 3.5;              // clearing the counters, and the last block's work
constexpr double kSplitPartBytes = 4;         // of a result, in the workspace
constexpr double kSplitStepUs = 0.15;         // a step of one thread while nothing else hides it

SplitReduce matched_split(const Kernel& kernel) {
  std::string why_not;
  return match_split_reduce(kernel, why_not).value();
}

std::optional<std::string> refuses_split(const Kernel& kernel, const Target& target) {
  if (kernel.mode() == ir::Mode::Strict) return "strict mode fixes the order of sums";
  std::string why_not;
  if (!match_split_reduce(kernel, why_not)) return why_not;
  return refuse_arch(target);
}

std::vector<LineVectors> split_vector_ways(const Kernel& kernel, const SplitReduce& split) {
  std::vector<LineVectors> ways;
  if (const auto whole = aligned_vectors(kernel, split.loads, split.line); whole.length > 1) {
    ways.push_back(whole);
  }
  ways.emplace_back();
  return ways;
}

std::vector<Facts> split_classes(const Kernel& kernel) {
  const SplitReduce split = matched_split(kernel);
  const auto narrow = narrow_index_facts(kernel);
  std::vector<Facts> classes;
  const auto add = [&](const Facts& facts) {
    if (std::find(classes.begin(), classes.end(), facts) == classes.end()) classes.push_back(facts);
  };
  for (const LineVectors& way : split_vector_ways(kernel, split)) {
    const auto facts = vector_facts(kernel, split.loads, split.line, way);
    if (!facts) continue;
    Facts all = *facts;
    if (narrow) {
      for (const ir::Fact& fact : *narrow) all.add(fact);
    }
    add(all);
    if (way.length > 1) add(*facts);
  }
  if (narrow) add(Facts(*narrow));
  add({});
  return classes;
}

double tensor_bytes(const Kernel& kernel, const Sizes& sizes) {
  double bytes = 0;
  for (const ir::KernelParam& param : kernel.params()) {
    double all = 1;
    for (const ir::IndexExpr& extent : param.shape) all *= std::max(estimate(extent, sizes), 1.0);
    bytes += all * static_cast<double>(size_bytes(param.dtype));
  }
  return bytes;
}

std::vector<Candidate> split_candidates(const Kernel& kernel, const Facts& facts,
                                        const Target& target, const Sizes& sizes) {
  const SplitReduce split = matched_split(kernel);
  const std::int64_t vector =
      allowed_vectors(kernel, split.loads, split.line, split_vector_ways(kernel, split), facts)
          .length;
  const double results = std::max(estimate(extent_of(kernel, split.kept), sizes), 1.0);
  const double length = std::max(estimate(extent_of(kernel, split.reduced), sizes), 1.0);
  const auto lanes = static_cast<double>(split.is_columns ? 32 * vector : 1);
  const auto shares =
      static_cast<double>(split.is_columns ? kSplitThreads / 32 : kSplitThreads * vector);
  double slots = 0;
  for (const NodeId id : split.before) {
    const ir::KernelNode& node = kernel.node(id);
    slots += node.op == Op::Load ? 1 : operator_slots(kernel, node);
  }
  const double issue_us = results * length * (slots + static_cast<double>(split.folds.size())) /
                          (std::max(target.fma_gflop_per_s, 1.0) * 1e3 / 2);
  std::vector<Candidate> candidates;
  for (std::int64_t splits = 1; splits <= kMostSplits; splits *= 2) {
    const double steps = std::ceil(length / (static_cast<double>(splits) * shares));
    if (splits > 1 && steps < 2) break;
    const double blocks = std::ceil(results / lanes) * static_cast<double>(splits);
    const double share = blocks * kSplitThreads / (target.units * kSplitThreadsToFill);
    // Blocks beyond the last full round leave multiprocessors idle.
    const double fill = share < 1 ? share : share / std::ceil(share);
    const double parts_bytes =
        splits > 1 ? 2 * kSplitPartBytes * results * static_cast<double>(splits) : 0;
    const double memory_us = copy_us(tensor_bytes(kernel, sizes) + parts_bytes, target);
    const double folds_us = block_folds_us(kernel, split.folds, blocks, target);
    const double predicted = target.launch_us +
                             overlapped_us(std::max(memory_us, issue_us) / fill, folds_us) +
                             (split.is_columns ? steps : steps * static_cast<double>(vector) / 4) *
                                 kSplitStepUs / std::max(share, 1.0) +
                             (splits > 1 ? kCountUs + 0.005 * static_cast<double>(splits) : 0);
    candidates.push_back({{"split_reduce",
                           {{"splits", splits},
                            {"threads", kSplitThreads},
                            {"vector", vector},
                            {"columns", split.is_columns ? 1 : 0}}},
                          predicted});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.predicted_us < b.predicted_us; });
  return candidates;
}

}  // namespace

std::optional<SplitReduce> match_split_reduce(const Kernel& kernel, std::string& why_not) {
  const auto refuse = [&](std::string reason) {
    why_not = std::move(reason);
    return std::nullopt;
  };
  SplitReduce split;
  const std::vector<NodeId> live = needed_nodes(kernel, kernel.stores());
  for (const NodeId id : live) {
    if (is_fold(kernel.node(id))) split.folds.push_back(id);
  }
  if (split.folds.empty()) return refuse("it reduces nothing");
  const std::vector<AxisId> reduced = folded_axes(kernel.node(split.folds.front()));
  for (const NodeId id : split.folds) {
    if (kernel.node(id).op != Op::Reduce) return refuse("it has a contraction or a scan");
    if (folded_axes(kernel.node(id)) != reduced) return refuse("it reduces over different axes");
    if (!can_share_fold(kernel, id)) return refuse("a reduction of it cannot be shared by threads");
  }
  const std::vector<NodeId> before = needed_nodes(kernel, split.folds);
  for (const NodeId id : before) {
    const bool is_last = has_node(split.folds, id);
    if (is_fold(kernel.node(id)) && !is_last) return refuse("a reduction of it needs another one");
    for (const ir::Value used : uses_of(kernel.node(id))) {
      if (is_fold(kernel.node(used.node))) return refuse("a reduction of it needs another one");
    }
    if (!is_last) split.before.push_back(id);
    if (kernel.node(id).op == Op::Load) split.loads.push_back(id);
  }
  if (split.loads.empty()) return refuse("it reads nothing that it reduces");
  std::vector<AxisId> kept;
  for (const NodeId id : live) {
    for (const AxisId axis : kernel.node(id).domain) {
      if (!has_axis(reduced, axis) && !has_axis(kept, axis)) kept.push_back(axis);
    }
  }
  std::sort(kept.begin(), kept.end());
  for (const NodeId id : needed_nodes(kernel, kernel.stores(), split.folds)) {
    if (!has_node(split.folds, id)) split.behind.push_back(id);
  }
  for (const NodeId id : split.behind) {
    const ir::KernelNode& node = kernel.node(id);
    for (const AxisId axis : node.domain) {
      if (has_axis(reduced, axis)) return refuse("it stores or computes along what it reduces");
    }
    if (node.op == Op::Store && node.domain.size() != kept.size()) {
      return refuse("it stores over a part of its axes");
    }
  }
  const std::vector<NodeId> widest = {widest_access(kernel, split.loads)};
  split.reduced = memory_order(kernel, widest, reduced);
  split.kept = memory_order(kernel, widest, kept);
  split.line = longest_line(kernel, split.loads, split.kept);
  split.is_columns = !split.line.empty();
  if (!split.is_columns) split.line = split.reduced;
  return split;
}

const Schedule kSplitReduceSchedule = {"split_reduce", refuses_split, split_classes,
                                       split_candidates, emit_split_reduce};

}  // namespace sinter::codegen::cuda
