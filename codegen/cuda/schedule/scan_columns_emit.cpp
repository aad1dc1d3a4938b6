// Scans down columns: a thread has a vector of neighbouring ones. It walks down alone, or the threads of a block
// share out the steps as they share out a row, or all blocks share out parts of few columns.
#include "codegen/cuda/linear_launch.h"
#include "codegen/cuda/schedule/scan_body.h"
#include "codegen/cuda/schedule/scan_chain.h"
#include "codegen/cuda/schedule/scan_emit.h"
#include "codegen/kernel_queries.h"
#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::IndexExpr;
using ir::Kernel;
using Scope = support::TextWriter::Scope;

class ScanColumnsText {
 public:
  ScanColumnsText(const Kernel& kernel, const ir::Facts& facts, const ScanConfig& config,
                  const ScanKernel& scan)
      : body_(kernel, facts, config, scan, config.team == config.threads),
        config_(config),
        text_(body_.text()),
        out_(body_.out()),
        tree_(body_.tree()) {
    support::check(is_alone() || (config.team <= 32 && width() <= config.threads),
                   "scan: {} columns in a block of {}", width(), config.threads);
  }

  Program make_program() {
    if (config_.blocks > 0) chain_.emplace(body_, strips(), parts(), width());
    emit_sizes();
    if (chain_) {
      emit_parts();
    } else {
      emit_place(body_.is_narrow() ? "(idx)blockIdx.x"
                                   : "((idx)blockIdx.y * gridDim.x + blockIdx.x)");
      is_alone() ? emit_walk() : emit_shared_walk();
    }
    Program program = text_.make_program(comment(), std::to_string(config_.threads), make_launch());
    if (chain_) program.workspaces.push_back(chain_->workspace());
    program.accumulations.push_back({longest_chain(), body_.fold().accumulators().front().dtype});
    return program;
  }

 private:
  bool is_alone() const { return config_.team == config_.threads; }
  std::int64_t run() const { return config_.run; }
  /// Columns of a block.
  std::int64_t width() const { return config_.team * run(); }
  std::int64_t warps() const { return config_.threads / 32; }
  /// Steps that a block has at a time.
  std::int64_t chunk() const { return config_.threads / config_.team * config_.items; }
  IndexExpr length() const { return extent_of(body_.kernel(), {body_.scan().axis}); }
  IndexExpr vectors() const {
    return ir::floor_div(extent_of(body_.kernel(), body_.scan().line), run());
  }
  IndexExpr total() const { return vectors() * extent_of(body_.kernel(), body_.scan().outer()); }
  /// Blocks side by side.
  IndexExpr strips() const { return ir::floor_div(total() + (config_.team - 1), config_.team); }
  /// Of the steps of columns that are shared out among blocks.
  IndexExpr parts() const { return ir::floor_div(length() + (chunk() - 1), chunk()); }

  std::string comment() const {
    return fmt::format("// {}, schedule scan: {} threads have {} columns each, {} steps at a time.",
                       text_.symbol(), config_.team, run(), chunk());
  }

  void emit_sizes() {
    out_.line("const idx length = {};", text_.index().emit(length()));
    out_.line("const idx vectors = {};", text_.index().emit(vectors()));
    out_.line("const idx total = {};", text_.index().emit(total()));
    if (is_alone()) return;
    out_.line("const int lane = threadIdx.x % {};", config_.team);
    out_.line("const int warp = threadIdx.x / 32;");
    out_.line("const int steps_ahead = threadIdx.x / {} * {};", config_.team, config_.items);
    out_.line("const int column = threadIdx.x < {0} ? threadIdx.x : {0} - 1;", width());
  }

