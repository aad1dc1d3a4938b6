// Loops from the outside in: items, lane axis, inner axes, scan.
#include "codegen/llvm/nest_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/llvm/loops.h"
#include "codegen/llvm/reducers.h"

namespace sinter::codegen::llvm {

using ir::AttributeName;
using ir::AxisId;
using ir::DType;
using ir::IndexExpr;

namespace {

bool is_parallel(const NestPlan& plan, std::optional<AxisId> axis) {
  return axis && std::ranges::count(plan.parallel, *axis) > 0;
}

bool is_in_blocks(const ir::Kernel& kernel, const NestPlan& plan) {
  if (!is_parallel(plan, plan.lane_axis)) return false;
  const auto extent = kernel.axes()[*plan.lane_axis].extent.as_constant();
  return !extent || *extent > plan.block;
}

class NestWriter {
 public:
  NestWriter(ValueEmitter& emitter, const NestPlan& plan)
      : emitter_(emitter), out_(emitter.out()), kernel_(emitter.kernel()), plan_(plan) {}

  void write(const std::function<void()>& prepare) {
    CountedLoop items(out_, "item", "%begin", "%end", "1");
    {
      const ValueEmitter::Scope scope(emitter_);
      bind_item(items.index());
      if (prepare) prepare();
      emitter_.hoist(plan_.group.stores);
      if (is_parallel(plan_, plan_.lane_axis)) {
        write_lanes(block_);
      } else {
        write_inner(0);
      }
    }
    items.finish();
  }

 private:
  /// Splits the item's number into axes, the last of them changing fastest.
  void bind_item(const std::string& item) {
    out_.comment("which part of the parallel axes this item is");
    std::string rest = item;
    std::vector<AxisId> axes = plan_.parallel;
    if (is_parallel(plan_, plan_.lane_axis)) std::erase(axes, *plan_.lane_axis);
    const bool has_blocks = is_in_blocks(kernel_, plan_);
    block_ = {"0", ""};
    if (is_parallel(plan_, plan_.lane_axis)) block_.end = emitter_.extent(*plan_.lane_axis);
    if (has_blocks && !plan_.blocks_first) {
      bind_block(split(rest, axes.empty() ? "" : block_count(), axes.empty()));
    }
    for (std::size_t i = axes.size(); i-- > 0;) {
      const bool is_last = i == 0 && !(has_blocks && plan_.blocks_first);
      const std::string extent = is_last ? "" : emitter_.extent(axes[i]);
      emitter_.bind_axis(axes[i], split(rest, extent, is_last, emitter_.axis_name(axes[i])));
    }
    if (has_blocks && plan_.blocks_first) bind_block(rest);
  }

  /// Takes the fastest part of `extent` off `rest`.
  std::string split(std::string& rest, const std::string& extent, bool is_last,
                    const std::string& name = "block") {
    if (is_last) return rest;
    const std::string part = out_.assign(name, fmt::format("urem i64 {}, {}", rest, extent));
    rest = out_.assign("rest", fmt::format("udiv i64 {}, {}", rest, extent));
    return part;
  }

  std::string block_count() {
    const IndexExpr extent = kernel_.axes()[*plan_.lane_axis].extent;
    return emitter_.scalar_index(ir::floor_div(extent + (plan_.block - 1), plan_.block));
  }

  void bind_block(const std::string& block) {
    const std::string first =
        out_.assign("first", fmt::format("mul i64 {}, {}", block, plan_.block));
    const std::string full = out_.assign("full", fmt::format("add i64 {}, {}", first, plan_.block));
    const LaneWriter scalar = emitter_.lanes(1);
    const Register end =
        scalar.call("llvm.smin", {{full, DType::I64, 1}, {block_.end, DType::I64, 1}});
    block_ = {first, end.text};
  }

  /// The lane axis: full vectors first, then what they leave in narrower ones.
  void write_lanes(AxisRange range) {
    const AxisId axis = *plan_.lane_axis;
    for (const int width : lane_widths(emitter_.options().width, emitter_.options().tail_width)) {
      out_.comment(fmt::format("{} in steps of {}", emitter_.axis_name(axis), width));
      std::string end = range.end;
      if (width > 1) {
        end = out_.assign("room", fmt::format("sub i64 {}, {}", range.end, width - 1));
      }
      CountedLoop loop(out_, emitter_.axis_name(axis), range.begin, end, std::to_string(width));
      {
        const ValueEmitter::Scope scope(emitter_);
        emitter_.bind_lanes(axis, loop.index(), width);
        if (is_parallel(plan_, axis)) {
          write_inner(0);
        } else {
          write_point();
        }
      }
      loop.finish();
      range.begin = loop.index();
    }
  }

