// What the schedules rows and pointwise accept, the classes they tell apart and how they rank configs.
#include "codegen/cuda/schedule/rows.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/line_access.h"
#include "codegen/cuda/line_classes.h"
#include "codegen/cuda/schedule/generic.h"
#include "codegen/cuda/schedule/row_vectors.h"
#include "codegen/cuda/schedule/rows_emit.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::DType;
using ir::Facts;
using ir::IndexExpr;
using ir::Kernel;
using ir::NodeId;
using Sizes = std::map<std::string, std::int64_t>;

/// Bytes of a row that one thread keeps at most, and registers that it may take for all it does.
constexpr std::int64_t kMostKept = 128;
constexpr std::int64_t kMostRegisters = 168;
constexpr std::int64_t kOtherRegisters = 8;
constexpr std::int64_t kLeastRegisters = 32;  // with fewer no more threads fit
constexpr std::int64_t kChunk = 32;  // elements of a thread at a time where the row is not kept
constexpr std::int64_t kLongestTeam = 1024;
constexpr std::int64_t kShortThreads = 128;  // of a block whose warps have rows of their own
/// Bounds of row lengths that classes tell apart where the length has a name.
constexpr std::int64_t kBounds[] = {256, 1024, 4096, 8192, 32768, 131072};
constexpr std::int64_t kLeastOfCluster = 256;  // threads of a block
constexpr double kVectorSlots = 1;             // of an element's access in a vector
constexpr double kSingleSlots = 5;             // and by itself
constexpr double kShiftedSlots = 1.1;          // where lines begin anywhere
constexpr double kRowUs = 0.6;                 // one row from its first load to its last store
constexpr double kPassUs = 0.3;                // a pass and its reduction
constexpr double kClusterUs = 0.8;             // blocks that wait for each other's sums
constexpr double kLatencyUs = 0.6;             // of loads that nothing hides
/// Instructions: of a thread beside its elements, of a fold's tree in warps, blocks and clusters.
constexpr double kThreadSlots = 30;
constexpr double kWarpFoldSlots = 20;
constexpr double kBlockFoldSlots = 15;
constexpr double kClusterFoldSlots = 40;
constexpr double kAgainShare =
    0.7;  // of the instructions, in each pass over a row that is not kept
constexpr double kSlotsPerUnitUs = 128 * 1750;
/// Share of the lesser of memory's and instructions' time that does not overlap with the greater.
constexpr double kExposed = 0.1;
constexpr double kExposedAlone =
    0.6;  // added to it, over the square of the blocks of a multiprocessor
/// Share of their time that remains beside what the rows of a multiprocessor wait, one batch after the other.
constexpr double kBusyShare = 0.7;
constexpr std::int64_t kMostBlocksOfUnit = 32;
/// Of the memory's time, for each chunk after the other that a team reads of a row: nothing is under way between them.
constexpr double kChunkShare = 0.004;
constexpr double kMostChunks = 64;
/// A multiprocessor's load/store unit with one line of the cache that a warp touches; seen where it touches each with
/// so many accesses, or rows of several lines with 2.
constexpr double kLineUs = 0.00125;
constexpr double kLineBytes = 128;
constexpr double kManyTouches = 4;
constexpr double kBlockUs = 0.083;  // a multiprocessor from the start of a block to the next one's
constexpr std::int64_t kThreadsPerUnit = 2048;
constexpr std::int64_t kRegistersPerUnit = 65536;

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

/// Bytes that all accesses move, each tensor's elements once a pass that reads them.
double bytes_of_rows(const Kernel& kernel, const RowKernel& rows, const Sizes& sizes,
                     double passes) {
  double bytes = 0;
  for (const ir::NodeId id : rows.accesses) {
    const ir::KernelNode& node = kernel.node(id);
    const bool is_scattered = line_step(kernel, node, rows.line) == LineStep::Irregular;
    const bool is_repeated = node.op == ir::Op::Load && !is_scattered;
    bytes += moved_bytes(kernel, node, sizes, is_scattered) * (is_repeated ? passes : 1);
  }
  return bytes;
}

