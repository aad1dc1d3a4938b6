// Loops of reduce and contract. Where lanes run over an axis outside of the fold, each lane has an
// accumulator of its own and elements come in ascending order. Else, where the order is free, lanes
// run over a folded axis, and the accumulators' lanes are combined at the end.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "codegen/llvm/loops.h"
#include "codegen/llvm/reducers.h"
#include "codegen/llvm/value_emitter.h"
#include "support/check.h"

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
  note_whole_chain(id);
  return accumulate_over(id, folded_axes(node), 0, accumulators);
}

void ValueEmitter::note_whole_chain(ir::NodeId id) {
  // The first addition is exact, but a product rounds.
  ir::IndexExpr steps = 1;
  for (const ir::AxisId axis : folded_axes(kernel_.node(id))) steps = steps * length_of(axis);
  note_chain(id, steps);
}

std::vector<Register> ValueEmitter::accumulate_further(ir::NodeId id, const AxisRange& range,
                                                       const std::vector<Register>& accumulators) {
  const std::vector<ir::AxisId> axes = folded_axes(kernel_.node(id));
  const auto [place, is_new] = ranges_.emplace(axes[0], range);
  support::check(is_new, "axis {} is restricted twice", axis_name(axes[0]));
  const std::vector<Register> sums = accumulate_over(id, axes, 0, accumulators);
  ranges_.erase(place);
  return sums;
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

/// Carries `sets` accumulators of vectors that take turns, and after them scalar ones for what the vectors
/// leave. A Function has sets of narrow vectors: its masks are for values of several sizes, which would have to
/// be taken apart and put together in wide ones.
std::vector<Register> ValueEmitter::accumulate_lanes(ir::NodeId id, ir::AxisId lane_axis) {
  const ir::KernelNode& node = kernel_.node(id);
  const bool is_narrow = has_function(node) && options_.tail_width > 1;
  const LaneWriter wide = lanes(is_narrow ? options_.tail_width : options_.width);
  const auto sets = static_cast<std::size_t>(options_.width / wide.width());
  const std::vector<ir::Literal> identities = fold_identities(node);
  std::vector<Register> accumulators;
  for (std::size_t set = 0; set <= sets; ++set) {
    for (const ir::Literal& identity : identities) {
      accumulators.push_back((set < sets ? wide : lanes(1)).constant(identity));
    }
  }
  std::vector<ir::AxisId> outer = folded_axes(node);
  std::erase(outer, lane_axis);
  // A lane's steps or those of the rest, the levels of the tree over sets and lanes, their sum.
  ir::IndexExpr rounds = 1;
  for (const ir::AxisId axis : outer) rounds = rounds * length_of(axis);
  const std::int64_t width = options_.width;
  const ir::IndexExpr vectors = ir::floor_div(length_of(lane_axis), width);
  const ir::IndexExpr rest = ir::min(length_of(lane_axis), width - 1);
  const auto levels = static_cast<std::int64_t>(
      sets - 1 + std::bit_width(static_cast<std::uint64_t>(wide.width()) - 1));
  note_chain(id, ir::max(rounds * vectors + levels, rounds * rest) + 1);
  const std::vector<Register> sums = accumulate_lanes_over(id, outer, lane_axis, 0, accumulators);
  const auto set_of = [&](std::size_t set) {
    const auto first = sums.begin() + static_cast<std::ptrdiff_t>(set * identities.size());
    return std::vector<Register>(first, first + static_cast<std::ptrdiff_t>(identities.size()));
  };
  std::vector<Register> sum = set_of(0);
  for (std::size_t set = 1; set < sets; ++set) sum = emit_combine(wide, node, sum, set_of(set));
  return emit_combine(lanes(1), node, emit_combine_lanes(wide, node, sum), set_of(sets));
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
  const auto scalars =
      accumulators.end() - static_cast<std::ptrdiff_t>(fold_identities(kernel_.node(id)).size());
  AxisRange range = range_of(lane_axis);
  // The main loop stops where the vectors of all sets no longer fit.
  const std::string room =
      out_.assign("room", fmt::format("sub i64 {}, {}", range.end, options_.width - 1));
  std::vector<Register> sums = accumulate_sets(id, lane_axis, {range.begin, room}, range.begin,
                                               {accumulators.begin(), scalars});
  for (const Register& sum :
       accumulate_sets(id, lane_axis, range, range.begin, {scalars, accumulators.end()})) {
    sums.push_back(sum);
  }
  return sums;
}

std::vector<Register> ValueEmitter::accumulate_sets(ir::NodeId id, ir::AxisId lane_axis,
                                                    const AxisRange& range, std::string& next,
                                                    const std::vector<Register>& accumulators) {
  const std::size_t size = fold_identities(kernel_.node(id)).size();
  const int width = accumulators[0].width;
  const auto step = width * static_cast<int>(accumulators.size() / size);
  CountedLoop loop(out_, axis_name(lane_axis), range.begin, range.end, std::to_string(step),
                   carried_values(accumulators));
  const std::vector<Register> running = with_texts(accumulators, loop);
  std::vector<std::string> stepped;
  for (std::size_t first = 0; first < running.size(); first += size) {
    const Scope scope(*this);
    const int offset = width * static_cast<int>(first / size);
    bind_lanes(lane_axis,
               index_binary("add", {loop.index(), ir::DType::I64, 1},
                            {std::to_string(offset), ir::DType::I64, 1})
                   .text,
               width);
    const auto begin = running.begin() + static_cast<std::ptrdiff_t>(first);
    for (const Register& sum : step_fold(id, {begin, begin + static_cast<std::ptrdiff_t>(size)})) {
      stepped.push_back(sum.text);
    }
  }
  loop.finish(stepped);
  next = loop.index();
  return running;
}

}  // namespace sinter::codegen::llvm
