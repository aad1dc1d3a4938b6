// What the schedule transpose accepts, the classes it tells apart and how it ranks its configs.
#include "codegen/cuda/schedule/transpose.h"

#include <algorithm>
#include <cmath>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/line_access.h"
#include "codegen/cuda/schedule/generic.h"
#include "codegen/cuda/schedule/transpose_tile.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AxisId;
using ir::Facts;
using ir::IndexExpr;
using ir::Kernel;
using ir::NodeId;
using ir::Op;
using Sizes = std::map<std::string, std::int64_t>;

constexpr std::int64_t kTileThreads = 256;
constexpr std::int64_t kLeastSide = 32;
constexpr std::int64_t kSides[] = {32, 64, 128, 256};
constexpr std::int64_t kTileVectorBytes = 16;
/// A thread's vectors of the widest dtype along a, and those of the narrowest, which may be that much shorter.
constexpr std::int64_t kWidestBytes = 32;
constexpr std::int64_t kSegmentBytes =
    128;  // a line of memory: what neighbouring lanes store at least
constexpr std::int64_t kStaticBytes = 48 * 1024;  // shared memory that a kernel may declare
constexpr double kMostReadBytes = 128;            // of one thread, in registers before the barrier
constexpr double kUnitShared = 227 * 1024;
constexpr double kTileUnitThreads = 2048;
constexpr double kTileUnitRegisters = 65536;
constexpr double kOwnRegisters = 34;  // of a thread, beside what it has read
/// Bytes that a multiprocessor has to have asked for to be as fast as a copy.
constexpr double kTileBytesInFlight = 48 * 1024;
/// What an access to pieces of one sector takes longer; of n sectors, a part of it by the square of n.
constexpr double kShortPieces = 0.6;
constexpr double kPieceSector = 32;
constexpr double kTileUs = 2.0;  // one tile from its first load to its last store
constexpr double kTileThreadSlots = 80;
constexpr double kTileVectorSlots = 1;  // of an element, in a vector
constexpr double kTileSingleSlots = 5;  // by itself
constexpr double kTileSharedSlots = 2;  // more, through shared memory
constexpr double kTileSlotsPerUnitUs = 128 * 1750;

std::int64_t access_bytes(const Kernel& kernel, NodeId id) {
  return static_cast<std::int64_t>(size_bytes(tensor_of(kernel, kernel.node(id)).dtype));
}

