// Emission of split_reduce: this block's part, the block's sums, the last block's sums, results.
#include <algorithm>
#include <map>
#include <set>

#include "codegen/cuda/fold_text.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/native_functions.h"
#include "codegen/cuda/schedule/split_reduce.h"
#include "codegen/cuda/types.h"
#include "codegen/kernel_queries.h"
#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AxisId;
using ir::DType;
using ir::IndexExpr;
using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;
using Scope = support::TextWriter::Scope;

constexpr std::string_view kSplitWords[] = {"begin",   "block",  "column",  "counters", "e",
                                            "element", "end",    "first",   "flat",     "index",
                                            "lane",    "length", "results", "row",      "share",
                                            "split",   "step",   "vectors", "was_last", "warp"};
constexpr std::int64_t kStepsUnrolled = 4;

class SplitReduceText {
 public:
  SplitReduceText(const Kernel& kernel, const ir::Facts& facts, const Config& config,
                  SplitReduce split)
      : kernel_(kernel),
        split_(std::move(split)),
        splits_(config.at("splits")),
        threads_(config.at("threads")),
        vectors_{config.at("vector"), std::nullopt},
        text_(kernel, facts, false, kSplitWords),
        out_(text_.body()) {
    support::check((config.at("columns") != 0) == split_.is_columns,
                   "split_reduce: the config is for the other kind");
    for (const NodeId id : split_.folds) folds_.emplace_back(text_, id);
    if (splits_ == 1) return;
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      for (const ScalarText& accumulator : folds_[f].accumulators()) {
        const std::string name = fmt::format("parts_{}", parts_.size());
        add_workspace(
            name, text_.type(accumulator.dtype),
            results() * splits_ * static_cast<std::int64_t>(size_bytes(accumulator.dtype)), false);
        parts_.push_back(name);
      }
    }
    add_workspace("counters", text_.pieces().use("u32"), blocks() * 4, true);
  }

  Program make_program() {
    emit_scalars();
    split_.is_columns ? emit_columns() : emit_row();
    emit_results();
    LaunchRecipe launch;
    launch.grid[0] = blocks();
    launch.grid[1] = splits_;
    launch.block[0] = threads_;
    Program program = text_.make_program(comment(), std::to_string(threads_), launch);
    program.workspaces = workspaces_;
    for (const NodeId id : split_.folds) program.accumulations.push_back(make_accumulation(id));
    return program;
  }

 private:
  std::int64_t vector() const { return vectors_.length; }
  std::int64_t warps() const { return threads_ / 32; }
  /// Results of one block.
  std::int64_t width() const { return split_.is_columns ? 32 * vector() : 1; }
  IndexExpr results() const { return extent_of(kernel_, split_.kept); }
  IndexExpr length() const { return extent_of(kernel_, split_.reduced); }
  IndexExpr blocks() const { return ir::floor_div(results() + (width() - 1), width()); }

  std::string comment() const {
    return fmt::format("// {}, schedule split_reduce: {} blocks a {}, {} elements at a time.",
                       text_.symbol(), splits_,
                       split_.is_columns ? fmt::format("{} columns", width()) : "row", vector());
  }

  void add_workspace(const std::string& name, const std::string& type, const IndexExpr& bytes,
                     bool is_zeroed) {
    workspaces_.push_back({name, bytes, is_zeroed});
    text_.add_parameter({.kind = ArgumentKind::Workspace, .param = name}, type + "* " + name);
  }

  /// What is the same for all elements.
  void emit_scalars() {
    for (const NodeId id : split_.before) {
      if (kernel_.node(id).domain.empty()) text_.emit_node(id, {});
    }
    out_.line("const idx results = {};", text_.index().emit(results()));
    out_.line("const idx length = {};", text_.index().emit(length()));
    out_.line("const int split = blockIdx.y;");
  }

  // Loads in vectors.

  bool is_packed(NodeId id) const {
    return is_vector_access(kernel_, id, split_.line, vectors_) && kernel_.node(id).op == Op::Load;
  }

  DType memory_dtype(NodeId id) const { return tensor_of(kernel_, kernel_.node(id)).dtype; }

  /// The nodes ahead of the folds for one element, and the folds' steps.
  void emit_element(const std::string& e) {
    for (const NodeId id : split_.before) {
      const KernelNode& node = kernel_.node(id);
      if (node.domain.empty()) continue;
      if (!is_packed(id)) {
        text_.emit_node(id, {});
        continue;
      }
      const DType dtype = node.results.front();
      out_.line("const {} {} = {}.e[{}]{};", text_.type(dtype), text_.name_value({id, 0}),
                pack_names_.at(id), e, dtype == DType::Bool ? " != 0" : "");
    }
    for (FoldText& fold : folds_) fold.emit_step();
  }

  template <typename Body>
  void emit_vector_loop(const Body& body) {
    out_.line("#pragma unroll");
    out_.line("for (int e = 0; e < {}; ++e) {{", vector());
    {
      const Scope scope(out_);
      body();
    }
    out_.line("}}");
  }

  /// const idx begin, end: this block's part of `count` steps.
  void emit_part(const std::string& count) {
    out_.line("const idx share = ({} + {}) / {};", count, splits_ - 1, splits_);
    out_.line("const idx begin = split * share;");
    out_.line("const idx end = begin + share < {0} ? begin + share : {0};", count);
  }

  // Columns.

  std::vector<AxisId> rows_of_columns() const {
    std::vector<AxisId> rows;
    for (const AxisId axis : split_.kept) {
      if (!has_axis(split_.line, axis)) rows.push_back(axis);
    }
    return rows;
  }

  void emit_columns() {
    const std::string vectors =
        text_.index().emit_operand(ir::floor_div(extent_of(kernel_, split_.line), vector()));
    out_.line("const idx vectors = {};", vectors);
    out_.line("const int lane = threadIdx.x % 32;");
    out_.line("const int warp = threadIdx.x / 32;");
    out_.line("const idx index = (idx)blockIdx.x * 32 + lane;");
    emit_part("length");
    for (FoldText& fold : folds_) fold.emit_accumulator_arrays(vector());
    out_.line("if (index * {} < results) {{", vector());
    {
      const Scope scope(out_);
      out_.line("const idx row = index / vectors;");
      out_.line("const idx first = (index - row * vectors) * {};", vector());
      if (const auto rows = rows_of_columns(); !rows.empty()) text_.emit_axes("row", rows);
      out_.line("#pragma unroll {}", kStepsUnrolled);
      out_.line("for (idx step = begin + warp; step < end; step += {}) {{", warps());
      {
        const Scope inner(out_);
        text_.emit_axes("step", split_.reduced);
        if (vector() == 1) {
          text_.emit_axes("first", split_.line);
          for (FoldText& fold : folds_) fold.emit_references("0");
          emit_element("0");
        } else {
          emit_packs_at_first();
          emit_vector_loop([&] {
            out_.line("const idx element = first + e;");
            text_.emit_axes("element", split_.line);
            for (FoldText& fold : folds_) fold.emit_references("e");
            emit_element("e");
          });
        }
      }
      out_.line("}}");
    }
    out_.line("}}");
    emit_columns_of_block();
  }

  /// Loads the vectors that begin at `first`.
  void emit_packs_at_first() {
    for (const NodeId id : split_.loads) {
      if (!is_packed(id)) continue;
      pack_names_[id] = text_.make_name("pack_" + std::to_string(id));
      const std::string type = text_.vector_type(memory_dtype(id), vector());
      out_.line("{} {};", type, pack_names_[id]);
      out_.line("{{");
      {
        const Scope scope(out_);
        text_.emit_axes("first", split_.line);
        out_.line("{} = *(const {}*)({});", pack_names_[id], type, text_.pointer(id));
      }
      out_.line("}}");
    }
  }

  /// Thread t adds up what the warps have of the block's column t.
  void emit_columns_of_block() {
    std::vector<std::string> shared;
    out_.blank();
    for (FoldText& fold : folds_) {
      for (const ScalarText& accumulator : fold.accumulators()) {
        shared.push_back(text_.make_name("of_warps"));
        out_.line("__shared__ {} {}[{}][{}];", text_.type(accumulator.dtype), shared.back(),
                  warps(), width());
      }
    }
    std::size_t place = 0;
    emit_vector_loop([&] {
      place = 0;
      for (FoldText& fold : folds_) {
        fold.emit_references("e");
        for (const ScalarText& accumulator : fold.accumulators()) {
          out_.line("{}[warp][lane * {} + e] = {};", shared[place++], vector(), accumulator.text);
        }
      }
    });
    out_.line("__syncthreads();");
    out_.line("const int column = threadIdx.x < {0} ? threadIdx.x : {0} - 1;", width());
    place = 0;
    for (FoldText& fold : folds_) {
      fold.emit_accumulators();
      out_.line("for (int warp = 0; warp < {}; ++warp) {{", warps());
      {
        const Scope scope(out_);
        std::vector<std::string> others;
        for (std::size_t i = 0; i < fold.accumulators().size(); ++i) {
          others.push_back(shared[place++] + "[warp][column]");
        }
        fold.emit_merge(others);
      }
      out_.line("}}");
    }
    out_.line("const idx flat = (idx)blockIdx.x * {} + column;", width());
  }

  // One row.

  void emit_row() {
    const std::string vectors = text_.index().emit_operand(ir::floor_div(length(), vector()));
    out_.line("const idx vectors = {};", vectors);
    out_.line("const int lane = threadIdx.x;");
    out_.line("const idx flat = blockIdx.x;");
    if (!split_.kept.empty()) text_.emit_axes("flat", split_.kept);
    emit_part("vectors");
    for (FoldText& fold : folds_) fold.emit_accumulators();
    out_.line("#pragma unroll {}", kStepsUnrolled);
    out_.line("for (idx step = begin + lane; step < end; step += {}) {{", threads_);
    {
      const Scope scope(out_);
      if (vector() == 1) {
        text_.emit_axes("step", split_.line);
        emit_element("0");
      } else {
        out_.line("const idx first = step * {};", vector());
        emit_packs_at_first();
        emit_vector_loop([&] {
          out_.line("const idx element = first + e;");
          text_.emit_axes("element", split_.line);
          emit_element("e");
        });
      }
    }
    out_.line("}}");
    for (FoldText& fold : folds_) fold.emit_all_team(threads_);
  }

  // What the last block does.

  /// Leaves the parts, returns unless this block is the last for its results, and adds them up.
  void emit_last_block() {
    std::size_t place = 0;
    const std::string owner = split_.is_columns
                                  ? fmt::format("threadIdx.x < {} && flat < results", width())
                                  : std::string("threadIdx.x == 0");
    out_.blank();
    out_.line("if ({}) {{", owner);
    {
      const Scope scope(out_);
      for (FoldText& fold : folds_) {
        for (const ScalarText& accumulator : fold.accumulators()) {
          out_.line("parts_{}[split * results + flat] = {};", place++, accumulator.text);
        }
      }
      out_.line("__threadfence();");
    }
    out_.line("}}");
    out_.line("__syncthreads();");
    out_.line("__shared__ bool was_last;");
    out_.line("if (threadIdx.x == 0) was_last = atomicAdd(&counters[blockIdx.x], 1u) == {};",
              splits_ - 1);
    out_.line("__syncthreads();");
    out_.line("if (!was_last) return;");
    out_.line("__threadfence();");
    split_.is_columns ? emit_sums_of_columns() : emit_sums_of_row();
  }

  std::vector<std::string> parts_at(const FoldText& fold, std::size_t& place,
                                    const std::string& block) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < fold.accumulators().size(); ++i) {
      parts.push_back(fmt::format("parts_{}[{} * results + flat]", place++, block));
    }
    return parts;
  }

  void emit_sums_of_columns() {
    std::size_t place = 0;
    out_.line("if (flat >= results) return;");
    for (FoldText& fold : folds_) {
      fold.emit_reset();
      out_.line("for (idx block = 0; block < {}; ++block) {{", splits_);
      {
        const Scope scope(out_);
        fold.emit_merge(parts_at(fold, place, "block"));
      }
      out_.line("}}");
    }
  }

  void emit_sums_of_row() {
    std::size_t place = 0;
    for (FoldText& fold : folds_) {
      fold.emit_reset();
      out_.line("for (idx block = threadIdx.x; block < {}; block += {}) {{", splits_, threads_);
      {
        const Scope scope(out_);
        fold.emit_merge(parts_at(fold, place, "block"));
      }
      out_.line("}}");
      fold.emit_all_team(threads_);
    }
  }

  void emit_results() {
    if (splits_ > 1) emit_last_block();
    if (split_.is_columns) {
      out_.line("if (threadIdx.x >= {} || flat >= results) return;", width());
      text_.emit_axes("flat", split_.kept);
    } else {
      out_.line("if (threadIdx.x != 0) return;");
    }
    for (FoldText& fold : folds_) fold.emit_results();
    for (const NodeId id : split_.behind) text_.emit_node(id, split_.kept);
  }

  /// A thread's own steps, the threads of the block, then the blocks.
  Accumulation make_accumulation(NodeId id) const {
    const DType dtype = ir::compute_dtype(kernel_.node(id).results.front());
    const std::int64_t steps = splits_ * (split_.is_columns ? warps() : threads_ * vector());
    const IndexExpr own = ir::floor_div(length() + (steps - 1), steps) + 1;
    const std::int64_t tree = FoldText::tree_depth(threads_, 1);
    if (split_.is_columns) return {own + warps() + splits_, dtype};
    return {own * vector() + tree + (splits_ / threads_ + 1) + tree, dtype};
  }

  const Kernel& kernel_;
  const SplitReduce split_;
  const std::int64_t splits_;
  const std::int64_t threads_;
  const LineVectors vectors_;
  KernelText text_;
  support::TextWriter& out_;
  std::vector<FoldText> folds_;
  std::vector<Workspace> workspaces_;
  std::vector<std::string> parts_;
  std::map<NodeId, std::string> pack_names_;
};

}  // namespace

Program emit_split_reduce(const Kernel& kernel, const ir::Facts& facts, const Config& config,
                          const Target&) {
  const Kernel expanded = expand_for_gpu(kernel);
  std::string why_not;
  auto split = match_split_reduce(expanded, why_not);
  support::check(split.has_value(), "split_reduce: {}", why_not);
  return SplitReduceText(expanded, facts, config, std::move(*split)).make_program();
}

}  // namespace sinter::codegen::cuda
