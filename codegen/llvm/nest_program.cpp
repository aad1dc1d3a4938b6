// One entry a nest; a reduction to few values is split over threads in two.
#include "codegen/llvm/nest_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/expand/expand.h"
#include "codegen/llvm/kept_values.h"
#include "codegen/llvm/loops.h"
#include "codegen/llvm/nest_writer.h"
#include "codegen/llvm/program_writer.h"
#include "codegen/llvm/reducers.h"

namespace sinter::codegen::llvm {

using ir::AxisId;
using ir::IndexExpr;

namespace {

// Enough work for one thread that waking another pays, in innermost iterations.
constexpr std::int64_t kWorthAThread = 32768;
// A reduction to at most so many values is split into so many parts of each. The number of parts is
// fixed, so that results do not depend on the number of threads.
constexpr std::int64_t kFewValues = 64;
constexpr std::int64_t kParts = 64;

std::int64_t grain_of(const ir::Kernel& kernel, const NestPlan& plan) {
  return std::max<std::int64_t>(1,
                                kWorthAThread / std::max<std::int64_t>(1, item_work(kernel, plan)));
}

/// The axis whose parts are folded apart: the first that is not short; none where a split is not
/// allowed or not worth it.
std::optional<AxisId> split_axis(const ir::Kernel& kernel, const NestPlan& plan) {
  if (plan.group.folds.size() != 1) return std::nullopt;
  const ir::KernelNode& fold = kernel.node(plan.group.folds[0]);
  if (fold_identities(fold).size() != 1) return std::nullopt;
  if (!may_reorder(kernel, fold) || fold.domain != plan.group.domain) return std::nullopt;
  std::int64_t values = 1;
  for (const AxisId axis : fold.domain) {
    const auto extent = kernel.axes()[axis].extent.as_constant();
    if (!extent || *extent > kFewValues) return std::nullopt;
    values *= std::max<std::int64_t>(*extent, 1);
  }
  if (values > kFewValues || item_work(kernel, plan) < kWorthAThread / 32) return std::nullopt;
  for (const AxisId axis : folded_axes(fold)) {
    if (kernel.axes()[axis].extent.as_constant().value_or(kParts) >= kParts) return axis;
  }
  return std::nullopt;
}

class NestProgram {
 public:
  NestProgram(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
              const Target& target)
      : kernel_(kernel),
        facts_(facts),
        program_(kernel, config),
        plans_(plan_nests(kernel, facts, config)) {
    options_.has_f16c = has_f16c(target);
    options_.width = static_cast<int>(config.at("width"));
    options_.tail_width = static_cast<int>(config.at("tail_width"));
  }

  Program write() {
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      const std::string part = plans_.size() == 1 ? "" : std::to_string(i);
      const auto axis = split_axis(kernel_, plans_[i]);
      if (axis) {
        write_partials(plans_[i], *axis, part);
        write_combination(plans_[i], part);
      } else {
        write_nest(plans_[i], part);
      }
    }
    return program_.finish();
  }

 private:
  void write_nest(const NestPlan& plan, const std::string& part) {
    FunctionWriter out(program_.symbol(part));
    ValueEmitter emitter(out, kernel_, facts_, options_);
    for (const KeptValue& kept : kept_values(kernel_, plan)) {
      const auto extent = kernel_.axes()[*plan.lane_axis].extent.as_constant();
      emitter.keep(kept.node, kept.producer, *plan.lane_axis, extent.value());
    }
    write_items(emitter, plan);
    program_.add_chains(emitter.chains());
    program_.add_parallel(out, item_count(kernel_, plan), grain_of(kernel_, plan));
  }

  static Argument workspace_argument(const std::string& part) {
    return {ArgumentKind::Workspace, "partials." + part};
  }

  ir::DType partial_dtype(const NestPlan& plan) const {
    return fold_identities(kernel_.node(plan.group.folds[0]))[0].dtype;
  }