  void write_inner(std::size_t depth) {
    std::vector<AxisId> axes = plan_.inner;
    const bool lanes_are_inner = plan_.lane_axis && !is_parallel(plan_, plan_.lane_axis);
    if (lanes_are_inner) std::erase(axes, *plan_.lane_axis);
    emitter_.hoist(plan_.group.stores);
    if (depth == axes.size()) {
      if (lanes_are_inner) return write_lanes({"0", emitter_.extent(*plan_.lane_axis)});
      return write_point();
    }
    CountedLoop loop(out_, emitter_.axis_name(axes[depth]), "0", emitter_.extent(axes[depth]), "1");
    {
      const ValueEmitter::Scope scope(emitter_);
      emitter_.bind_axis(axes[depth], loop.index());
      write_inner(depth + 1);
    }
    loop.finish();
  }

  void write_point() {
    if (plan_.scan) return write_scan(*plan_.scan);
    for (const ir::NodeId store : plan_.group.stores) emitter_.store(store);
  }

  CountedLoop open_scan(const ir::KernelNode& node, std::vector<Carried> carried) {
    const AxisId axis = folded_axes(node)[0];
    const std::string name = emitter_.axis_name(axis);
    const std::string end = emitter_.extent(axis);
    if (node.attributes.get_or<bool>(AttributeName::Reverse, false)) {
      return CountedLoop::make_reversed(out_, name, "0", end, std::move(carried));
    }
    return {out_, name, "0", end, "1", std::move(carried)};
  }

  /// The running fold: the scan's axis is a loop whose stores are written as it goes.
  void write_scan(ir::NodeId id) {
    const ir::KernelNode& node = kernel_.node(id);
    emitter_.hoist(plan_.group.stores);
    emitter_.note_chain(id, kernel_.axes()[folded_axes(node)[0]].extent);
    const LaneWriter lanes = emitter_.lanes(emitter_.width_of(node.domain));
    std::vector<Register> accumulators;
    std::vector<Carried> carried;
    for (const ir::Literal& identity : fold_identities(node)) {
      accumulators.push_back(lanes.constant(identity));
      carried.push_back({"running", type_of(accumulators.back()), accumulators.back().text});
    }
    CountedLoop loop = open_scan(node, carried);
    std::vector<std::string> next;
    {
      const ValueEmitter::Scope scope(emitter_);
      emitter_.bind_axis(folded_axes(node)[0], loop.index());
      for (std::size_t i = 0; i < accumulators.size(); ++i) {
        accumulators[i].text = loop.carried(i);
      }
      std::vector<Register> elements;
      for (const ir::Value operand : node.operands) {
        elements.push_back(lanes.widen(emitter_.value(operand)));
      }
      const auto stepped = emit_fold_step(lanes, node, accumulators, elements);
      const bool is_exclusive = node.attributes.get_or<bool>(AttributeName::Exclusive, false);
      const auto results = emit_fold_results(lanes, node, is_exclusive ? accumulators : stepped);
      for (std::uint32_t i = 0; i < results.size(); ++i) emitter_.preset({id, i}, results[i]);
      for (const ir::NodeId store : plan_.group.stores) emitter_.store(store);
      for (const Register& value : stepped) next.push_back(value.text);
    }
    loop.finish(next);
  }

  ValueEmitter& emitter_;
  FunctionWriter& out_;
  const ir::Kernel& kernel_;
  const NestPlan& plan_;
  AxisRange block_;
};

}  // namespace

IndexExpr item_count(const ir::Kernel& kernel, const NestPlan& plan) {
  IndexExpr count = 1;
  for (const AxisId axis : plan.parallel) {
    const IndexExpr& extent = kernel.axes()[axis].extent;
    const bool is_lane = plan.lane_axis == axis;
    if (!is_lane) {
      count = count * extent;
    } else if (is_in_blocks(kernel, plan)) {
      count = count * ir::floor_div(extent + (plan.block - 1), plan.block);
    }
  }
  return count;
}

void write_items(ValueEmitter& emitter, const NestPlan& plan,
                 const std::function<void()>& prepare) {
  NestWriter(emitter, plan).write(prepare);
}

}  // namespace sinter::codegen::llvm
