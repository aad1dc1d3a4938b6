#include "codegen/cuda/schedule/rows_cost.h"

#include <algorithm>
#include <cmath>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/schedule/row_vectors.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::DType;
using ir::Kernel;
using ir::NodeId;
using Sizes = std::map<std::string, std::int64_t>;

/// Registers that a thread may take for all it does.
constexpr std::int64_t kMostRegisters = 168;
constexpr std::int64_t kOtherRegisters = 8;
constexpr std::int64_t kLeastRegisters = 32;  // with fewer no more threads fit
constexpr double kVectorSlots = 1;            // of an element's access in a vector
constexpr double kSingleSlots = 5;            // and by itself
constexpr double kShiftedSlots = 1.1;         // where lines begin anywhere
constexpr double kRowUs = 0.6;                // one row from its first load to its last store
constexpr double kPassUs = 0.3;               // a pass and its reduction
constexpr double kClusterUs = 0.8;            // blocks that wait for each other's sums
constexpr double kLatencyUs = 0.6;            // of loads that nothing hides
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
constexpr double kCacheLineBytes = 128;
constexpr double kManyTouches = 4;
constexpr double kNextBlockUs =
    0.083;  // a multiprocessor from the start of a block to the next one's
constexpr std::int64_t kThreadsPerUnit = 2048;
constexpr std::int64_t kRegistersPerUnit = 65536;

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

/// Blocks that a multiprocessor holds at a time.
std::int64_t places_of(const RowClass& row_class, const Team& team) {
  const std::int64_t registers = (needed_registers(row_class, team.items) + 7) / 8 * 8;
  const std::int64_t threads = std::min(kThreadsPerUnit, kRegistersPerUnit / registers);
  return std::clamp<std::int64_t>(threads / team.threads, 1, kMostBlocksOfUnit);
}

}  // namespace

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

RowClass make_row_class(const Kernel& kernel, const RowKernel& rows, const LineVectors& vectors,
                        const Target& target, const Sizes& sizes) {
  RowClass row_class{kernel, rows, target, vectors};
  count_bytes(row_class);
  const double bytes = bytes_of_rows(kernel, rows, sizes, 1);
  row_class.copied_us = copy_us(bytes, target);
  row_class.copied_again_us =
      copy_us(bytes_of_rows(kernel, rows, sizes, static_cast<double>(rows.pass_count)), target);
  row_class.count = std::max(estimate(extent_of(kernel, rows.rows), sizes), 1.0);
  row_class.lines = bytes / kCacheLineBytes;
  row_class.slots = line_slots(kernel, rows, row_class.vectors);
  row_class.length = std::max(estimate(extent_of(kernel, rows.line), sizes), 1.0);
  row_class.access_bytes = widest_bytes(row_class);
  for (const NodeId id : rows.live) {
    if (!rows.is_along(kernel, id) || kernel.node(id).results.empty()) continue;
    const DType dtype = ir::compute_dtype(kernel.node(id).results.front());
    row_class.element_bytes =
        std::max(row_class.element_bytes, static_cast<std::int64_t>(size_bytes(dtype)));
  }
  return row_class;
}

std::int64_t needed_registers(const RowClass& row_class, std::int64_t items) {
  const std::int64_t vector = row_class.vectors.length;
  const std::int64_t ahead = std::min(items, kItemsAhead);
  const bool is_packed = row_class.kept_bytes < 4;
  const std::int64_t kept = vector * items * row_class.kept_bytes / 4 * (is_packed ? 2 : 1);
  const std::int64_t late = vector * ahead * row_class.late_bytes / 4;
  const std::int64_t worked_on = is_packed ? vector : 5 * vector * row_class.element_bytes / 8;
  return std::max(kOtherRegisters + kept + late + worked_on, kLeastRegisters);
}

std::int64_t allowed_registers(std::int64_t threads) {
  const std::int64_t warps_a_part = (threads / 32 + 3) / 4;
  return std::min<std::int64_t>(kRegistersPerUnit / 4 / (warps_a_part * 32) / 8 * 8,
                                kMostRegisters);
}

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
  const double touches = std::max(std::min(row_bytes, kCacheLineBytes) / touched_bytes, 1.0);
  const double lines_us = row_class.lines * touches * kLineUs / row_class.target.units;
  const bool is_seen = touches >= kManyTouches || (touches >= 2 && row_bytes > kCacheLineBytes);
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
                                                blocks / row_class.target.units * kNextBlockUs});
}

}  // namespace sinter::codegen::cuda
