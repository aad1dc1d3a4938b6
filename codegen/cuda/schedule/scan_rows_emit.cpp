// Scans along memory: a team of threads has a row, or all blocks share the parts of few long ones.
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
using ir::NodeId;
using Scope = support::TextWriter::Scope;

class ScanRowsText {
 public:
  ScanRowsText(const Kernel& kernel, const ir::Facts& facts, const ScanConfig& config,
               const ScanKernel& scan)
      : body_(kernel, facts, config, scan, false),
        config_(config),
        text_(body_.text()),
        out_(body_.out()),
        tree_(body_.tree()) {
    support::check(config.team <= 32 || config.team == config.threads,
                   "scan: a team of {} in a block of {}", config.team, config.threads);
  }

  Program make_program() {
    if (config_.blocks > 0) chain_.emplace(body_, row_count(), parts());
    out_.line("const idx length = {};", text_.index().emit(length()));
    emit_lane();
    config_.blocks > 0 ? emit_parts() : emit_row();
    Program program = text_.make_program(comment(), std::to_string(config_.threads), make_launch());
    if (chain_) program.workspaces.push_back(chain_->workspace());
    program.accumulations.push_back({longest_chain(), body_.fold().accumulators().front().dtype});
    return program;
  }

 private:
  std::int64_t run() const { return config_.run; }
  std::int64_t span() const { return std::min<std::int64_t>(config_.team, 32); }
  std::int64_t warps() const { return std::max<std::int64_t>(config_.team / 32, 1); }
  /// Elements of a team at a time.
  std::int64_t chunk() const { return config_.team * config_.items * run(); }
  IndexExpr length() const { return extent_of(body_.kernel(), body_.scan().line); }
  IndexExpr row_count() const { return extent_of(body_.kernel(), body_.scan().kept); }
  /// Of a row that is shared out among blocks.
  IndexExpr parts() const {
    const std::int64_t beyond = config_.is_ragged() ? 2 * run() - 2 : 0;
    return ir::floor_div(length() + (beyond + chunk() - 1), chunk());
  }

  std::string comment() const {
    const std::string who = chain_ ? fmt::format("parts of rows for each block of {}", config_.team)
                                   : fmt::format("{} threads a row", config_.team);
    return fmt::format("// {}, schedule scan: {}, {} elements of a thread at a time{}.",
                       text_.symbol(), who, config_.items * run(),
                       config_.is_shifted() ? ", from anywhere" : "");
  }

  // Places.

  void emit_lane() {
    const std::int64_t team = config_.team;
    if (team > 1 && team <= 32) out_.line("const int lane = threadIdx.x % {};", team);
    if (team > 32) {
      out_.line("const int lane = threadIdx.x % 32;");
      out_.line("const int warp = threadIdx.x / 32;");
    }
  }

  bool may_be_outside() const {
    return !chain_ && (config_.team < config_.threads || !body_.is_narrow());
  }

  void emit_row_place() {
    const std::string block =
        body_.is_narrow() ? "(idx)blockIdx.x" : "((idx)blockIdx.y * gridDim.x + blockIdx.x)";
    if (!may_be_outside()) return out_.line("const idx row = {};", block);
    // All threads take part in shuffles and barriers.
    const std::int64_t teams = config_.threads / config_.team;
    out_.line("const idx rows_total = {};", text_.index().emit(row_count()));
    out_.line("const idx row_wanted = {}{};", block,
              teams > 1 ? fmt::format(" * {} + threadIdx.x / {}", teams, config_.team) : "");
    out_.line("const bool is_inside = row_wanted < rows_total;");
    out_.line("const idx row = is_inside ? row_wanted : rows_total - 1;");
  }

  /// What is the same for the row, and `reach`: elements from the first vector's first to the last one's last.
  void emit_row_values() {
    text_.emit_axes("row", body_.scan().kept);
    std::string reach = "length";
    if (config_.is_shifted()) {
      out_.line("const int shift = (int)({} % {});",
                text_.index().emit_operand(*config_.vectors.shared_start), run());
      reach += " + shift";
    }
    if (config_.is_ragged()) {
      reach = fmt::format("length > 0 ? ({0} + {1}) / {2} * {2} : 0", reach, run() - 1, run());
    }
    out_.line("const idx reach = {};", reach);
    body_.emit_fixed();
    body_.emit_bases(true, true);
  }

