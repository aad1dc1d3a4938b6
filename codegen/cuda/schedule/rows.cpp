// What the schedules rows and pointwise accept, the classes they tell apart and how they rank configs.
#include "codegen/cuda/schedule/rows.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/line_access.h"
#include "codegen/cuda/schedule/generic.h"
#include "codegen/cuda/schedule/rows_emit.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::Facts;
using ir::IndexExpr;
using ir::Kernel;
using Sizes = std::map<std::string, std::int64_t>;

/// Elements of a row that one thread keeps at most: two such values fit in registers with room.
constexpr std::int64_t kMostKept = 32;
constexpr std::int64_t kLongestTeam = 1024;
constexpr std::int64_t kShortThreads = 128;  // of a block whose warps have rows of their own
/// Bounds of row lengths that classes tell apart where the length has a name.
constexpr std::int64_t kBounds[] = {256, 1024, 4096, 8192, 32768};
/// Share of the stated bandwidth that a plain copy reaches.
constexpr double kCopyShare = 0.88;
/// A scattered access moves a sector of 32 bytes for each element.
constexpr double kSectorBytes = 32;
constexpr double kRowUs = 1.2;    // one row from its first load to its last store
constexpr double kPassUs = 0.25;  // a pass and its reduction
constexpr double kBarrierUs = 0.3;
constexpr double kThreadsPerUnit = 2048;
constexpr double kRegistersPerUnit = 65536;

template <auto match>
std::optional<std::string> refuses(const Kernel& kernel, const Target& target) {
  if (kernel.mode() == ir::Mode::Strict) return "strict mode fixes the order of sums";
  std::string why_not;
  if (!match(kernel, why_not)) return why_not;
  return refuse_arch(target);
}

template <auto match>
RowKernel matched(const Kernel& kernel) {
  std::string why_not;
  return match(kernel, why_not).value();
}

std::int64_t vector_of(const Kernel& kernel, const RowKernel& rows) {
  return line_vector(kernel, rows.accesses, rows.line);
}

/// Facts of vector accesses, with or without 32-bit indices, each with the bounds that `bounds` adds.
template <typename AddBounds>
std::vector<Facts> classes_of(const Kernel& kernel, const RowKernel& rows,
                              const AddBounds& add_bounds) {
  std::vector<Facts> classes;
  const auto narrow = narrow_index_facts(kernel);
  const std::int64_t vector = vector_of(kernel, rows);
  const auto add = [&](Facts facts) {
    if (std::find(classes.begin(), classes.end(), facts) == classes.end()) {
      classes.push_back(std::move(facts));
    }
  };
  for (const std::int64_t length : {vector, std::int64_t{1}}) {
    const auto facts = vector_facts(kernel, rows.accesses, rows.line, length);
    if (!facts) continue;
    if (narrow) {
      Facts all = *facts;
      for (const ir::Fact& fact : *narrow) all.add(fact);
      add_bounds(all, length, add);
      add(all);
    }
    if (length > 1) add(*facts);
  }
  if (narrow) add(Facts(*narrow));
  add({});
  return classes;
}

std::vector<Facts> row_classes(const Kernel& kernel) {
  const RowKernel rows = matched<match_rows>(kernel);
  const IndexExpr length = extent_of(kernel, rows.line);
  return classes_of(kernel, rows, [&](const Facts& facts, std::int64_t vector, const auto& add) {
    if (length.is_constant()) return;
    for (const std::int64_t bound : kBounds) {
      // Rows that are not a multiple of the vector have fewer classes.
      if (vector == 1 && bound != 1024 && bound != 8192) continue;
      Facts bounded = facts;
      bounded.add(ir::Fact::range(length, 0, bound));
      add(bounded);
    }
  });
}

std::vector<Facts> pointwise_classes(const Kernel& kernel) {
  return classes_of(kernel, matched<match_pointwise>(kernel),
                    [](const Facts&, std::int64_t, const auto&) {});
}

bool holds_all(const Facts& facts, const Facts& needed) {
  return std::all_of(needed.list().begin(), needed.list().end(),
                     [&](const ir::Fact& fact) { return facts.has(fact); });
}

/// The vector that a class allows.
std::int64_t allowed_vector(const Kernel& kernel, const RowKernel& rows, const Facts& facts) {
  const std::int64_t vector = vector_of(kernel, rows);
  const auto needed = vector_facts(kernel, rows.accesses, rows.line, vector);
  return needed && holds_all(facts, *needed) ? vector : 1;
}

/// The longest row of a class; nullopt where it has no bound.
std::optional<std::int64_t> bound_of(const Kernel& kernel, const RowKernel& rows,
                                     const Facts& facts) {
  const IndexExpr length = extent_of(kernel, rows.line);
  if (const auto number = length.as_constant()) return number;
  for (const std::int64_t bound : kBounds) {
    if (facts.has(ir::Fact::range(length, 0, bound))) return bound;
  }
  return std::nullopt;
}

