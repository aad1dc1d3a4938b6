//   try_regions     each kernel, last first, takes in all that only it needs: whole softmaxes and
//                   attentions, which no sequence of single steps would reach
//   try_inlines     each stored value, first first, so that operators rather end a product (as its
//                   epilogue) than begin the next one
//   try_pairs       a kernel and one that reads what it stores become one that stores both
//   try_siblings    kernels that read the same and write the same shape become one
#include "codegen/plan/improve_partition.h"

#include <algorithm>

namespace sinter::codegen {

namespace {

using ir::NodeId;
using ir::Value;

/// Reductions, products and scans of one region (attention has four).
constexpr int kMaxAnchors = 4;
/// More outputs of one kernel would only cost registers.
constexpr std::size_t kMaxRoots = 16;
constexpr int kMaxRounds = 3;

/// Operators of the part that are neither elementwise nor free: what limits fusion.
int count_anchors(const ir::Graph& graph, const Part& part) {
  int count = 0;
  for (const NodeId id : part.nodes) {
    if (!is_free(graph, id) && !ir::is_pointwise(graph.node(id).op)) ++count;
  }
  return count;
}

/// Parts that only `consumer` needs, directly or through each other, with at most `max_anchors`
/// anchors in all; each after those that read it. `before`: parts in order.
std::vector<PartId> region_before(const ir::Graph& graph, const Partition& partition,
                                  PartId consumer, const std::vector<PartId>& before,
                                  int max_anchors) {
  std::set<PartId> inside{consumer};
  std::vector<PartId> region;
  int anchors = 0;
  for (std::size_t p = before.size(); p-- > 0;) {
    if (!partition.exists(before[p])) continue;
    const Part& part = partition.part(before[p]);
    const bool is_needed_here_only =
        std::all_of(part.roots.begin(), part.roots.end(), [&](const KernelRoot& root) {
          const std::set<PartId>& readers = partition.readers(root.value);
          return !partition.is_output(root.value) &&
                 std::includes(inside.begin(), inside.end(), readers.begin(), readers.end());
        });
    const int own = count_anchors(graph, part);
    if (!is_needed_here_only || anchors + own > max_anchors) continue;
    anchors += own;
    inside.insert(before[p]);
    region.push_back(before[p]);
  }
  return region;
}

/// Takes elementwise parts out of a region that only begin one of its products or reductions while
/// they could end one outside: the epilogue is the better place.
void drop_foreign_epilogues(const ir::Graph& graph, const Partition& partition,
                            std::vector<PartId>& region) {
  const auto has_anchors = [&](PartId id) { return count_anchors(graph, partition.part(id)) > 0; };
  std::set<PartId> prologues;
  for (const PartId id : region) {  // readers first
    const Part& part = partition.part(id);
    const bool begins_only =
        std::all_of(part.roots.begin(), part.roots.end(), [&](const KernelRoot& root) {
          const std::set<PartId>& readers = partition.readers(root.value);
          return std::all_of(readers.begin(), readers.end(), [&](PartId reader) {
            return has_anchors(reader) || prologues.contains(reader);
          });
        });
    if (begins_only && !has_anchors(id)) prologues.insert(id);
  }
  std::set<PartId> inside(region.begin(), region.end());
  for (std::size_t r = region.size(); r-- > 0;) {  // what is read first
    if (!prologues.contains(region[r])) continue;
    const Part& part = partition.part(region[r]);
    const bool ends_one = std::any_of(part.inputs.begin(), part.inputs.end(), [&](Value input) {
      return partition.is_stored(input) && !inside.contains(partition.owner(input)) &&
             (has_anchors(partition.owner(input)) || prologues.contains(partition.owner(input)));
    });
    if (ends_one) inside.erase(region[r]);
  }
  std::erase_if(region, [&](PartId id) { return !inside.contains(id); });
}

void try_regions(const ir::Graph& graph, Partition& partition) {
  std::vector<PartId> before = partition.order();
  while (!before.empty()) {
    const PartId consumer = before.back();
    before.pop_back();
    if (!partition.exists(consumer)) continue;
    // An operator alone before a product or reduction waits for try_inlines: it may be an epilogue.
    const int least = count_anchors(graph, partition.part(consumer)) > 0 ? 1 : 0;
    for (int anchors = kMaxAnchors; anchors >= least; --anchors) {
      std::vector<PartId> region = region_before(graph, partition, consumer, before, anchors);
      drop_foreign_epilogues(graph, partition, region);
      std::set<Value> values;
      bool is_enough = least == 0 && !region.empty();
      for (const PartId id : region) {
        is_enough = is_enough || count_anchors(graph, partition.part(id)) > 0;
        for (const KernelRoot& root : partition.part(id).roots) values.insert(root.value);
      }
      if (is_enough && partition.try_inline(values)) break;
    }
  }
}

bool try_inlines(Partition& partition) {
  bool has_changed = false;
  for (const PartId id : partition.order()) {
    if (!partition.exists(id)) continue;
    const std::vector<Value> values = partition.intermediates_of(id);
    if (values.size() > 1 && partition.try_inline({values.begin(), values.end()})) {
      has_changed = true;
      continue;
    }
    for (const Value value : values) {
      if (partition.is_stored(value) && partition.try_inline({value})) has_changed = true;
    }
  }
  return has_changed;
}

/// Merges the kernel that stores a value with one that reads it.
bool try_pairs(Partition& partition) {
  bool has_changed = false;
  for (PartId id : partition.order()) {
    if (!partition.exists(id)) continue;
    const std::vector<KernelRoot> roots = partition.part(id).roots;
    for (const KernelRoot& root : roots) {
      const std::set<PartId> readers = partition.readers(root.value);
      for (const PartId reader : readers) {
        if (!partition.exists(id) || !partition.exists(reader)) continue;
        if (partition.try_merge(id, reader)) has_changed = true;
      }
    }
  }
  return has_changed;
}

bool are_siblings(const ir::Graph& graph, const Part& a, const Part& b) {
  const Value first = a.roots.front().value;
  const Value second = b.roots.front().value;
  if (graph.type(first).shape != graph.type(second).shape) return false;
  if (a.roots.size() + b.roots.size() > kMaxRoots) return false;
  return std::any_of(a.inputs.begin(), a.inputs.end(),
                     [&](Value input) { return b.inputs.contains(input); });
}

bool try_siblings(const ir::Graph& graph, Partition& partition) {
  bool has_changed = false;
  const std::vector<PartId> order = partition.order();
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size(); ++b) {
      if (!partition.exists(order[a])) break;
      if (!partition.exists(order[b])) continue;
      if (!are_siblings(graph, partition.part(order[a]), partition.part(order[b]))) continue;
      if (partition.try_merge(order[a], order[b])) has_changed = true;
    }
  }
  return has_changed;
}

}  // namespace

void improve_partition(const ir::Graph& graph, Partition& partition) {
  try_regions(graph, partition);
  for (int round = 0; round < kMaxRounds; ++round) {
    bool has_changed = try_inlines(partition);
    has_changed = try_pairs(partition) || has_changed;
    has_changed = try_siblings(graph, partition) || has_changed;
    if (!has_changed) return;
  }
}

}  // namespace sinter::codegen
