// What the schedules rows and pointwise accept, the classes they tell apart and how they rank configs.
#include "codegen/cuda/schedule/rows.h"

#include <algorithm>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/line_access.h"
#include "codegen/cuda/line_classes.h"
#include "codegen/cuda/schedule/generic.h"
#include "codegen/cuda/schedule/rows_cost.h"
#include "codegen/cuda/schedule/rows_emit.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::Facts;
using ir::IndexExpr;
using ir::Kernel;
using ir::NodeId;
using Sizes = std::map<std::string, std::int64_t>;

/// What one thread keeps of a row at most: so many elements, or more of them in so many bytes.
constexpr std::int64_t kMostKeptElements = 32;
constexpr std::int64_t kMostKept = 128;
constexpr std::int64_t kChunk = 32;  // elements of a thread at a time where the row is not kept
constexpr std::int64_t kLongestTeam = 1024;
constexpr std::int64_t kShortThreads = 128;  // of a block whose warps have rows of their own
/// Bounds of row lengths that classes tell apart where the length has a name.
constexpr std::int64_t kBounds[] = {256, 1024, 4096, 8192, 32768, 131072};
constexpr std::int64_t kLeastOfCluster = 256;  // threads of a block

/// More than 8 are for devices with large groups of multiprocessors: those of 9.0 and 10.0 have them.
std::int64_t most_blocks(const Target& target) { return has_clusters(target) ? 16 : 1; }

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

std::vector<Facts> row_classes(const Kernel& kernel) {
  const RowKernel rows = matched<match_rows>(kernel);
  const IndexExpr length = extent_of(kernel, rows.line);
  return line_classes(kernel, rows.accesses, rows.line, true,
                      [&](const Facts& facts, std::int64_t vector, const auto& add) {
                        if (length.is_constant()) return;
                        for (const std::int64_t bound : kBounds) {
                          // Rows without vectors have fewer classes.
                          if (vector == 1 && bound != 1024 && bound != 8192) continue;
                          Facts bounded = facts;
                          bounded.add(ir::Fact::range(length, 0, bound));
                          add(bounded);
                        }
                      });
}

std::vector<Facts> pointwise_classes(const Kernel& kernel) {
  const RowKernel rows = matched<match_pointwise>(kernel);
  return line_classes(kernel, rows.accesses, rows.line, false,
                      [](const Facts&, std::int64_t, const auto&) {});
}

/// The best way that a class allows.
LineVectors best_vectors(const Kernel& kernel, const RowKernel& rows, const Facts& facts,
                         bool may_shift) {
  return allowed_vectors(kernel, rows.accesses, rows.line,
                         vector_ways(kernel, rows.accesses, rows.line, may_shift), facts);
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

/// Threads of a block, a multiple of a warp, that have `elements` in `items` vectors each.
std::int64_t block_of(std::int64_t elements, std::int64_t items, std::int64_t vector) {
  const std::int64_t lanes = (elements + items * vector - 1) / (items * vector);
  return std::max<std::int64_t>((lanes + 31) / 32 * 32, 2 * 32);
}

/// Teams that keep rows of at most `bound` elements.
std::vector<Team> keeping_teams(const RowClass& row_class, std::int64_t bound) {
  const std::int64_t vector = row_class.vectors.length;
  // Where lines begin anywhere, what is no whole vector is no lane's item.
  if (row_class.vectors.shared_start) bound = std::max(bound / vector * vector, vector);
  std::vector<Team> teams;
  const std::int64_t most = std::max(kMostKeptElements, kMostKept / row_class.kept_bytes);
  for (std::int64_t items = 1; items * vector <= most; ++items) {
    const std::int64_t needed = needed_registers(row_class, items);
    const auto fits = [&](std::int64_t threads) {
      return threads <= kLongestTeam && needed <= allowed_registers(threads);
    };
    for (std::int64_t team = 1; team <= 32; team *= 2) {
      const bool holds = items * team * vector >= bound;
      const bool is_least = items == 1 || (items - 1) * team * vector < bound;
      const bool is_idle = team > 1 && (team / 2) * vector >= bound;
      if (holds && is_least && !is_idle && fits(kShortThreads)) {
        teams.push_back({1, team, kShortThreads, items, true});
      }
    }
    for (std::int64_t blocks = 1; blocks <= most_blocks(row_class.target); blocks *= 2) {
      const std::int64_t threads = block_of((bound + blocks - 1) / blocks, items, vector);
      const bool is_idle = blocks > 1 && threads < kLeastOfCluster;
      if (!is_idle && fits(threads)) teams.push_back({blocks, threads, threads, items, true});
    }
  }
  return teams;
}

std::vector<Candidate> row_candidates(const Kernel& kernel, const Facts& facts,
                                      const Target& target, const Sizes& sizes) {
  const RowKernel rows = matched<match_rows>(kernel);
  const RowClass row_class =
      make_row_class(kernel, rows, best_vectors(kernel, rows, facts, true), target, sizes);
  std::vector<Team> teams;
  if (const auto bound = bound_of(kernel, rows, facts)) {
    teams = keeping_teams(row_class, std::max<std::int64_t>(*bound, 1));
  }
  for (const std::int64_t team : {32, 128, 256, 512, 1024}) {
    const std::int64_t threads = team == 32 ? kShortThreads : team;
    std::int64_t items = std::max<std::int64_t>(kChunk / row_class.vectors.length, 1);
    const auto is_too_much = [&] {
      return needed_registers(row_class, items) > allowed_registers(threads);
    };
    while (items > 1 && is_too_much()) items /= 2;
    teams.push_back({1, team, threads, items, false});
  }
  std::vector<Candidate> candidates;
  for (const Team& team : teams) {
    const Config config{"rows",
                        {{"blocks", team.blocks},
                         {"team", team.team},
                         {"threads", team.threads},
                         {"vector", row_class.vectors.length},
                         {"items", team.items},
                         {"keeps", team.keeps ? 1 : 0},
                         {"shifted", row_class.vectors.shared_start ? 1 : 0}}};
    candidates.push_back({config, predict_us(row_class, team)});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.predicted_us < b.predicted_us; });
  return candidates;
}

std::vector<Candidate> pointwise_candidates(const Kernel& kernel, const Facts& facts,
                                            const Target& target, const Sizes& sizes) {
  const RowKernel rows = matched<match_pointwise>(kernel);
  const std::int64_t vector = best_vectors(kernel, rows, facts, false).length;
  // What the elements cost beside memory is the generic schedule's to say; vectors take less of it.
  const double bytes_us = copy_us(bytes_of_rows(kernel, rows, sizes, 1), target);
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