  /// A loop over this thread's runs of the chunk that begins where `left` elements are left.
  template <typename Body>
  void emit_runs(const std::string& left, const Body& body) {
    body_.emit_items([&] {
      std::string place = "item";
      if (warps() > 1) place = fmt::format("(warp * {} + item)", config_.items);
      if (span() > 1) place = fmt::format("({} * {} + lane)", place, span());
      out_.line("const int offset = {} * {};", place, run());
      out_.line("if (offset < {}) {{", left);
      {
        const Scope scope(out_);
        const std::string shift = config_.is_shifted() ? " - shift" : "";
        std::string first = left == "reach" ? "offset" : fmt::format("reach - {} + offset", left);
        if (body_.scan().is_reverse) first = fmt::format("{} - offset - {}", left, run());
        out_.line("const idx first = {}{};", first, shift);
        if (config_.is_ragged()) {
          out_.line("const bool is_full = first >= 0 && first + {} <= length;", run());
        }
        body();
      }
      out_.line("}}");
    });
  }

  // One row.

  void emit_row() {
    emit_row_place();
    emit_row_values();
    body_.declare_loads();
    if (body_.has_loads()) emit_runs("reach", [&] { body_.emit_loads(); });
    if (config_.is_once) {
      emit_chunk("reach", nullptr, "");
      return;
    }
    const FoldNames carry = tree_.declare("carry");
    if (warps() > 1) out_.line("int turn = 0;");
    out_.line("for (idx left = reach; left > 0; left -= {}) {{", chunk());
    {
      const Scope scope(out_);
      if (body_.has_loads()) {
        out_.line("const idx left_ahead = left - {};", chunk());
        body_.emit_ahead([&] { emit_runs("left_ahead", [&] { body_.emit_loads(); }); });
      }
      emit_chunk("left", &carry, "turn");
      body_.emit_advance();
      if (warps() > 1) out_.line("turn ^= 1;");
    }
    out_.line("}}");
  }

  /// Folds the chunk, takes the carry of what is ahead (null: nothing is), and stores.
  void emit_chunk(const std::string& left, const FoldNames* carry, const std::string& turn) {
    emit_first_pass(left);
    const FoldNames arrays = body_.fold().arrays();
    const bool has_more = warps() > 1 || carry != nullptr;
    const FoldNames of_warp = emit_warp(arrays, has_more);
    ScanTree::Warps warps{{}, of_warp};
    if (this->warps() > 1)
      warps = tree_.emit_warps(of_warp, this->warps(), turn, {.all = carry != nullptr});
    if (carry != nullptr) {
      const FoldNames base = emit_base(*carry, warps);
      tree_.emit_sum(*carry, warps.all);
      emit_on_top(arrays, base);
    } else if (this->warps() > 1) {
      out_.line("if (warp > 0) {{");
      {
        const Scope scope(out_);
        emit_on_top(arrays, warps.ahead);
      }
      out_.line("}}");
    }
    emit_second_pass(left);
  }

  void emit_first_pass(const std::string& left) {
    out_.blank();
    out_.line("// Each run by itself, then the runs of the team.");
    if (body_.fold().arrays().empty()) {
      body_.fold().emit_accumulator_arrays(config_.items);
    }
    body_.declare_kept();
    emit_runs(left, [&] {
      body_.fold().emit_references("item");
      body_.emit_elements([&] { body_.emit_first("e"); });
    });
  }

