// Loops of reduce and contract. Where lanes run over an axis outside of the fold, each lane has an
// accumulator of its own and elements come in ascending order. Else, where the order is free, lanes
// run over a folded axis, and the accumulators' lanes are combined at the end.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "codegen/llvm/loops.h"
#include "codegen/llvm/reducers.h"
#include "codegen/llvm/value_emitter.h"

namespace sinter::codegen::llvm {

namespace {

std::vector<Carried> carried_values(const std::vector<Register>& accumulators) {
  std::vector<Carried> carried;
  for (const Register& accumulator : accumulators) {
    carried.push_back({"sum", type_of(accumulator), accumulator.text});
  }
  return carried;
}

std::vector<Register> with_texts(const std::vector<Register>& registers, const CountedLoop& loop,
                                 std::size_t first = 0) {
  std::vector<Register> renamed = registers;
  for (std::size_t i = 0; i < renamed.size(); ++i) renamed[i].text = loop.carried(first + i);
  return renamed;
}

std::vector<std::string> texts_of(const std::vector<Register>& registers) {
  std::vector<std::string> texts;
  for (const Register& value : registers) texts.push_back(value.text);
  return texts;
}

}  // namespace

double lane_cost(const ir::Kernel& kernel, const ir::Facts& facts,
                 const std::vector<ir::NodeId>& nodes, ir::AxisId axis) {
  double cost = 0;
  std::vector<ir::AxisId> folded;
  for (const ir::NodeId id : nodes) {
    if (!is_fold(kernel.node(id))) continue;
    for (const ir::AxisId inner : folded_axes(kernel.node(id))) folded.push_back(inner);
  }
  for (const ir::NodeId id : nodes) {
    const ir::KernelNode& node = kernel.node(id);
    if (node.op != ir::Op::Load && node.op != ir::Op::Store) continue;
    if (!std::ranges::binary_search(node.domain, axis)) continue;
    const bool is_inner = std::ranges::any_of(
        folded, [&](ir::AxisId inner) { return std::ranges::binary_search(node.domain, inner); });
    const LaneStep step = lane_stride(kernel, facts, node, axis).step;
    const bool is_vector = step == LaneStep::Unit || step == LaneStep::Reversed;
    if (!is_vector) cost += is_inner ? 10 : 1;
  }
  return cost;
}

std::optional<ir::AxisId> reduced_lane_axis(const ir::Kernel& kernel, const ir::Facts& facts,
                                            ir::NodeId fold) {
  const ir::KernelNode& node = kernel.node(fold);
  if (!may_reorder(kernel, node)) return std::nullopt;
  const std::vector<ir::NodeId> nodes = needed_nodes(kernel, {fold});
  std::optional<ir::AxisId> best;
  double best_cost = 0;
  for (const ir::AxisId axis : folded_axes(node)) {
    const double cost = lane_cost(kernel, facts, nodes, axis);
    if (best && cost > best_cost) continue;
    best = axis;
    best_cost = cost;
  }
  return best_cost == 0 ? best : std::nullopt;
}

AxisRange ValueEmitter::range_of(ir::AxisId axis) {
  const auto found = ranges_.find(axis);
  return found != ranges_.end() ? found->second : AxisRange{"0", extent(axis)};
}

ir::IndexExpr ValueEmitter::length_of(ir::AxisId axis) const {
  const auto found = lengths_.find(axis);
  return found != lengths_.end() ? found->second : kernel_.axes()[axis].extent;
}

void ValueEmitter::note_chain(ir::NodeId id, const ir::IndexExpr& roundings) {
  const auto [place, is_new] = chains_.try_emplace(id, roundings);
  if (!is_new) place->second = ir::max(place->second, roundings);
}

std::vector<Register> ValueEmitter::accumulate(ir::NodeId id) {
  const ir::KernelNode& node = kernel_.node(id);
  if (!scopes_.back().lane_axis) {
    const auto lane_axis = reduced_lane_axis(kernel_, facts_, id);
    if (lane_axis && options_.width > 1) return accumulate_lanes(id, *lane_axis);
  }
  const LaneWriter own = lanes(width_of(node.domain));
  std::vector<Register> accumulators;
  for (const ir::Literal& identity : fold_identities(node)) {
    accumulators.push_back(own.constant(identity));
  }
  // The first addition is exact, but a product rounds.
  ir::IndexExpr steps = 1;
  for (const ir::AxisId axis : folded_axes(node)) steps = steps * length_of(axis);
  note_chain(id, steps);
  return accumulate_over(id, folded_axes(node), 0, accumulators);
}

std::vector<Register> ValueEmitter::step_fold(ir::NodeId id,
                                              const std::vector<Register>& accumulators) {
  const int width = accumulators[0].width;
  const ir::KernelNode& node = kernel_.node(id);
  return emit_fold_step(lanes(width), node, accumulators, operands(node, width));
}

std::vector<Register> ValueEmitter::accumulate_over(ir::NodeId id,
                                                    const std::vector<ir::AxisId>& axes,
                                                    std::size_t depth,
                                                    const std::vector<Register>& accumulators) {
  if (depth == axes.size()) return step_fold(id, accumulators);
  hoist({id});
  const AxisRange range = range_of(axes[depth]);
  CountedLoop loop(out_, axis_name(axes[depth]), range.begin, range.end, "1",
                   carried_values(accumulators));
  {
    const Scope scope(*this);
    bind_axis(axes[depth], loop.index());
    loop.finish(texts_of(accumulate_over(id, axes, depth + 1, with_texts(accumulators, loop))));
  }
  return with_texts(accumulators, loop);
}

/// Carries two accumulators: one of vectors, and a scalar one for what the vectors leave.
std::vector<Register> ValueEmitter::accumulate_lanes(ir::NodeId id, ir::AxisId lane_axis) {
  const ir::KernelNode& node = kernel_.node(id);
  const LaneWriter wide = lanes(options_.width);
  const ir::Literal identity = fold_identities(node)[0];
  std::vector<ir::AxisId> outer = folded_axes(node);
  std::erase(outer, lane_axis);
  // A lane's steps or those of the rest, the levels of the tree over the lanes, their sum.
  ir::IndexExpr rounds = 1;
  for (const ir::AxisId axis : outer) rounds = rounds * length_of(axis);
  const std::int64_t width = options_.width;
  const ir::IndexExpr vectors = ir::floor_div(length_of(lane_axis), width);
  const ir::IndexExpr rest = ir::min(length_of(lane_axis), width - 1);
  const auto levels = std::bit_width(static_cast<std::uint64_t>(width) - 1);
  note_chain(id, ir::max(rounds * vectors + static_cast<std::int64_t>(levels), rounds * rest) + 1);
  const std::vector<Register> sums = accumulate_lanes_over(
      id, outer, lane_axis, 0, {wide.constant(identity), lanes(1).constant(identity)});
  const Register combined = emit_combine_lanes(wide, node, sums[0]);
  return {emit_combine(lanes(1), node, combined, sums[1])};
}

std::vector<Register> ValueEmitter::accumulate_lanes_over(
    ir::NodeId id, const std::vector<ir::AxisId>& outer, ir::AxisId lane_axis, std::size_t depth,
    const std::vector<Register>& accumulators) {
  hoist({id});
  if (depth < outer.size()) {
    const AxisRange range = range_of(outer[depth]);
    CountedLoop loop(out_, axis_name(outer[depth]), range.begin, range.end, "1",
                     carried_values(accumulators));
    {
      const Scope scope(*this);
      bind_axis(outer[depth], loop.index());
      loop.finish(texts_of(
          accumulate_lanes_over(id, outer, lane_axis, depth + 1, with_texts(accumulators, loop))));
    }
    return with_texts(accumulators, loop);
  }
  std::vector<Register> sums = accumulators;
  AxisRange range = range_of(lane_axis);
  for (std::size_t i = 0; i < 2; ++i) {
    const int width = sums[i].width;
    const std::string step = std::to_string(width);
    // The main loop stops where a whole vector no longer fits.
    std::string end = range.end;
    if (width > 1) {
      const std::string last = out_.assign("room", fmt::format("sub i64 {}, {}", end, width - 1));
      end = last;
    }
    CountedLoop loop(out_, axis_name(lane_axis), range.begin, end, step, carried_values({sums[i]}));
    {
      const Scope scope(*this);
      bind_lanes(lane_axis, loop.index(), width);
      loop.finish(texts_of(step_fold(id, with_texts({sums[i]}, loop))));
    }
    sums[i] = with_texts({sums[i]}, loop)[0];
    range.begin = loop.index();
  }
  return sums;
}

}  // namespace sinter::codegen::llvm