/// Sizes in bytes of the elements of one kind of access, sorted.
std::vector<std::int64_t> kind_sizes(const Kernel& kernel, const TransposeKernel& tiles,
                                     TileAccess kind) {
  std::vector<std::int64_t> sizes;
  for (const NodeId id : tiles.accesses) {
    if (tiles.kinds[id] == kind) sizes.push_back(access_bytes(kernel, id));
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

/// The longest vector not longer than `length` that a line of a known extent is made of.
std::int64_t fitting_length(const Kernel& kernel, const std::vector<AxisId>& line,
                            std::int64_t length) {
  const auto number = extent_of(kernel, line).as_constant();
  while (number && *number % length != 0) length /= 2;
  return length;
}

TileVectors longest_tile_vectors(const Kernel& kernel, const TransposeKernel& tiles) {
  const auto along = kind_sizes(kernel, tiles, TileAccess::Along);
  const auto across = kind_sizes(kernel, tiles, TileAccess::Across);
  const std::int64_t a = std::min(kTileVectorBytes / along.front(), kWidestBytes / along.back());
  return {fitting_length(kernel, tiles.line_a, a),
          fitting_length(kernel, tiles.line_b, kTileVectorBytes / across.front())};
}

/// The ways of moving tiles, best first; the last is one element at a time.
std::vector<TileVectors> tile_ways(const Kernel& kernel, const TransposeKernel& tiles) {
  const TileVectors longest = longest_tile_vectors(kernel, tiles);
  std::vector<TileVectors> ways;
  for (const TileVectors& way :
       {longest, TileVectors{longest.a, 1}, TileVectors{1, longest.b}, TileVectors{}}) {
    if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(way);
  }
  return ways;
}

/// Facts under which tensors are dense and lines are made of such vectors.
Facts way_facts(const Kernel& kernel, const TransposeKernel& tiles, const TileVectors& vectors) {
  Facts facts;
  for (const NodeId id : tiles.accesses) {
    const ir::KernelParam& tensor = tensor_of(kernel, kernel.node(id));
    if (!tensor.is_host) facts.add(ir::Fact::contiguous(tensor.name));
  }
  const auto add = [&](TileAccess kind, const std::vector<AxisId>& line, std::int64_t length) {
    if (length == 1) return;
    std::vector<NodeId> moved;
    for (const NodeId id : tiles.accesses) {
      if (tiles.kinds[id] == kind) moved.push_back(id);
    }
    const auto needed = vector_facts(kernel, moved, line, {length, std::nullopt});
    for (const ir::Fact& fact : needed.value().list()) facts.add(fact);
  };
  add(TileAccess::Along, tiles.line_a, vectors.a);
  add(TileAccess::Across, tiles.line_b, vectors.b);
  return facts;
}

std::vector<Facts> transpose_classes(const Kernel& kernel) {
  std::string why_not;
  const TransposeKernel tiles = match_transpose(kernel, why_not).value();
  const auto narrow = narrow_index_facts(kernel);
  std::vector<Facts> classes;
  for (const TileVectors& way : tile_ways(kernel, tiles)) {
    const Facts facts = way_facts(kernel, tiles, way);
    if (narrow) {
      Facts all = facts;
      for (const ir::Fact& fact : *narrow) all.add(fact);
      classes.push_back(all);
    }
    if (way == tile_ways(kernel, tiles).front()) classes.push_back(facts);
  }
  if (narrow) classes.emplace_back(*narrow);
  classes.emplace_back();
  return classes;
}

TileVectors allowed_ways(const Kernel& kernel, const Facts& facts) {
  std::string why_not;
  const TransposeKernel tiles = match_transpose(kernel, why_not).value();
  for (const TileVectors& way : tile_ways(kernel, tiles)) {
    if (facts.has_all(way_facts(kernel, tiles, way).list())) return way;
  }
  return {};
}

/// Bytes of shared memory of such tiles.
std::int64_t tile_bytes(const Kernel& kernel, const TransposeKernel& tiles, std::int64_t a,
                        std::int64_t b) {
  std::int64_t bytes = 0;
  for (const std::int64_t size : kind_sizes(kernel, tiles, TileAccess::Across)) bytes += size;
  return bytes * a * b;
}

std::optional<std::string> refuses_transpose(const Kernel& kernel, const Target& target) {
  std::string why_not;
  const auto tiles = match_transpose(kernel, why_not);
  if (!tiles) return why_not;
  const std::int64_t lanes =
      kSegmentBytes;  // of the narrowest dtype: the widest tile that is needed
  if (tile_bytes(kernel, *tiles, lanes, kLeastSide) > kStaticBytes) {
    return "its tensors that lie across do not fit into shared memory";
  }
  return refuse_arch(target);
}

/// What a class and its sizes say of one tile.
class TileCost {
 public:
  TileCost(const Kernel& kernel, const Facts& facts, const Target& target, const Sizes& sizes)
      : kernel_(kernel),
        target_(target),
        sizes_(sizes),
        tiles_(match_transpose(kernel, facts)),
        vectors_(allowed_ways(kernel, facts)) {}

  const TileVectors& vectors() const { return vectors_; }

  bool is_possible(std::int64_t a, std::int64_t b) const {
    const std::int64_t lanes = lanes_along(kernel_, tiles_, vectors_);
    return a % (lanes * vectors_.a) == 0 && a / vectors_.a * b % kTileThreads == 0 &&
           tile_bytes(kernel_, tiles_, a, b) <= kStaticBytes;
  }

  /// Whether a thread has registers for what it reads of the tile.
  bool is_held(std::int64_t a, std::int64_t b) const {
    return bytes_of_thread(static_cast<double>(a * b), true) <= kMostReadBytes;
  }

  double predict_us(std::int64_t a, std::int64_t b) const {
    const double tile = static_cast<double>(a) * static_cast<double>(b);
    const double length_a = length_of(tiles_.line_a), length_b = length_of(tiles_.line_b);
    const double tiles = std::ceil(length_a / static_cast<double>(a)) *
                         std::ceil(length_b / static_cast<double>(b)) * length_of(tiles_.rows);
    const double held_bytes = bytes_of_thread(tile, true);
    const double places = std::max(
        1.0, std::floor(std::min(
                 {kTileUnitThreads / kTileThreads,
                  kTileUnitRegisters / ((kOwnRegisters + held_bytes / 4) * kTileThreads),
                  kUnitShared / static_cast<double>(tile_bytes(kernel_, tiles_, a, b) + 1024)})));
    const double flight = places * kTileThreads * bytes_of_thread(tile, false) / kTileBytesInFlight;
    const double memory_us = memory_us_of(std::min(static_cast<double>(a), length_a),
                                          std::min(static_cast<double>(b), length_b)) /
                             std::min(1.0, flight);
    const double issue_us = tiles * (tile * slots() + kTileThreads * kTileThreadSlots) /
                            (target_.units * kTileSlotsPerUnitUs);
    const double waves = std::ceil(tiles / (places * target_.units));
    return target_.launch_us + std::max({memory_us, issue_us, waves * kTileUs});
  }

 private:
  double length_of(const std::vector<AxisId>& line) const {
    return std::max(estimate(extent_of(kernel_, line), sizes_), 1.0);
  }

  bool is_scattered(NodeId id) const {
    return tiles_.kinds[id] == TileAccess::Single &&
           line_step(kernel_, kernel_.node(id), {tiles_.line_a.back()}) == LineStep::Irregular;
  }

  bool is_vector(NodeId id) const {
    const TileAccess kind = tiles_.kinds[id];
    return kind == TileAccess::Across ? vectors_.b > 1
                                      : kind == TileAccess::Along && vectors_.a > 1;
  }

  /// Bytes of memory, or of registers, that a thread has read before the barrier: an element by itself takes a
  /// register.
  double bytes_of_thread(double tile, bool of_registers) const {
    double bytes = 0;
    for (const NodeId id : tiles_.accesses) {
      if (kernel_.node(id).op != Op::Load || tiles_.kinds[id] == TileAccess::Single) continue;
      const auto size = static_cast<double>(access_bytes(kernel_, id));
      bytes += of_registers && !is_vector(id) ? std::max(size, 4.0) : size;
    }
    return std::max(bytes * tile / kTileThreads, 16.0);
  }

  /// Short pieces of memory take longer than their bytes.
  double memory_us_of(double side_a, double side_b) const {
    double bytes = 0;
    for (const NodeId id : tiles_.accesses) {
      const ir::KernelNode& node = kernel_.node(id);
      if (tensor_of(kernel_, node).is_host) continue;
      const double side = tiles_.kinds[id] == TileAccess::Across ? side_b : side_a;
      const double piece = side * static_cast<double>(access_bytes(kernel_, id));
      const double part = is_scattered(id) ? 0 : std::min(kPieceSector / piece, 1.0);
      const double excess = kShortPieces * part * part;
      bytes += moved_bytes(kernel_, node, sizes_, is_scattered(id)) * (1 + excess);
    }
    return copy_us(bytes, target_);
  }

  /// Issue slots of one element.
  double slots() const {
    double slots = 0;
    for (const NodeId id : tiles_.live) {
      const ir::KernelNode& node = kernel_.node(id);
      if (node.op != Op::Load && node.op != Op::Store) {
        slots += operator_slots(kernel_, node);
        continue;
      }
      const bool is_across = tiles_.kinds[id] == TileAccess::Across;
      slots += (is_vector(id) ? kTileVectorSlots : kTileSingleSlots) +
               (is_across ? kTileSharedSlots : 0);
    }
    return slots;
  }

  const Kernel& kernel_;
  const Target& target_;
  const Sizes& sizes_;
  const TransposeKernel tiles_;
  const TileVectors vectors_;
};

std::vector<Candidate> transpose_candidates(const Kernel& kernel, const Facts& facts,
                                            const Target& target, const Sizes& sizes) {
  const TileCost cost(kernel, facts, target, sizes);
  // The least tiles are there for kernels that read very many tensors.
  std::vector<std::pair<std::int64_t, std::int64_t>> tiles;
  for (const std::int64_t a : kSides) {
    for (const std::int64_t b : kSides) {
      const bool fits = cost.is_possible(a, b) && (tiles.empty() || cost.is_held(a, b));
      if (fits) tiles.emplace_back(a, b);
    }
  }
  std::vector<Candidate> candidates;
  for (const auto& [a, b] : tiles) {
    for (const std::int64_t b_first : {1, 0}) {
      candidates.push_back({{"transpose",
                             {{"tile_a", a},
                              {"tile_b", b},
                              {"vector_a", cost.vectors().a},
                              {"vector_b", cost.vectors().b},
                              {"b_first", b_first},
                              {"threads", kTileThreads}}},
                            cost.predict_us(a, b)});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& x, const auto& y) { return x.predicted_us < y.predicted_us; });
  return candidates;
}

}  // namespace

std::int64_t lanes_along(const Kernel& kernel, const TransposeKernel& tiles,
                         const TileVectors& vectors) {
  const std::int64_t narrowest = kind_sizes(kernel, tiles, TileAccess::Along).front();
  return std::clamp<std::int64_t>(kSegmentBytes / (vectors.a * narrowest), 8, 32);
}

const Schedule kTransposeSchedule = {"transpose", refuses_transpose, transpose_classes,
                                     transpose_candidates, emit_transpose};

}  // namespace sinter::codegen::cuda