  /// First half: item = output · kParts + part folds its part of `axis` and keeps the accumulator.
  void write_partials(const NestPlan& plan, AxisId axis, const std::string& part) {
    FunctionWriter out(program_.symbol(part.empty() ? "partials" : part + "_partials"));
    ValueEmitter emitter(out, kernel_, facts_, options_);
    const ir::DType dtype = partial_dtype(plan);
    CountedLoop items(out, "item", "%begin", "%end", "1");
    {
      const ValueEmitter::Scope scope(emitter);
      const std::string number =
          out.assign("part", fmt::format("urem i64 {}, {}", items.index(), kParts));
      std::string rest =
          out.assign("output", fmt::format("udiv i64 {}, {}", items.index(), kParts));
      for (std::size_t i = plan.group.domain.size(); i-- > 0;) {
        const AxisId outer = plan.group.domain[i];
        const std::string extent = emitter.extent(outer);
        emitter.bind_axis(outer, out.assign(emitter.axis_name(outer),
                                            fmt::format("urem i64 {}, {}", rest, extent)));
        rest = out.assign("rest", fmt::format("udiv i64 {}, {}", rest, extent));
      }
      emitter.restrict_axis(axis, part_range(emitter, axis, number), part_length(axis));
      const Register sum = emitter.accumulate(plan.group.folds[0])[0];
      const std::string place = out.assign(
          "partial.at", fmt::format("getelementptr {}, ptr {}, i64 {}", lane_type(dtype),
                                    out.argument(workspace_argument(part)), items.index()));
      out.line(fmt::format("store {} {}, ptr {}", type_of(sum), sum.text, place));
    }
    items.finish();
    // Each part's sum then goes through at most kParts additions.
    for (const auto& [fold, roundings] : emitter.chains()) {
      program_.add_chain(fold, roundings + kParts);
    }
    const IndexExpr count = output_count(plan) * kParts;
    program_.add_workspace(
        {"partials." + part, count * static_cast<std::int64_t>(size_bytes(dtype))});
    program_.add_parallel(out, count, 8);
  }

  IndexExpr part_length(AxisId axis) const {
    return ir::floor_div(kernel_.axes()[axis].extent + (kParts - 1), kParts);
  }

  /// [number · length, (number + 1) · length) within the axis, length = ceil(extent / kParts).
  AxisRange part_range(ValueEmitter& emitter, AxisId axis, const std::string& number) {
    FunctionWriter& out = emitter.out();
    const std::string length = emitter.scalar_index(part_length(axis));
    const std::string whole = emitter.extent(axis);
    const LaneWriter scalar = emitter.lanes(1);
    const auto bounded = [&](const std::string& text) {
      return scalar.call("llvm.smin", {{text, ir::DType::I64, 1}, {whole, ir::DType::I64, 1}}).text;
    };
    const std::string first = out.assign("first", fmt::format("mul i64 {}, {}", number, length));
    const std::string last = out.assign("last", fmt::format("add i64 {}, {}", first, length));
    return {bounded(first), bounded(last)};
  }

  /// Second half: combines an output's parts in ascending order and goes on from there.
  void write_combination(NestPlan plan, const std::string& part) {
    const ir::NodeId fold = plan.group.folds[0];
    plan.lane_axis.reset();
    plan.column_fold.reset();
    FunctionWriter out(program_.symbol(part));
    ValueEmitter emitter(out, kernel_, facts_, options_);
    const ir::KernelNode& node = kernel_.node(fold);
    const auto combine_parts = [&] {
      IndexExpr output = 0;
      for (const AxisId axis : plan.group.domain) {
        output = output * kernel_.axes()[axis].extent + IndexExpr::axis(axis);
      }
      const std::string first = emitter.scalar_index(output * kParts);
      const LaneWriter scalar = emitter.lanes(1);
      const Register identity = scalar.constant(fold_identities(node)[0]);
      CountedLoop loop(out, "part", "0", std::to_string(kParts), "1",
                       {{"sum", type_of(identity), identity.text}});
      const std::string place =
          out.assign("number", fmt::format("add i64 {}, {}", first, loop.index()));
      const std::string address = out.assign(
          "partial.at", fmt::format("getelementptr {}, ptr {}, i64 {}", type_of(identity),
                                    out.argument(workspace_argument(part)), place));
      const Register partial = scalar.assign(
          "partial", fmt::format("load {}, ptr {}", type_of(identity), address), identity.dtype);
      const Register sum = {loop.carried(0), identity.dtype, 1};
      loop.finish({emit_combine(scalar, node, {sum}, {partial})[0].text});
      emitter.preset({fold, 0}, emit_fold_results(scalar, node, {sum})[0]);
    };
    write_items(emitter, plan, combine_parts);
    program_.add_parallel(out, item_count(kernel_, plan), kFewValues);
  }