/// Bytes that all accesses move, each tensor's elements once a pass that reads them.
double moved_bytes(const Kernel& kernel, const RowKernel& rows, const Sizes& sizes, double passes) {
  double bytes = 0;
  for (const ir::NodeId id : rows.accesses) {
    const ir::KernelNode& node = kernel.node(id);
    const auto& param = kernel.params()[static_cast<std::size_t>(
        node.attributes.get<std::int64_t>(ir::AttributeName::Param))];
    double elements = 1;
    for (const ir::AxisId axis : node.domain) {
      elements *= std::max(estimate(kernel.axes()[axis].extent, sizes), 1.0);
    }
    double all = 1;
    for (const IndexExpr& extent : param.shape) all *= std::max(estimate(extent, sizes), 1.0);
    const auto size = static_cast<double>(size_bytes(param.dtype));
    if (line_step(kernel, node, rows.line) == LineStep::Irregular) {
      bytes += elements * kSectorBytes;
    } else {
      bytes += std::min(all, elements) * size * (node.op == ir::Op::Load ? passes : 1);
    }
  }
  return bytes;
}

double copy_us(double bytes, const Target& target) {
  return bytes / (std::max(target.memory_gb_per_s, 1.0) * 1e3 * kCopyShare);
}

struct Team {
  std::int64_t team, threads, vector, items;
};

double predict_us(const Kernel& kernel, const RowKernel& rows, const Team& team,
                  const Target& target, const Sizes& sizes) {
  const double count = std::max(estimate(extent_of(kernel, rows.rows), sizes), 1.0);
  const double length = std::max(estimate(extent_of(kernel, rows.line), sizes), 1.0);
  const auto passes = static_cast<double>(rows.pass_count);
  const auto lanes = static_cast<double>(team.team);
  const auto kept = static_cast<double>(team.items * team.vector);
  const double bytes = moved_bytes(kernel, rows, sizes, team.items == 0 ? passes : 1);
  const double registers = 32 + 2 * kept;
  const double threads = std::min(kThreadsPerUnit, kRegistersPerUnit / registers);
  const double in_flight = std::max(std::floor(threads / lanes), 1.0) * target.units;
  const double steps = std::ceil(length / (lanes * static_cast<double>(team.vector)));
  // A step is a vector a lane: its instructions, and for a row that is not kept the latency of its load.
  const double step_us = team.items == 0 ? 0.15 : 0.03 * passes;
  const double row_us = kRowUs + passes * kPassUs + (lanes > 32 ? passes * kBarrierUs : 0) +
                        steps * step_us * std::max(1.0, threads / 512);
  return target.launch_us + std::max(copy_us(bytes, target), std::ceil(count / in_flight) * row_us);
}

std::vector<Candidate> row_candidates(const Kernel& kernel, const Facts& facts,
                                      const Target& target, const Sizes& sizes) {
  const RowKernel rows = matched<match_rows>(kernel);
  const std::int64_t vector = allowed_vector(kernel, rows, facts);
  const auto bound = bound_of(kernel, rows, facts);
  std::vector<Candidate> candidates;
  const auto add = [&](const Team& team) {
    const Config config{"rows",
                        {{"team", team.team},
                         {"threads", team.threads},
                         {"vector", team.vector},
                         {"items", team.items}}};
    candidates.push_back({config, predict_us(kernel, rows, team, target, sizes)});
  };
  for (std::int64_t team = 1; team <= kLongestTeam; team *= 2) {
    if (team == 64) continue;
    const std::int64_t threads = team <= 32 ? kShortThreads : team;
    if (bound) {
      const std::int64_t items =
          std::max<std::int64_t>((*bound + team * vector - 1) / (team * vector), 1);
      const bool is_idle = team > 1 && (team / 2) * vector >= *bound;
      if (items * vector <= kMostKept && !is_idle) add({team, threads, vector, items});
    }
    if (team >= 32) add({team, threads, vector, 0});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.predicted_us < b.predicted_us; });
  return candidates;
}

std::vector<Candidate> pointwise_candidates(const Kernel& kernel, const Facts& facts,
                                            const Target& target, const Sizes& sizes) {
  const RowKernel rows = matched<match_pointwise>(kernel);
  const std::int64_t vector = allowed_vector(kernel, rows, facts);
  // What the elements cost beside memory is the generic schedule's to say; vectors take less of it.
  const double bytes_us = copy_us(moved_bytes(kernel, rows, sizes, 1), target);
  const double work_us =
      candidates_generic(kernel, facts, target, sizes).front().predicted_us - target.launch_us;
  const double shared = vector > 1 ? 0.5 : 0.95;
  const double predicted =
      target.launch_us + std::max(bytes_us, std::min(work_us, work_us * shared));
  std::vector<Candidate> candidates;
  for (const std::int64_t threads : {256, 128}) {
    candidates.push_back({{"pointwise", {{"threads", threads}, {"vector", vector}}}, predicted});
  }
  return candidates;
}

}  // namespace

const Schedule kRowsSchedule = {"rows", refuses<match_rows>, row_classes, row_candidates,
                                emit_rows};
const Schedule kPointwiseSchedule = {"pointwise", refuses<match_pointwise>, pointwise_classes,
                                     pointwise_candidates, emit_pointwise};

}  // namespace sinter::codegen::cuda
