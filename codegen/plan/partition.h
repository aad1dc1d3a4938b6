// A partition of a graph into kernels while plan improves it: which values are stored, which kernel
// stores each, and what a change would cost. It knows no schedule's rule, only their answers.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codegen/plan/choose_schedule.h"
#include "codegen/plan/plan.h"

namespace sinter::codegen {

/// A node that never is a kernel of its own unless it is an output: leaves, views, and casts that
/// make a value wider without changing it (what they read is smaller than what they would store).
bool is_free(const ir::Graph& graph, ir::NodeId id);

using PartId = std::size_t;

/// One kernel to be.
struct Part {
  std::vector<KernelRoot> roots;  // sorted by value
  std::set<ir::Value> inputs;     // stored values that it reads; parameters too
  std::set<ir::NodeId> nodes;
  ScheduleChoice choice;
};

class Partition {
 public:
  /// One part for each operator that is not free, and one for each output that is.
  Partition(const ir::Graph& graph, const Target& target, std::span<const Schedule> schedules,
            const PlanOptions& options);

  /// Parts that exist, each after those whose values it reads.
  std::vector<PartId> order() const;
  bool exists(PartId id) const { return parts_.contains(id); }
  const Part& part(PartId id) const { return parts_.at(id); }
  bool is_output(ir::Value value) const { return output_names_.contains(value); }
  /// Parts that read a stored value.
  const std::set<PartId>& readers(ir::Value value) const;
  /// The part that stores it.
  PartId owner(ir::Value value) const { return owners_.at(value); }
  bool is_stored(ir::Value value) const { return owners_.contains(value); }
  /// Stored values of the part that no output needs.
  std::vector<ir::Value> intermediates_of(PartId id) const;

  /// Computes `values` (no outputs) inside their readers instead of storing them. True where it was
  /// possible and not slower; else the reason is kept.
  bool try_inline(const std::set<ir::Value>& values);
  /// Makes one kernel of two, which keeps storing what others read.
  bool try_merge(PartId a, PartId b);

  /// Why `value` is still stored for its readers: what each attempt was refused for.
  std::vector<std::string> reasons(ir::Value value) const;
  /// Tensor of a stored value: an output's, or a name for the time of planning.
  const std::string& name(ir::Value value) const { return names_.at(value); }
  const std::vector<std::string>& output_names(ir::Value value) const {
    return output_names_.at(value);
  }

 private:
  using RootSets = std::vector<std::vector<KernelRoot>>;
  void add_part(Part part);
  void remove_part(PartId id);
  Part make_part(std::vector<KernelRoot> roots, const std::set<ir::Value>& dropped) const;
  bool try_change(const std::set<PartId>& old_parts, const RootSets& new_roots,
                  const std::set<ir::Value>& dropped, std::string& refusal);
  void add_reason(ir::Value value, const std::string& reason);
  bool has_detour(PartId a, PartId b) const;

  const ir::Graph& graph_;
  const Target& target_;
  std::span<const Schedule> schedules_;
  const PlanOptions& options_;
  std::map<ir::Value, std::vector<std::string>> output_names_;
  std::map<ir::Value, std::string> names_;
  std::map<ir::Value, PartId> owners_;
  std::map<ir::Value, std::set<PartId>> readers_;
  std::map<PartId, Part> parts_;  // ids are never used again
  PartId next_id_ = 0;
  std::map<ir::Value, std::vector<std::string>> reasons_;
  std::set<std::pair<std::set<PartId>, std::set<ir::Value>>> failed_;
};

}  // namespace sinter::codegen