  /// `first`: this thread's first column of the line, in the strip of columns of this number.
  void emit_place(const std::string& strip) {
    if (is_alone()) {
      out_.line("const idx index = {} * {} + (idx)threadIdx.x;", strip, config_.threads);
      out_.line("if (index >= total) return;");
    } else {
      // All threads take part in shuffles and barriers.
      out_.line("const idx index_wanted = {} * {} + lane;", strip, config_.team);
      out_.line("const bool is_inside = index_wanted < total;");
      out_.line("const idx index = is_inside ? index_wanted : total - 1;");
    }
    out_.line("const idx row = index / vectors;");
    out_.line("const idx first = (index - row * vectors) * {};", run());
    if (const auto outer = body_.scan().outer(); !outer.empty()) text_.emit_axes("row", outer);
    body_.emit_fixed();
  }

  /// A loop over this thread's steps of those that begin where `left` are left.
  template <typename Body>
  void emit_steps(const std::string& left, const Body& body) {
    body_.emit_items([&] {
      out_.line("const int offset = {}item;", is_alone() ? "" : "steps_ahead + ");
      out_.line("if (offset < {}) {{", left);
      {
        const Scope scope(out_);
        const std::string place = body_.scan().is_reverse
                                      ? fmt::format("{} - 1 - offset", left)
                                      : fmt::format("length - {} + offset", left);
        out_.line("const idx {} = {};", text_.axis(body_.scan().axis), place);
        body_.forget_bases();
        body();
      }
      out_.line("}}");
    });
  }

  void emit_loads(const std::string& left) {
    if (!body_.has_loads()) return;
    emit_steps(left, [&] {
      body_.emit_bases(true, false);
      body_.emit_loads();
    });
  }

  template <typename Body>
  void emit_loop(const Body& body) {
    body_.declare_loads();
    emit_loads("length");
    out_.line("for (idx left = length; left > 0; left -= {}) {{", chunk());
    {
      const Scope scope(out_);
      if (body_.has_loads()) {
        out_.line("const idx left_ahead = left - {};", chunk());
        body_.emit_ahead([&] { emit_loads("left_ahead"); });
      }
      body();
      body_.emit_advance();
    }
    out_.line("}}");
  }

  void emit_walk() {
    body_.fold().emit_accumulator_arrays(run());
    emit_loop([&] { emit_second_pass(); });
  }

  void emit_second_pass() {
    out_.blank();
    out_.line("// Each element on top of all that is ahead of it.");
    emit_steps("left", [&] {
      body_.emit_bases(false, true);
      body_.declare_stores();
      body_.emit_elements([&] {
        body_.fold().emit_references("e");
        body_.emit_second("e", !is_alone());
      });
      body_.emit_stores(!is_alone());
    });
  }

  void emit_shared_walk() {
    const FoldNames carry = tree_.declare("carry");
    out_.line("int turn = 0;");
    emit_loop([&] {
      const FoldNames shared = emit_first_pass("[turn]");
      emit_warps_on_top(shared, carry);
      emit_second_pass();
      out_.line("turn ^= 1;");
    });
  }

  void emit_parts() {
    chain_->emit_parts([&] {
      emit_place("(idx)sequence");
      out_.line("const idx left = length - (idx)part * {};", chunk());
      body_.declare_loads();
      emit_loads("left");
      const FoldNames shared = emit_first_pass("");
      const FoldNames own = tree_.declare("own_part");
      out_.line("if (threadIdx.x < {}) {{", width());
      {
        const Scope scope(out_);
        emit_warp_loop([&] { tree_.emit_sum(own, at(shared, "other", "column")); });
      }
      out_.line("}}");
      emit_warps_on_top(shared, chain_->emit_carry(own));
      emit_second_pass();
    });
  }

