// Loops from the outside in: items, lane axis, inner axes, scan.
#include "codegen/llvm/nest_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/llvm/loops.h"
#include "codegen/llvm/reducers.h"
#include "codegen/llvm/tile_writer.h"

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

IndexExpr block_count(const IndexExpr& extent, std::int64_t size) {
  return ir::floor_div(extent + (size - 1), size);
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
      if (is_parallel(plan_, plan_.tile_axis)) {
        write_tiles();
      } else if (plan_.column_fold) {
        write_columns(*plan_.column_fold);
      } else if (is_parallel(plan_, plan_.lane_axis)) {
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
    if (is_parallel(plan_, plan_.tile_axis)) {
      std::erase(axes, *plan_.tile_axis);
      const std::string extent = emitter_.extent(*plan_.tile_axis);
      const std::string count =
          emitter_.scalar_index(block_count(kernel_.axes()[*plan_.tile_axis].extent, kTileBlock));
      tile_block_ = block_range(split(rest, count, false), kTileBlock, extent);
    }
    const bool has_blocks = is_in_blocks(kernel_, plan_);
    block_ = {"0", ""};
    if (is_parallel(plan_, plan_.lane_axis)) block_.end = emitter_.extent(*plan_.lane_axis);
    if (has_blocks && !plan_.blocks_first) {
      const IndexExpr count = block_count(kernel_.axes()[*plan_.lane_axis].extent, plan_.block);
      const bool is_last = axes.empty();
      const std::string text = is_last ? "" : emitter_.scalar_index(count);
      block_ = block_range(split(rest, text, is_last), plan_.block, block_.end);
    }
    for (std::size_t i = axes.size(); i-- > 0;) {
      const bool is_last = i == 0 && !(has_blocks && plan_.blocks_first);
      const std::string extent = is_last ? "" : emitter_.extent(axes[i]);
      emitter_.bind_axis(axes[i], split(rest, extent, is_last, emitter_.axis_name(axes[i])));
    }
    if (has_blocks && plan_.blocks_first) block_ = block_range(rest, plan_.block, block_.end);
  }

  /// Takes the fastest part of `extent` off `rest`.
  std::string split(std::string& rest, const std::string& extent, bool is_last,
                    const std::string& name = "block") {
    if (is_last) return rest;
    const std::string part = out_.assign(name, fmt::format("urem i64 {}, {}", rest, extent));
    rest = out_.assign("rest", fmt::format("udiv i64 {}, {}", rest, extent));
    return part;
  }

  /// Elements [number * size, (number + 1) * size) of an axis, within its extent.
  AxisRange block_range(const std::string& number, std::int64_t size, const std::string& extent) {
    const std::string first = out_.assign("first", fmt::format("mul i64 {}, {}", number, size));
    return {first, first_of_both(first, size, extent)};
  }

  /// min(first + size, end).
  std::string first_of_both(const std::string& first, std::int64_t size, const std::string& end) {
    const std::string full = out_.assign("full", fmt::format("add i64 {}, {}", first, size));
    const LaneWriter scalar = emitter_.lanes(1);
    return scalar.call("llvm.smin", {{full, DType::I64, 1}, {end, DType::I64, 1}}).text;
  }

  /// The lane axis: full vectors first, then what they leave in narrower ones.
  void write_lanes(AxisRange range) {
    write_lanes(std::move(range),
                lane_widths(emitter_.options().width, emitter_.options().tail_width));
  }

  void write_lanes(AxisRange range, const std::vector<int>& widths) {
    const AxisId axis = *plan_.lane_axis;
    for (const int width : widths) {
      out_.comment(fmt::format("{} in steps of {}", emitter_.axis_name(axis), width));
      std::string end = range.end;
      if (width > 1) end = room(range.end, width);
      CountedLoop loop(out_, emitter_.axis_name(axis), range.begin, end, std::to_string(width));
      {
        const ValueEmitter::Scope scope(emitter_);
        emitter_.bind_lanes(axis, loop.index(), width);
        if (is_parallel(plan_, axis)) {
          write_inner(0);
        } else {
          prefetch_next_row(width);
          write_point();
        }
      }
      loop.finish();
      range.begin = loop.index();
    }
  }

  /// Where a whole step no longer fits.
  std::string room(const std::string& end, int step) {
    return out_.assign("room", fmt::format("sub i64 {}, {}", end, step - 1));
  }

  /// An item's part of lane and tile axis, in areas of a line of memory on both sides, which are used up while
  /// they are in cache; areas follow each other along the lane axis.
  void write_tiles() {
    const int width = emitter_.options().width;
    const std::int64_t line = std::max<std::int64_t>(width, line_elements());
    const std::string step = std::to_string(width), line_step = std::to_string(line);
    const std::string lanes_end = whole_steps(block_, width);
    CountedLoop strips(out_, "strip", tile_block_.begin, tile_block_.end, line_step);
    const AxisRange strip = {strips.index(), first_of_both(strips.index(), line, tile_block_.end)};
    const std::string strip_end = whole_steps(strip, width);
    CountedLoop areas(out_, "area", block_.begin, lanes_end, line_step);
    const std::string area_end = first_of_both(areas.index(), line, lanes_end);
    CountedLoop tiles(out_, emitter_.axis_name(*plan_.tile_axis), strip.begin, strip_end, step);
    CountedLoop lanes(out_, emitter_.axis_name(*plan_.lane_axis), areas.index(), area_end, step);
    TileWriter(emitter_, plan_, line).write(lanes.index(), tiles.index());
    lanes.finish();
    tiles.finish();
    areas.finish();
    write_untiled({strip.begin, strip_end}, {lanes_end, block_.end}, {1});
    write_untiled({strip_end, strip.end}, block_, {width, 1});
    strips.finish();
  }

  /// End of the steps of `width`, a power of two, that fit into the range.
  std::string whole_steps(const AxisRange& range, int width) {
    const std::string length =
        out_.assign("length", fmt::format("sub i64 {}, {}", range.end, range.begin));
    const std::string whole = out_.assign("whole", fmt::format("and i64 {}, {}", length, -width));
    return out_.assign("whole.end", fmt::format("add i64 {}, {}", range.begin, whole));
  }

  /// Elements of 64 bytes of the narrowest tensor.
  std::int64_t line_elements() const {
    std::size_t narrowest = 8;
    for (const ir::KernelParam& param : kernel_.params()) {
      narrowest = std::min(narrowest, size_bytes(param.dtype));
    }
    return 64 / static_cast<std::int64_t>(narrowest);
  }

  /// A block of columns: accumulators in memory, which all rows of a block go through before the next block.
  void write_columns(ir::NodeId id) {
    const ir::KernelNode& node = kernel_.node(id);
    const AxisId axis = folded_axes(node)[0];
    const std::vector<ir::Literal> identities = fold_identities(node);
    std::vector<std::string> places;
    for (const ir::Literal& identity : identities) {
      places.push_back(
          out_.assign_at_entry("sums" + std::to_string(places.size()),
                               fmt::format("alloca [{} x {}], align 64 ; {}", plan_.block,
                                           lane_type(identity.dtype), places.size())));
    }
    emitter_.note_whole_chain(id);
    for_lanes([&](const LaneWriter& lanes) {
      std::vector<Register> first;
      for (const ir::Literal& identity : identities) first.push_back(lanes.constant(identity));
      keep_sums(places, first);
    });
    const std::string extent = emitter_.extent(axis);
    CountedLoop rows(out_, "rows", "0", extent, std::to_string(kColumnRows));
    const AxisRange range = {rows.index(), first_of_both(rows.index(), kColumnRows, extent)};
    for_lanes([&](const LaneWriter& lanes) {
      keep_sums(places,
                emitter_.accumulate_further(id, range, kept_sums(lanes, places, identities)));
    });
    rows.finish();
    for_lanes([&](const LaneWriter& lanes) {
      const auto sums = emit_fold_results(lanes, node, kept_sums(lanes, places, identities));
      for (std::uint32_t i = 0; i < sums.size(); ++i) emitter_.preset({id, i}, sums[i]);
      write_inner(0);
    });
  }

  /// Runs `body` in loops over the item's block of the lane axis.
  void for_lanes(const std::function<void(const LaneWriter& lanes)>& body) {
    std::string begin = block_.begin;
    for (const int width : lane_widths(emitter_.options().width, emitter_.options().tail_width)) {
      const std::string end = width > 1 ? room(block_.end, width) : block_.end;
      CountedLoop loop(out_, emitter_.axis_name(*plan_.lane_axis), begin, end,
                       std::to_string(width));
      {
        const ValueEmitter::Scope scope(emitter_);
        emitter_.bind_lanes(*plan_.lane_axis, loop.index(), width);
        body(emitter_.lanes(width));
      }
      loop.finish();
      begin = loop.index();
    }
  }

  std::string sum_address(const std::string& place, const Register& sum) {
    const std::string number =
        out_.assign("number", fmt::format("sub i64 {}, {}", emitter_.lane_begin(), block_.begin));
    return out_.assign("sum.at", fmt::format("getelementptr {}, ptr {}, i64 {}",
                                             lane_type(sum.dtype), place, number));
  }

  void keep_sums(const std::vector<std::string>& places, const std::vector<Register>& sums) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      out_.line(fmt::format("store {} {}, ptr {}, align {}", type_of(sums[i]), sums[i].text,
                            sum_address(places[i], sums[i]), size_bytes(sums[i].dtype)));
    }
  }

  std::vector<Register> kept_sums(const LaneWriter& lanes, const std::vector<std::string>& places,
                                  const std::vector<ir::Literal>& identities) {
    std::vector<Register> sums;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Register sum = {"", identities[i].dtype, lanes.width()};
      sums.push_back(lanes.assign("sum",
                                  fmt::format("load {}, ptr {}, align {}", type_of(sum),
                                              sum_address(places[i], sum), size_bytes(sum.dtype)),
                                  sum.dtype));
    }
    return sums;
  }

  /// What no whole square fits into.
  void write_untiled(const AxisRange& tile_range, const AxisRange& lane_range,
                     const std::vector<int>& widths) {
    CountedLoop loop(out_, emitter_.axis_name(*plan_.tile_axis), tile_range.begin, tile_range.end,
                     "1");
    {
      const ValueEmitter::Scope scope(emitter_);
      emitter_.bind_axis(*plan_.tile_axis, loop.index());
      write_lanes(lane_range, widths);
    }
    loop.finish();
  }

  /// A row that its reductions have read is in cache: while its results are written, memory has time for
  /// the next one.
  void prefetch_next_row(int width) {
    if (plan_.group.folds.empty() || plan_.parallel.empty()) return;
    if (width != emitter_.options().width || width == 1) return;
    emitter_.prefetch_ahead(plan_.group.folds, plan_.parallel.back(), 1);
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

  static bool is_reversed(const ir::KernelNode& node) {
    return node.attributes.get_or<bool>(AttributeName::Reverse, false);
  }

  CountedLoop open_scan(const ir::KernelNode& node, const AxisRange& range,
                        const std::vector<Register>& accumulators) {
    std::vector<Carried> carried;
    for (const Register& value : accumulators) {
      carried.push_back({"running", type_of(value), value.text});
    }
    const std::string name = emitter_.axis_name(folded_axes(node)[0]);
    if (is_reversed(node)) {
      return CountedLoop::make_reversed(out_, name, range.begin, range.end, std::move(carried));
    }
    return {out_, name, range.begin, range.end, "1", std::move(carried)};
  }

  /// The running fold: the scan's axis is a loop whose stores are written as it goes.
  void write_scan(ir::NodeId id) {
    const ir::KernelNode& node = kernel_.node(id);
    const AxisId axis = folded_axes(node)[0];
    emitter_.hoist(plan_.group.stores);
    emitter_.note_chain(id, kernel_.axes()[axis].extent);
    const LaneWriter lanes = emitter_.lanes(emitter_.width_of(node.domain));
    std::vector<Register> accumulators;
    for (const ir::Literal& identity : fold_identities(node)) {
      accumulators.push_back(lanes.constant(identity));
    }
    AxisRange range = {"0", emitter_.extent(axis)};
    if (plan_.tile_axis && lanes.width() > 1) write_tiled_scan(id, range, accumulators);
    CountedLoop loop = open_scan(node, range, accumulators);
    std::vector<std::string> next;
    {
      const ValueEmitter::Scope scope(emitter_);
      emitter_.bind_axis(axis, loop.index());
      rename(accumulators, loop);
      for (const Register& value : step_scan(id, lanes, accumulators)) next.push_back(value.text);
      for (const ir::NodeId store : plan_.group.stores) emitter_.store(store);
    }
    loop.finish(next);
  }

  /// Whole squares of the scan's axis, in its direction; `range` is what they leave.
  void write_tiled_scan(ir::NodeId id, AxisRange& range, std::vector<Register>& accumulators) {
    const ir::KernelNode& node = kernel_.node(id);
    const LaneWriter lanes = emitter_.lanes(accumulators[0].width);
    const std::string width = std::to_string(lanes.width());
    const std::string squares =
        out_.assign("squares", fmt::format("udiv i64 {}, {}", range.end, width));
    std::vector<Carried> carried;
    for (const Register& value : accumulators) {
      carried.push_back({"running", type_of(value), value.text});
    }
    CountedLoop loop(out_, "square", "0", squares, "1", carried);
    std::string first = out_.assign("first", fmt::format("mul i64 {}, {}", loop.index(), width));
    if (is_reversed(node)) {
      const std::string last = out_.assign("last", fmt::format("add i64 {}, {}", first, width));
      first = out_.assign("first", fmt::format("sub i64 {}, {}", range.end, last));
    }
    rename(accumulators, loop);
    std::vector<Register> running = accumulators;
    TileWriter(emitter_, plan_).write(emitter_.lane_begin(), first, is_reversed(node), [&] {
      running = step_scan(id, lanes, running);
    });
    std::vector<std::string> next;
    for (const Register& value : running) next.push_back(value.text);
    loop.finish(next);
    const std::string done = out_.assign("done", fmt::format("mul i64 {}, {}", squares, width));
    if (is_reversed(node)) {
      range.end = out_.assign("rest", fmt::format("sub i64 {}, {}", range.end, done));
    } else {
      range.begin = done;
    }
  }

  static void rename(std::vector<Register>& accumulators, const CountedLoop& loop) {
    for (std::size_t i = 0; i < accumulators.size(); ++i) accumulators[i].text = loop.carried(i);
  }

  /// One more element: presets the scan's results, returns the accumulators.
  std::vector<Register> step_scan(ir::NodeId id, const LaneWriter& lanes,
                                  const std::vector<Register>& accumulators) {
    const ir::KernelNode& node = kernel_.node(id);
    std::vector<Register> elements;
    for (const ir::Value operand : node.operands) {
      elements.push_back(lanes.widen(emitter_.value(operand)));
    }
    const auto stepped = emit_fold_step(lanes, node, accumulators, elements);
    const bool is_exclusive = node.attributes.get_or<bool>(AttributeName::Exclusive, false);
    const auto results = emit_fold_results(lanes, node, is_exclusive ? accumulators : stepped);
    for (std::uint32_t i = 0; i < results.size(); ++i) emitter_.preset({id, i}, results[i]);
    return stepped;
  }

  ValueEmitter& emitter_;
  FunctionWriter& out_;
  const ir::Kernel& kernel_;
  const NestPlan& plan_;
  AxisRange block_, tile_block_;
};

}  // namespace

IndexExpr item_count(const ir::Kernel& kernel, const NestPlan& plan) {
  IndexExpr count = 1;
  for (const AxisId axis : plan.parallel) {
    const IndexExpr& extent = kernel.axes()[axis].extent;
    const bool is_lane = plan.lane_axis == axis;
    if (plan.tile_axis == axis) {
      count = count * block_count(extent, kTileBlock);
    } else if (!is_lane) {
      count = count * extent;
    } else if (is_in_blocks(kernel, plan)) {
      count = count * block_count(extent, plan.block);
    }
  }
  return count;
}

void write_items(ValueEmitter& emitter, const NestPlan& plan,
                 const std::function<void()>& prepare) {
  NestWriter(emitter, plan).write(prepare);
}

}  // namespace sinter::codegen::llvm