/// Issue slots of one element of a row that is kept: each node along it once.
double line_slots(const Kernel& kernel, const RowKernel& rows, const LineVectors& vectors) {
  double slots = 0;
  for (const ir::NodeId id : rows.live) {
    const ir::KernelNode& node = kernel.node(id);
    if (is_fold(node)) {
      slots += static_cast<double>(node.results.size());
    } else if (!rows.is_along(kernel, id)) {
      continue;
    } else if (node.op == ir::Op::Load || node.op == ir::Op::Store) {
      slots += is_vector_access(kernel, id, rows.line, vectors) ? kVectorSlots : kSingleSlots;
    } else {
      slots += operator_slots(kernel, node);
    }
  }
  return slots * (vectors.shared_start ? kShiftedSlots : 1);
}

/// Figures of a class that its candidates share.
struct RowClass {
  const Kernel& kernel;
  const RowKernel& rows;
  const Target& target;
  LineVectors vectors;
  /// Bytes of registers that an element takes while its row is kept: from the first pass on, and loaded later.
  std::int64_t kept_bytes = 4, late_bytes = 0;
  double copied_us = 0;        // each tensor once
  double copied_again_us = 0;  // in each pass
  double count = 1, length = 1;
  double access_bytes = 4;         // of a lane's vector of the widest tensor
  std::int64_t element_bytes = 4;  // of the widest value along the row, as it is computed
  double lines = 0;                // of the cache, in all tensors together
  double slots = 1;                // instructions of an element
};

struct Team {
  std::int64_t blocks, team, threads, items;
  bool keeps;
};

/// Sets kept_bytes and late_bytes.
void count_bytes(RowClass& row_class) {
  const RowPasses passes = plan_row_passes(row_class.kernel, row_class.rows, true);
  row_class.kept_bytes = std::max<std::int64_t>(passes.most_kept_bytes, 2);
  for (std::size_t pass = 0; pass < row_class.rows.pass_count; ++pass) {
    std::int64_t loaded = 0;
    for (const NodeId id : passes.nodes[pass]) {
      const ir::KernelNode& node = row_class.kernel.node(id);
      const bool is_vector =
          is_vector_access(row_class.kernel, id, row_class.rows.line, row_class.vectors);
      if (node.op != ir::Op::Load || !is_vector) continue;
      loaded += static_cast<std::int64_t>(size_bytes(node.results.front()));
    }
    std::int64_t& most = pass == 0 ? row_class.kept_bytes : row_class.late_bytes;
    most = std::max(most, loaded);
  }
}

/// Bytes of a vector of the widest tensor that is read in vectors.
double widest_bytes(const RowClass& row_class) {
  std::size_t bytes = 1;
  for (const NodeId id : row_class.rows.accesses) {
    if (!is_vector_access(row_class.kernel, id, row_class.rows.line, row_class.vectors)) continue;
    bytes =
        std::max(bytes, size_bytes(tensor_of(row_class.kernel, row_class.kernel.node(id)).dtype));
  }
  return static_cast<double>(bytes) * static_cast<double>(row_class.vectors.length);
}

/// Registers that a thread needs for so many vectors of the row, as ptxas was seen to need them: what is kept, twice
/// that where it is packed, a vector that is worked on, addresses.
std::int64_t needed_registers(const RowClass& row_class, std::int64_t items) {
  const std::int64_t vector = row_class.vectors.length;
  const std::int64_t ahead = std::min(items, kItemsAhead);
  const bool is_packed = row_class.kept_bytes < 4;
  const std::int64_t kept = vector * items * row_class.kept_bytes / 4 * (is_packed ? 2 : 1);
  const std::int64_t late = vector * ahead * row_class.late_bytes / 4;
  const std::int64_t worked_on = is_packed ? vector : 5 * vector * row_class.element_bytes / 8;
  return std::max(kOtherRegisters + kept + late + worked_on, kLeastRegisters);
}

/// Registers that a thread of such a block can have: warps lie on four parts of a multiprocessor.
std::int64_t allowed_registers(std::int64_t threads) {
  const std::int64_t warps_a_part = (threads / 32 + 3) / 4;
  return std::min<std::int64_t>(kRegistersPerUnit / 4 / (warps_a_part * 32) / 8 * 8,
                                kMostRegisters);
}

/// Blocks that a multiprocessor holds at a time.
std::int64_t places_of(const RowClass& row_class, const Team& team) {
  const std::int64_t registers = (needed_registers(row_class, team.items) + 7) / 8 * 8;
  const std::int64_t threads = std::min(kThreadsPerUnit, kRegistersPerUnit / registers);
  return std::clamp<std::int64_t>(threads / team.threads, 1, kMostBlocksOfUnit);
}