  /// The accumulators become what is ahead of this thread's steps in its warp. Returns arrays in shared memory of
  /// what the warps have, by warp and column; `turn` chooses one of two.
  FoldNames emit_first_pass(const std::string& turn) {
    out_.blank();
    out_.line("// Each thread's steps by themselves, then those of the threads ahead.");
    body_.fold().emit_accumulator_arrays(run());
    body_.declare_kept();
    emit_steps("left", [&] {
      body_.emit_elements([&] {
        body_.fold().emit_references("e");
        body_.emit_first("e");
      });
    });
    const FoldNames whole =
        tree_.emit_lanes(body_.fold().arrays(), run(), config_.team, 32, "e", {});
    FoldNames shared;
    for (const ScalarText& accumulator : body_.fold().accumulators()) {
      const std::string name = text_.make_name(fmt::format("of_warps_{}", shared.size()));
      out_.line("__shared__ {} {}{}[{}][{}];", text_.type(accumulator.dtype), name,
                turn.empty() ? "" : "[2]", warps(), width());
      shared.push_back(name + turn);
    }
    emit_columns([&] {
      tree_.assign(at(shared, "warp", own_column()), ScanTree::at(whole, "e"),
                   fmt::format("if (threadIdx.x % 32 < {}) ", config_.team));
    });
    out_.line("__syncthreads();");
    return shared;
  }

  /// One thread a column puts the carry ahead of its first warp, that of both ahead of the second, ...; then the
  /// accumulators become all that is ahead. The carry takes in what the warps have.
  void emit_warps_on_top(const FoldNames& shared, const FoldNames& carry) {
    out_.line("if (threadIdx.x < {}) {{", width());
    {
      const Scope scope(out_);
      emit_warp_loop([&] {
        const FoldNames own = tree_.declare("own", at(shared, "other", "column"));
        tree_.assign(at(shared, "other", "column"), carry);
        tree_.emit_sum(carry, own);
      });
    }
    out_.line("}}");
    out_.line("__syncthreads();");
    const FoldNames arrays = body_.fold().arrays();
    const FoldNames of_warp = at(shared, "warp", own_column());
    emit_columns([&] {
      const FoldNames sum = tree_.declare_sum("sum", of_warp, ScanTree::at(arrays, "e"));
      for (std::size_t i = 0; i < sum.size(); ++i) {
        out_.line("{}[e] = threadIdx.x % 32 < {} ? {} : {};", arrays[i], config_.team, of_warp[i],
                  sum[i]);
      }
    });
  }

  std::string own_column() const { return fmt::format("lane * {} + e", run()); }

  static FoldNames at(const FoldNames& shared, const std::string& warp, const std::string& column) {
    return ScanTree::at(ScanTree::at(shared, warp), column);
  }

  template <typename Body>
  void emit_warp_loop(const Body& body) {
    out_.line("#pragma unroll");
    out_.line("for (int other = 0; other < {}; ++other) {{", warps());
    {
      const Scope scope(out_);
      body();
    }
    out_.line("}}");
  }

  template <typename Body>
  void emit_columns(const Body& body) {
    out_.line("#pragma unroll");
    out_.line("for (int e = 0; e < {}; ++e) {{", run());
    {
      const Scope scope(out_);
      body();
    }
    out_.line("}}");
  }

  /// Alone: every step. Shared: both passes of a thread, the lanes of a warp, its warps, the chunks ahead.
  IndexExpr longest_chain() const {
    if (is_alone()) return length();
    const IndexExpr chunks = ir::floor_div(length() + (chunk() - 1), chunk());
    return chunks * warps() + (2 * config_.items + ScanTree::lanes_depth(32 / config_.team) + 2);
  }

  LaunchRecipe make_launch() const {
    if (chain_) return chain_->make_launch();
    return make_linear_launch(strips(), config_.threads, body_.is_narrow());
  }

  ScanBody body_;
  const ScanConfig config_;
  KernelText& text_;
  support::TextWriter& out_;
  ScanTree& tree_;
  std::optional<ScanChain> chain_;
};

}  // namespace

Program emit_scan_columns(const Kernel& kernel, const ir::Facts& facts, const ScanConfig& config,
                          const ScanKernel& scan) {
  return ScanColumnsText(kernel, facts, config, scan).make_program();
}

}  // namespace sinter::codegen::cuda