  IndexExpr output_count(const NestPlan& plan) const {
    IndexExpr count = 1;
    for (const AxisId axis : plan.group.domain) count = count * kernel_.axes()[axis].extent;
    return count;
  }

  const ir::Kernel& kernel_;
  const ir::Facts& facts_;
  ProgramWriter program_;
  std::vector<NestPlan> plans_;
  EmitterOptions options_;
};

}  // namespace

std::vector<ir::Facts> layout_classes(const ir::Kernel& kernel) {
  ir::Facts dense, unit;
  for (const ir::KernelParam& param : kernel.params()) {
    if (param.shape.empty()) continue;
    dense.add(ir::Fact::contiguous(param.name));
    unit.add(ir::Fact::stride(param.name, static_cast<std::int64_t>(param.shape.size()) - 1, 1));
  }
  if (dense.list().empty()) return {ir::Facts()};
  return {dense, unit, ir::Facts()};
}

Config make_nest_config(const std::string& schedule, const ir::Kernel& kernel,
                        const ir::Facts& facts, const Target& target) {
  const int native = native_lanes(kernel, target);
  Config config;
  config.schedule = schedule;
  config.values = {{"width", 2 * native}, {"tail_width", 1}, {"block", 2048}};
  for (const NestPlan& plan : plan_nests(kernel, facts, config)) {
    if (plan.tile_axis) {
      // Squares that fit into the registers, in blocks that a second-level cache holds.
      config.values = {
          {"width", native}, {"tail_width", 1}, {"block", plan.scan ? 2 * native : 128}};
      break;
    }
    if (plan.has_gathers) {
      // Lines of memory that one item touches far apart are used up by the items after it.
      config.values = {{"width", native}, {"tail_width", 1}, {"block", 2 * native}};
      break;
    }
    if (plan.group.folds.empty()) continue;
    const bool is_column = plan.lane_axis && std::ranges::count(plan.parallel, *plan.lane_axis) > 0;
    // Independent accumulators hide the latency of additions; down columns they also make the
    // pieces of rows longer that are read at once.
    const int width = (is_column ? 8 : 4) * native;
    const int block = (plan.column_fold ? 128 : 16) * native;
    config.values = {{"width", width}, {"tail_width", native}, {"block", block}};
  }
  return config;
}

std::vector<NestPlan> plan_nests(const ir::Kernel& kernel, const ir::Facts& facts,
                                 const Config& config) {
  std::vector<NestPlan> plans;
  for (const StoreGroup& group : store_groups(kernel)) {
    plans.push_back(plan_nest(kernel, facts, group, config.at("block")));
  }
  return plans;
}

std::vector<Candidate> nest_candidates(const std::string& schedule, const ir::Kernel& kernel,
                                       const ir::Facts& facts, const Target& target,
                                       const Sizes& sizes) {
  const Config config = make_nest_config(schedule, kernel, facts, target);
  return {
      {config, predict_nests_us(kernel, facts, plan_nests(kernel, facts, config), target, sizes)}};
}

Program emit_nests(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
                   const Target& target) {
  const ir::Kernel expanded = expand_elementary(kernel);
  return NestProgram(expanded, facts, config, target).write();
}

bool has_f16c(const Target& target) { return target.features.find("+f16c") != std::string::npos; }

}  // namespace sinter::codegen::llvm
