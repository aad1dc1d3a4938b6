// Emission of the generic schedule: place in the grid, nodes before the loops, the loops, nodes
// behind them.
#include "codegen/cuda/fold_text.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/linear_launch.h"
#include "codegen/cuda/loop_nest.h"
#include "codegen/cuda/native_functions.h"
#include "codegen/cuda/schedule/generic.h"
#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AxisId;
using ir::IndexExpr;
using ir::Kernel;
using ir::NodeId;

/// A loop body of at most so many nodes is unrolled by kUnroll; longer ones gain nothing and take
/// long to compile (trap C07).
constexpr std::size_t kUnrolledNodes = 24;
constexpr int kUnroll = 4;

class GenericText {
 public:
  GenericText(const Kernel& kernel, const ir::Facts& facts, const Config& config)
      : kernel_(kernel),
        nest_(make_loop_nest(kernel)),
        text_(kernel, facts, nest_.is_scan),
        out_(text_.body()),
        team_(config.at("team")),
        threads_(config.at("threads")),
        is_narrow_(is_narrow_index(kernel, facts)) {
    support::check(threads_ % 32 == 0 && (team_ == 1 || team_ == 32 || team_ == threads_),
                   "generic: a team of {} threads in a block of {}", team_, threads_);
    if (nest_.fold) fold_.emplace(text_, *nest_.fold);
  }

  Program make_program() {
    emit_place();
    emit_segment(Segment::Before, 0, "Ahead of the loops.");
    if (fold_) emit_fold();
    emit_segment(Segment::After, 0, fold_ ? "Behind the loops." : "The element.");

    Program program = text_.make_program(comment(), std::to_string(threads_), make_launch());
    if (nest_.fold) program.accumulations.push_back(make_accumulation());
    return program;
  }

 private:
  std::string comment() const {
    const std::string each = team_ == 1 ? "one thread" : team_ == 32 ? "one warp" : "one block";
    return "// " + text_.symbol() + ", schedule generic: " + each + " an element of " +
           axis_list(nest_.parallel) + ".";
  }

  std::string axis_list(const std::vector<AxisId>& axes) const {
    std::string list;
    for (const AxisId axis : axes) list += (list.empty() ? "" : ", ") + text_.axis(axis);
    return "(" + list + ")";
  }

  /// Where this thread stands: its element's index, and that index's axes.
  void emit_place() {
    const std::string block =
        is_narrow_ ? "(idx)blockIdx.x" : "(idx)blockIdx.y * gridDim.x + blockIdx.x";
    const std::string thread = "(idx)threadIdx.x";
    if (team_ == 1) {
      const std::string first = is_narrow_ ? block : "(" + block + ")";
      out_.line("const idx index = {} * {} + {};", first, threads_, thread);
    } else if (team_ == threads_) {
      out_.line("const idx index = {};", block);
      out_.line("const int lane = threadIdx.x;");
    } else {
      const std::string first = is_narrow_ ? block : "(" + block + ")";
      out_.line("const idx index = {} * {} + {} / 32;", first, threads_ / 32, thread);
      out_.line("const int lane = threadIdx.x % 32;");
    }
    out_.line("const idx total = {};", text_.index().emit(extent_of(kernel_, nest_.parallel)));
    out_.line("if (index >= total) return;");
    text_.emit_axes("index", nest_.parallel);
  }

  bool has_statements(Segment segment, std::size_t depth) const {
    for (NodeId id = 0; id < kernel_.nodes().size(); ++id) {
      const bool is_here = nest_.segments[id] == segment && nest_.depths[id] == depth;
      if (is_here && kernel_.node(id).op != ir::Op::Constant) return true;
    }
    return false;
  }

  void emit_segment(Segment segment, std::size_t depth, const std::string& title) {
    if (!title.empty() && has_statements(segment, depth)) {
      out_.blank();
      out_.line("// {}", title);
    }
    std::vector<AxisId> surrounding = nest_.parallel;
    surrounding.insert(surrounding.end(), nest_.loops.begin(),
                       nest_.loops.begin() + static_cast<long>(depth));
    for (NodeId id = 0; id < kernel_.nodes().size(); ++id) {
      if (nest_.segments[id] != segment || nest_.depths[id] != depth) continue;
      if (nest_.fold == id) {
        fold_->emit_step();
      } else {
        text_.emit_node(id, surrounding);
      }
    }
  }

