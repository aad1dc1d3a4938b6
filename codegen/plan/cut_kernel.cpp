#include "codegen/plan/cut_kernel.h"

#include <algorithm>

#include "codegen/kernel_queries.h"

namespace sinter::codegen {

namespace {

using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;
using ir::Value;

class CutFinder {
 public:
  CutFinder(const Kernel& kernel, const CrossingTensors& crossing)
      : kernel_(kernel), crossing_(crossing), live_(needed_nodes(kernel, kernel.stores())) {
    for (const NodeId id : live_) {
      const KernelNode& node = kernel_.node(id);
      if (is_fold(node)) has_fold_ = true;
      const bool is_access = node.op == Op::Load || node.op == Op::Store;
      if (is_access && node.domain.size() > 1 && crossing.contains(tensor_of(kernel_, node).name)) {
        (node.op == Op::Load ? loads_ : stores_).push_back(id);
      }
    }
  }

  std::vector<KernelCut> find() {
    if (!has_fold_) return {};
    if (!loads_.empty()) {
      for (const std::vector<Value>& values : by_domain(ordered_values())) {
        add(values, stores_of(values), load_over(kernel_.domain(values.front())));
      }
      add(first_results(), {}, loads_.front());
    }
    if (!stores_.empty()) {
      std::vector<Value> results;
      std::vector<NodeId> others;
      for (const NodeId id : kernel_.stores()) {
        if (!has_node(stores_, id)) others.push_back(id);
      }
      for (const NodeId id : stores_) {
        const Value stored = kernel_.node(id).operands.front();
        if (std::ranges::find(results, stored) == results.end()) results.push_back(stored);
      }
      add(results, others, stores_.front());
    }
    return std::move(cuts_);
  }

 private:
  /// A cut whose intermediates are wanted in the order of the tensor of `access`.
  void add(const std::vector<Value>& values, const std::vector<NodeId>& early, NodeId access) {
    const bool leaves_some = early.size() < kernel_.stores().size();
    const bool has_room = std::ranges::all_of(values, [&](Value value) { return is_small(value); });
    if (values.empty() || !leaves_some || !has_room) return;
    const std::string& tensor = tensor_of(kernel_, kernel_.node(access)).name;
    cuts_.push_back({values, early, crossing_.at(tensor)});
  }

  /// Whether a tensor of the kernel has all axes of the value: no product of rows and columns, no windows side by
  /// side.
  bool is_small(Value value) const {
    return std::ranges::any_of(live_, [&](NodeId id) {
      const KernelNode& node = kernel_.node(id);
      if (node.op != Op::Load && node.op != Op::Store) return false;
      std::vector<ir::AxisId> axes;
      for (const ir::IndexExpr& expr : node.attributes.get<ir::Shape>(ir::AttributeName::Map)) {
        if (const auto axis = expr.as_axis()) axes.push_back(*axis);
      }
      return std::ranges::all_of(kernel_.domain(value),
                                 [&](ir::AxisId axis) { return has_axis(axes, axis); });
    });
  }

  std::vector<std::vector<Value>> by_domain(const std::vector<Value>& values) const {
    std::vector<std::vector<Value>> groups;
    for (const Value value : values) {
      const auto group = std::ranges::find_if(groups, [&](const std::vector<Value>& one) {
        return kernel_.domain(one.front()) == kernel_.domain(value);
      });
      (group == groups.end() ? groups.emplace_back() : *group).push_back(value);
    }
    return groups;
  }

  /// A crossing operand over these axes, or any.
  NodeId load_over(const std::vector<ir::AxisId>& domain) const {
    const auto found =
        std::ranges::find_if(loads_, [&](NodeId id) { return kernel_.node(id).domain == domain; });
    return found == loads_.end() ? loads_.front() : *found;
  }

  bool needs_fold(NodeId id) const {
    return std::ranges::any_of(needed_nodes(kernel_, {id}),
                               [&](NodeId used) { return is_fold(kernel_.node(used)); });
  }

  /// Whether nothing but node `user` and stores uses the value.
  bool is_used_by(Value value, NodeId user) const {
    return std::ranges::none_of(live_, [&](NodeId id) {
      const auto uses = uses_of(kernel_.node(id));
      return id != user && kernel_.node(id).op != Op::Store &&
             std::ranges::find(uses, value) != uses.end();
    });
  }

  /// Bytes for each point of the kernel's axes; those that the kernel stores in any case are written already.
  std::size_t bytes_of(const std::vector<Value>& values) const {
    std::size_t bytes = 0;
    for (const Value value : values) {
      const std::size_t passes = stores_of({value}).empty() ? 2 : 1;
      bytes += passes * size_bytes(kernel_.dtype(value));
    }
    return bytes;
  }

  /// What is computed from the crossing loads alone, or with what lies in order, as far as that has the fewest
  /// bytes.
  std::vector<Value> ordered_values() const {
    std::vector<Value> front;
    for (const NodeId id : loads_) front.push_back({id, 0});
    std::vector<Value> best = front;
    for (const NodeId id : live_) {
      const KernelNode& node = kernel_.node(id);
      if (!ir::is_pointwise(node.op) || needs_fold(id)) continue;
      std::vector<Value> taken;
      for (const Value operand : node.operands) {
        if (std::ranges::find(front, operand) != front.end()) taken.push_back(operand);
      }
      const bool replaces = !taken.empty() && std::ranges::all_of(taken, [&](Value operand) {
        return kernel_.domain(operand) == node.domain && is_used_by(operand, id);
      });
      if (!replaces) continue;
      std::erase_if(front,
                    [&](Value value) { return std::ranges::find(taken, value) != taken.end(); });
      front.push_back({id, 0});
      if (bytes_of(front) <= bytes_of(best)) best = front;
    }
    return best;
  }

  /// Stores of these values, in the order of the kernel.
  std::vector<NodeId> stores_of(const std::vector<Value>& values) const {
    std::vector<NodeId> stores;
    for (const NodeId id : kernel_.stores()) {
      const Value stored = kernel_.node(id).operands.front();
      if (std::ranges::find(values, stored) != values.end()) stores.push_back(id);
    }
    return stores;
  }

  /// Results of the folds that need no other, as far as they are used.
  std::vector<Value> first_results() const {
    std::vector<Value> results;
    for (const NodeId id : live_) {
      if (!is_fold(kernel_.node(id))) continue;
      const bool is_first = std::ranges::none_of(needed_nodes(kernel_, {id}), [&](NodeId used) {
        return used != id && is_fold(kernel_.node(used));
      });
      if (!is_first) continue;
      for (std::uint32_t r = 0; r < kernel_.node(id).results.size(); ++r) {
        const bool is_used = std::ranges::any_of(live_, [&](NodeId user) {
          const auto uses = uses_of(kernel_.node(user));
          return std::ranges::find(uses, Value{id, r}) != uses.end();
        });
        if (is_used) results.push_back({id, r});
      }
    }
    return results;
  }

  const Kernel& kernel_;
  const CrossingTensors& crossing_;
  std::vector<NodeId> live_;
  std::vector<NodeId> loads_, stores_;  // of tensors that lie across
  bool has_fold_ = false;
  std::vector<KernelCut> cuts_;
};

}  // namespace

std::vector<KernelCut> find_cuts(const Kernel& kernel, const CrossingTensors& crossing) {
  return CutFinder(kernel, crossing).find();
}

}  // namespace sinter::codegen