/// The greatest of: memory and instructions, which overlap but for a part; the waiting of one row's threads for memory
/// and each other, in as many batches of blocks as follow each other, beside a share of the former; the starting of
/// blocks. Found on an H200 (docs/benchmarks.md, row sweep).
double predict_us(const RowClass& row_class, const Team& team) {
  const auto passes = static_cast<double>(row_class.rows.pass_count);
  const auto vector = static_cast<double>(row_class.vectors.length);
  const auto lanes = static_cast<double>(team.team * team.blocks);
  const auto at_once = static_cast<double>(team.items) * vector;
  const double chunks = team.keeps ? 1 : std::ceil(row_class.length / (lanes * at_once));
  const std::int64_t block_rows = team.threads / team.team;
  const double blocks = std::ceil(row_class.count / static_cast<double>(block_rows)) *
                        static_cast<double>(team.blocks);
  const double read_us =
      team.keeps ? row_class.copied_us
                 : row_class.copied_again_us * (1 + kChunkShare * std::min(chunks, kMostChunks));
  // Where teams of few lanes walk along rows, a warp touches each line with several of its accesses.
  const double touched_bytes = static_cast<double>(team.team) * row_class.access_bytes;
  const double row_bytes = row_class.length * row_class.access_bytes / vector;
  const double touches = std::max(std::min(row_bytes, kLineBytes) / touched_bytes, 1.0);
  const double lines_us = row_class.lines * touches * kLineUs / row_class.target.units;
  const bool is_seen = touches >= kManyTouches || (touches >= 2 && row_bytes > kLineBytes);
  const double memory_us = is_seen ? overlapped_us(read_us, lines_us) : read_us;

  const double folds_slots = static_cast<double>(row_class.rows.folds.size()) *
                             (kWarpFoldSlots + (team.team > 32 ? kBlockFoldSlots : 0) +
                              (team.blocks > 1 ? kClusterFoldSlots : 0));
  const double again = team.keeps ? 1 : passes * kAgainShare;
  const double thread_slots =
      kThreadSlots + folds_slots + chunks * at_once * again * row_class.slots;
  const double issue_us = blocks * static_cast<double>(team.threads) * thread_slots /
                          (row_class.target.units * kSlotsPerUnitUs);

  const auto places = static_cast<double>(places_of(row_class, team));
  const double batches = std::max(blocks / (places * row_class.target.units), 1.0);
  const double levels = std::log2(static_cast<double>(std::min<std::int64_t>(team.team, 32)));
  const double row_us = kRowUs + passes * kPassUs * levels / 5 +
                        (team.blocks > 1 ? (passes - 1) * kClusterUs : 0) +
                        (team.keeps ? 0 : chunks * passes * kLatencyUs);
  const double exposed = kExposed + kExposedAlone / (places * places);
  const double busy_us = std::max(memory_us, issue_us) + exposed * std::min(memory_us, issue_us);
  const double beside_us = (places > 1 ? kBusyShare : 1) * busy_us;
  return row_class.target.launch_us + std::max({busy_us, beside_us + batches * row_us,
                                                blocks / row_class.target.units * kBlockUs});
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
  for (std::int64_t items = 1; items * vector * row_class.kept_bytes <= kMostKept; ++items) {
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
  RowClass row_class{kernel, rows, target, best_vectors(kernel, rows, facts, true)};
  count_bytes(row_class);
  row_class.copied_us = copy_us(bytes_of_rows(kernel, rows, sizes, 1), target);
  row_class.copied_again_us =
      copy_us(bytes_of_rows(kernel, rows, sizes, static_cast<double>(rows.pass_count)), target);
  row_class.count = std::max(estimate(extent_of(kernel, rows.rows), sizes), 1.0);
  row_class.lines = bytes_of_rows(kernel, rows, sizes, 1) / kLineBytes;
  row_class.slots = line_slots(kernel, rows, row_class.vectors);
  row_class.length = std::max(estimate(extent_of(kernel, rows.line), sizes), 1.0);
  row_class.access_bytes = widest_bytes(row_class);
  for (const NodeId id : rows.live) {
    if (!rows.is_along(kernel, id) || kernel.node(id).results.empty()) continue;
    const DType dtype = ir::compute_dtype(kernel.node(id).results.front());
    row_class.element_bytes =
        std::max(row_class.element_bytes, static_cast<std::int64_t>(size_bytes(dtype)));
  }
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