  void emit_fold() {
    const std::string_view name = ir::to_string(kernel_.node(*nest_.fold).op);
    out_.blank();
    out_.line("// {} over {}{}", name, axis_list(nest_.loops),
              team_ == 1 ? ", in ascending order." : ", shared out among the lanes.");
    fold_->emit_accumulators();
    if (team_ == 1) {
      emit_loop(0);
    } else {
      emit_shared_loop();
      fold_->emit_team(team_);
    }
    if (!nest_.is_scan) fold_->emit_results();
  }

  void emit_unroll() {
    std::size_t nodes = 0;
    for (const Segment segment : nest_.segments) nodes += segment == Segment::Loop ? 1 : 0;
    out_.line("#pragma unroll {}", nodes <= kUnrolledNodes ? kUnroll : 1);
  }

  bool is_reversed() const {
    const auto& attributes = kernel_.node(*nest_.fold).attributes;
    return attributes.get_or<bool>(ir::AttributeName::Reverse, false);
  }

  void emit_loop(std::size_t loop) {
    const std::string& axis = text_.axis(nest_.loops[loop]);
    const std::string extent = text_.extent(nest_.loops[loop]);
    const bool is_innermost = loop + 1 == nest_.loops.size();
    if (is_innermost) emit_unroll();
    if (nest_.is_scan && is_reversed()) {
      out_.line("for (idx {} = {} - 1; {} >= 0; --{}) {{", axis, extent, axis, axis);
    } else {
      out_.line("for (idx {} = 0; {} < {}; ++{}) {{", axis, axis, extent, axis);
    }
    {
      const support::TextWriter::Scope scope(out_);
      emit_segment(Segment::Loop, loop + 1, "");
      if (!is_innermost) emit_loop(loop + 1);
    }
    out_.line("}}");
  }

  /// One flat loop: lane l takes the steps l, l + team, ...
  void emit_shared_loop() {
    const std::string steps = text_.index().emit_operand(extent_of(kernel_, nest_.loops));
    emit_unroll();
    out_.line("for (idx step = lane; step < {}; step += {}) {{", steps, team_);
    {
      const support::TextWriter::Scope scope(out_);
      text_.emit_axes("step", nest_.loops);
      for (std::size_t depth = 1; depth <= nest_.loops.size(); ++depth) {
        emit_segment(Segment::Loop, depth, "");
      }
    }
    out_.line("}}");
  }

  /// One thread: a rounding a step (the first step of a sum is exact, but a product rounds). Teams: the
  /// steps of a lane, five levels of a warp, then the other warps one by one; see FoldText::emit_team.
  Accumulation make_accumulation() const {
    const ir::DType dtype = ir::compute_dtype(kernel_.node(*nest_.fold).results.front());
    const IndexExpr steps = extent_of(kernel_, nest_.loops);
    if (team_ == 1) return {steps, dtype};
    return {ir::floor_div(steps + (team_ - 1), team_) + 5 + (team_ / 32 - 1), dtype};
  }

  LaunchRecipe make_launch() const {
    const std::int64_t elements = threads_ / team_;
    const IndexExpr blocks =
        ir::floor_div(extent_of(kernel_, nest_.parallel) + (elements - 1), elements);
    return make_linear_launch(blocks, threads_, is_narrow_);
  }

  const Kernel& kernel_;
  const LoopNest nest_;
  KernelText text_;
  support::TextWriter& out_;
  const std::int64_t team_;
  const std::int64_t threads_;
  const bool is_narrow_;
  std::optional<FoldText> fold_;
};

}  // namespace

Program emit_generic(const Kernel& kernel, const ir::Facts& facts, const Config& config,
                     const Target&) {
  const Kernel expanded = expand_for_gpu(kernel);
  return GenericText(expanded, facts, config).make_program();
}

}  // namespace sinter::codegen::cuda