  /// Each run's element of `arrays` becomes what is ahead of it in the warp. Returns what the warp has, if it
  /// is wanted.
  FoldNames emit_warp(const FoldNames& arrays, bool is_wanted) {
    const bool wants_all = is_wanted || config_.items > 1;
    const FoldNames whole =
        tree_.emit_lanes(arrays, config_.items, 1, span(), "item", {.all = wants_all});
    if (config_.items == 1) return ScanTree::at(whole, "0");
    const FoldNames of_warp = tree_.declare("of_warp", ScanTree::at(whole, "0"));
    out_.line("#pragma unroll");
    out_.line("for (int item = 1; item < {}; ++item) {{", config_.items);
    {
      const Scope scope(out_);
      const FoldNames values = ScanTree::at(arrays, "item");
      emit_behind(values, of_warp, span() > 1 ? "lane == 0" : "true");
      const std::string guard = is_wanted ? "" : fmt::format("if (item + 1 < {}) ", config_.items);
      if (!guard.empty()) out_.line("{}{{", guard);
      tree_.emit_sum(of_warp, ScanTree::at(whole, "item"));
      if (!guard.empty()) out_.line("}}");
    }
    out_.line("}}");
    return of_warp;
  }

  /// values = base folded with values; where `is_first`, the base alone: nothing lies between.
  void emit_behind(const FoldNames& values, const FoldNames& base, const std::string& is_first) {
    if (is_first == "true") return tree_.assign(values, base);
    const FoldNames sum = tree_.declare_sum("sum", base, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      out_.line("{} = {} ? {} : {};", values[i], is_first, base[i], sum[i]);
    }
  }

  /// What is ahead of this warp.
  FoldNames emit_base(const FoldNames& carry, const ScanTree::Warps& warps) {
    const FoldNames base = tree_.declare("base", carry);
    if (this->warps() == 1) return base;
    const FoldNames sum = tree_.declare_sum("sum", carry, warps.ahead);
    tree_.assign(base, sum, "if (warp > 0) ");
    return base;
  }

  void emit_on_top(const FoldNames& arrays, const FoldNames& base) {
    body_.emit_items([&] {
      const std::string is_first = span() > 1 ? "lane == 0 && item == 0" : std::string("item == 0");
      emit_behind(ScanTree::at(arrays, "item"), base, is_first);
    });
  }

  void emit_second_pass(const std::string& left) {
    out_.blank();
    out_.line("// Each element on top of all that is ahead of it.");
    emit_runs(left, [&] {
      body_.fold().emit_references("item");
      body_.declare_stores();
      body_.emit_elements([&] { body_.emit_second("e", may_be_outside()); });
      body_.emit_stores(may_be_outside());
    });
  }

  // Rows in parts.

  void emit_parts() {
    chain_->emit_parts([&] {
      out_.line("const idx row = sequence;");
      emit_row_values();
      out_.line("const idx left = reach - (idx)part * {};", chunk());
      body_.declare_loads();
      if (body_.has_loads()) emit_runs("left", [&] { body_.emit_loads(); });
      emit_first_pass("left");
      const FoldNames arrays = body_.fold().arrays();
      const auto warps = tree_.emit_warps(emit_warp(arrays, true), this->warps(), "", {});
      const FoldNames carry = chain_->emit_carry(warps.all);
      emit_on_top(arrays, emit_base(carry, warps));
      emit_second_pass("left");
    });
  }

  /// Both passes of a thread, the items and lanes of a warp, the warps, and the chunks or parts ahead.
  IndexExpr longest_chain() const {
    IndexExpr chain = 2 * run() + config_.items + ScanTree::lanes_depth(span()) +
                      ScanTree::warps_depth(warps()) + 4;
    if (chain_) return chain + chain_->depth();
    return config_.is_once ? chain : chain + ir::floor_div(length() + (2 * run()), chunk()) + 1;
  }

  LaunchRecipe make_launch() const {
    if (chain_) return chain_->make_launch();
    const std::int64_t teams = config_.threads / config_.team;
    return make_linear_launch(ir::floor_div(row_count() + (teams - 1), teams), config_.threads,
                              body_.is_narrow());
  }

  ScanBody body_;
  const ScanConfig config_;
  KernelText& text_;
  support::TextWriter& out_;
  ScanTree& tree_;
  std::optional<ScanChain> chain_;
};

}  // namespace

Program emit_scan_rows(const Kernel& kernel, const ir::Facts& facts, const ScanConfig& config,
                       const ScanKernel& scan) {
  return ScanRowsText(kernel, facts, config, scan).make_program();
}

}  // namespace sinter::codegen::cuda
