#include "codegen/cuda/schedule/rows_emit.h"

#include <algorithm>

#include "codegen/cuda/fold_text.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/line_access.h"
#include "codegen/cuda/linear_launch.h"
#include "codegen/cuda/types.h"
#include "codegen/expand/expand.h"
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

constexpr std::string_view kRowsWords[] = {"e",          "element",    "first",  "is_inside",
                                           "item",       "lane",       "length", "row",
                                           "row_wanted", "rows_total", "vectors"};

class RowsText {
 public:
  RowsText(const Kernel& kernel, const ir::Facts& facts, const Config& config, RowKernel row_kernel,
           bool is_pointwise)
      : kernel_(kernel),
        rows_(std::move(row_kernel)),
        is_pointwise_(is_pointwise),
        threads_(config.at("threads")),
        team_(is_pointwise ? 1 : config.at("team")),
        items_(is_pointwise ? 0 : config.at("items")),
        vector_(config.at("vector")),
        is_narrow_(is_narrow_index(kernel, facts)),
        text_(kernel, facts, false, kRowsWords),
        out_(text_.body()),
        kept_(kernel.nodes().size()) {
    support::check(team_ <= 32 || team_ == threads_, "rows: a team of {} in a block of {}", team_,
                   threads_);
    plan_passes();
    for (const NodeId id : rows_.folds) folds_.emplace(id, FoldText(text_, id));
  }

  Program make_program() {
    is_pointwise_ ? emit_vector_place() : emit_row_place();
    for (std::size_t pass = 0; pass < rows_.pass_count; ++pass) {
      emit_scalars(pass);
      emit_pass(pass);
    }
    if (!is_pointwise_) {
      emit_scalars(rows_.pass_count);
      emit_row_stores();
    }
    Program program = text_.make_program(comment(), std::to_string(threads_), make_launch());
    for (const NodeId id : rows_.folds) program.accumulations.push_back(make_accumulation(id));
    return program;
  }

 private:
  bool is_resident() const { return items_ != 0; }
  IndexExpr length() const { return extent_of(kernel_, rows_.line); }
  IndexExpr row_count() const { return extent_of(kernel_, rows_.rows); }

  std::string comment() const {
    const std::string symbol = text_.symbol();
    if (is_pointwise_) {
      return fmt::format("// {}, schedule pointwise: {} elements a thread.", symbol, vector_);
    }
    return fmt::format("// {}, schedule rows: {} threads a row, {} elements at a time{}.", symbol,
                       team_, vector_,
                       is_resident() ? ", the row in registers" : ", the row read in each pass");
  }

  // Which nodes each pass computes, and which it leaves for later ones.

  std::vector<NodeId> targets_of(std::size_t pass) const {
    std::vector<NodeId> targets;
    for (const NodeId id : rows_.live) {
      const bool is_fold_here = is_fold(kernel_.node(id)) && rows_.passes[id] == pass;
      const bool is_store = kernel_.node(id).op == Op::Store && rows_.is_along(kernel_, id);
      if (is_fold_here || (is_store && rows_.passes[id] == pass)) targets.push_back(id);
    }
    return targets;
  }

  void plan_passes() {
    std::vector<bool> is_ready(kernel_.nodes().size(), false);
    for (std::size_t pass = 0; pass < rows_.pass_count; ++pass) {
      std::vector<NodeId> stops;
      for (NodeId id = 0; id < is_ready.size(); ++id) {
        const bool is_earlier_fold = is_fold(kernel_.node(id)) && rows_.passes[id] < pass;
        if (is_ready[id] || is_earlier_fold) stops.push_back(id);
      }
      auto& nodes = pass_nodes_.emplace_back();
      for (const NodeId id : needed_nodes(kernel_, targets_of(pass), stops)) {
        if (is_ready[id]) {
          kept_[id] = true;
        } else if (rows_.is_along(kernel_, id) && !is_fold(kernel_.node(id))) {
          nodes.push_back(id);
        }
      }
      if (!is_resident()) continue;
      for (const NodeId id : nodes) is_ready[id] = kernel_.node(id).op != Op::Index;
    }
  }

  // Places.

  std::string block_index() const {
    return is_narrow_ ? "(idx)blockIdx.x" : "((idx)blockIdx.y * gridDim.x + blockIdx.x)";
  }

  void emit_vector_place() {
    const std::string line = text_.index().emit_operand(length());
    out_.line("const idx vectors = {}{};", line,
              vector_ > 1 ? " / " + std::to_string(vector_) : "");
    out_.line("const idx index = {} * {} + (idx)threadIdx.x;", block_index(), threads_);
    out_.line("if (index >= vectors * {}) return;", text_.index().emit_operand(row_count()));
    if (rows_.rows.empty()) {
      out_.line("const idx first = index * {};", vector_);
      return;
    }
    out_.line("const idx row = index / vectors;");
    out_.line("const idx first = (index - row * vectors) * {};", vector_);
    text_.emit_axes("row", rows_.rows);
  }

  bool may_be_outside() const { return team_ < threads_ || !is_narrow_; }

  void emit_row_place() {
    out_.line("const idx length = {};", text_.index().emit(length()));
    if (team_ == threads_) {
      out_.line("const int lane = threadIdx.x;");
    } else {
      out_.line("const int lane = threadIdx.x % {};", team_);
    }
    const std::string wanted =
        team_ == threads_
            ? block_index()
            : fmt::format("{} * {} + threadIdx.x / {}", block_index(), threads_ / team_, team_);
    if (may_be_outside()) {
      // All threads take part in shuffles and barriers.
      out_.line("const idx rows_total = {};", text_.index().emit(row_count()));
      out_.line("const idx row_wanted = {};", wanted);
      out_.line("const bool is_inside = row_wanted < rows_total;");
      out_.line("const idx row = is_inside ? row_wanted : rows_total - 1;");
    } else {
      out_.line("const idx row = {};", wanted);
    }
    text_.emit_axes("row", rows_.rows);
  }

  // Values of the row as a whole.

  void emit_scalars(std::size_t pass) {
    for (const NodeId id : rows_.live) {
      const KernelNode& node = kernel_.node(id);
      if (rows_.is_along(kernel_, id) || is_fold(node) || node.op == Op::Store) continue;
      if (rows_.passes[id] == pass) text_.emit_node(id, {});
    }
  }

  void emit_row_stores() {
    bool is_open = false;
    for (const NodeId id : rows_.live) {
      if (kernel_.node(id).op != Op::Store || rows_.is_along(kernel_, id)) continue;
      if (!is_open) out_.line("if (lane == 0{}) {{", may_be_outside() ? " && is_inside" : "");
      is_open = true;
      const Scope scope(out_);
      text_.emit_node(id, rows_.rows);
    }
    if (is_open) out_.line("}}");
  }

  // One pass over the row.

  void emit_pass(std::size_t pass) {
    const std::vector<NodeId>& nodes = pass_nodes_[pass];
    std::vector<NodeId> folds;
    for (const NodeId id : rows_.folds) {
      if (rows_.passes[id] == pass) folds.push_back(id);
    }
    if (is_pointwise_) {
      emit_item(nodes, folds);
      return;
    }
    if (nodes.empty() && folds.empty()) return;
    out_.blank();
    for (const NodeId id : folds) folds_.at(id).emit_accumulators();
    if (is_resident()) {
      declare_kept(nodes);
      emit_early_loads(nodes);
      emit_item_loop([&] { emit_item(nodes, folds); });
    } else {
      out_.line("for (idx first = (idx)lane * {0}; first < length; first += {1}) {{", vector_,
                team_ * vector_);
      {
        const Scope scope(out_);
        emit_item(nodes, folds);
      }
      out_.line("}}");
    }
    for (const NodeId id : folds) {
      folds_.at(id).emit_all_team(team_);
      folds_.at(id).emit_results();
    }
  }

  template <typename Body>
  void emit_item_loop(const Body& body) {
    out_.line("#pragma unroll");
    out_.line("for (int item = 0; item < {}; ++item) {{", items_);
    {
      const Scope scope(out_);
      out_.line("const idx first = (item * {} + lane) * {};", team_, vector_);
      const bool is_full = length() == IndexExpr(items_ * team_ * vector_);
      if (!is_full) {
        out_.line("if (first < length) {{");
        out_.indent();
      }
      body();
      if (!is_full) {
        out_.dedent();
        out_.line("}}");
      }
    }
    out_.line("}}");
  }

  bool is_packed(NodeId id) const {
    const KernelNode& node = kernel_.node(id);
    if (vector_ == 1 || (node.op != Op::Load && node.op != Op::Store)) return false;
    return line_step(kernel_, node, rows_.line) == LineStep::Unit;
  }

  DType memory_dtype(NodeId id) const {
    const auto param = kernel_.node(id).attributes.get<std::int64_t>(ir::AttributeName::Param);
    return kernel_.params()[static_cast<std::size_t>(param)].dtype;
  }

  /// struct pack_bf16_8: a vector of elements as one access moves it.
  std::string pack_type(DType dtype) {
    const std::string name = fmt::format("pack_{}_{}", to_string(dtype), vector_);
    if (packs_.insert(name).second) {
      const auto bytes = vector_ * static_cast<std::int64_t>(size_bytes(dtype));
      text_.functions().line("struct alignas({}) {} {{", std::min<std::int64_t>(bytes, 16), name);
      text_.functions().line("  {} e[{}];", memory_type(dtype, text_.pieces()), vector_);
      text_.functions().line("}};");
    }
    return name;
  }

  void declare_kept(const std::vector<NodeId>& nodes) {
    for (const NodeId id : nodes) {
      if (!kept_[id]) continue;
      const std::string name = text_.make_name("kept_" + std::to_string(id));
      kept_names_[id] = name;
      out_.line("{} {}[{}];", text_.type(kernel_.node(id).results.front()), name, items_ * vector_);
    }
  }

  /// All vectors of the row are asked for before the first is used.
  void emit_early_loads(const std::vector<NodeId>& nodes) {
    std::vector<NodeId> loads;
    for (const NodeId id : nodes) {
      if (kernel_.node(id).op == Op::Load && is_packed(id)) loads.push_back(id);
    }
    if (loads.empty()) return;
    for (const NodeId id : loads) {
      const std::string type = pack_type(memory_dtype(id));
      pack_names_[id] = text_.make_name("pack_" + std::to_string(id));
      out_.line("{} {}[{}];", type, pack_names_[id], items_);
    }
    emit_item_loop([&] {
      text_.emit_axes("first", rows_.line);
      for (const NodeId id : loads) {
        out_.line("{}[item] = *(const {}*)({});", pack_names_[id], pack_type(memory_dtype(id)),
                  text_.pointer(id));
      }
    });
  }

  void emit_item(const std::vector<NodeId>& nodes, const std::vector<NodeId>& folds) {
    std::vector<NodeId> packed_stores;
    for (const NodeId id : nodes) {
      if (kernel_.node(id).op == Op::Store && is_packed(id)) packed_stores.push_back(id);
    }
    if (vector_ == 1) {
      emit_element("first", "0", nodes, folds);
      return;
    }
    text_.emit_axes("first", rows_.line);
    for (const NodeId id : nodes) {
      if (kernel_.node(id).op != Op::Load || !is_packed(id) || is_resident()) continue;
      const std::string type = pack_type(memory_dtype(id));
      pack_names_[id] = text_.make_name("pack_" + std::to_string(id));
      out_.line("const {0} {1} = *(const {0}*)({2});", type, pack_names_[id], text_.pointer(id));
    }
    for (const NodeId id : packed_stores) {
      pack_names_[id] = text_.make_name("pack_" + std::to_string(id));
      out_.line("{} {};", pack_type(memory_dtype(id)), pack_names_[id]);
    }
    out_.line("#pragma unroll");
    out_.line("for (int e = 0; e < {}; ++e) {{", vector_);
    {
      const Scope scope(out_);
      out_.line("const idx element = first + e;");
      emit_element("element", "e", nodes, folds);
    }
    out_.line("}}");
    for (const NodeId id : packed_stores) {
      out_.line("{}*({}*)({}) = {};", guard(), pack_type(memory_dtype(id)), text_.pointer(id),
                pack_names_[id]);
    }
  }

  std::string guard() const { return !is_pointwise_ && may_be_outside() ? "if (is_inside) " : ""; }

  std::string kept_index(const std::string& e) const {
    return fmt::format("item * {} + {}", vector_, e);
  }

  void emit_element(const std::string& element, const std::string& e,
                    const std::vector<NodeId>& nodes, const std::vector<NodeId>& folds) {
    text_.emit_axes(element, rows_.line);
    if (is_resident()) {
      for (const auto& [id, name] : kept_names_) {
        const bool is_here = std::find(nodes.begin(), nodes.end(), id) != nodes.end();
        if (!is_here) text_.set_value({id, 0}, name + "[" + kept_index(e) + "]");
      }
    }
    for (const NodeId id : nodes) emit_node(id, e);
    for (const NodeId id : folds) folds_.at(id).emit_step();
  }

  void emit_node(NodeId id, const std::string& e) {
    const KernelNode& node = kernel_.node(id);
    if (node.op == Op::Store) {
      if (is_packed(id)) {
        const ScalarText stored = text_.value(node.operands.front());
        const std::string cast = stored.dtype == DType::Bool ? "(u8)" : "";
        if (stored.dtype == DType::Bool) text_.pieces().use("u8");
        out_.line("{}.e[{}] = {}{};", pack_names_[id], e, cast, stored.text);
      } else if (guard().empty()) {
        text_.emit_node(id, {});
      } else {
        out_.line("{}{{", guard());
        {
          const Scope scope(out_);
          text_.emit_node(id, {});
        }
        out_.line("}}");
      }
      return;
    }
    if (node.op == Op::Load && is_packed(id)) {
      const std::string pack = pack_names_.at(id) + (is_resident() ? "[item]" : "");
      const std::string bits = fmt::format("{}.e[{}]", pack, e);
      const DType dtype = node.results.front();
      out_.line("const {} {} = {}{};", text_.type(dtype), text_.name_value({id, 0}), bits,
                dtype == DType::Bool ? " != 0" : "");
    } else {
      text_.emit_node(id, {});
    }
    if (is_resident() && kept_[id]) {
      out_.line("{}[{}] = {};", kept_names_.at(id), kept_index(e), text_.value({id, 0}).text);
    }
  }

  Accumulation make_accumulation(NodeId id) const {
    const DType dtype = ir::compute_dtype(kernel_.node(id).results.front());
    const IndexExpr own =
        is_resident() ? IndexExpr(items_ * vector_)
                      : ir::floor_div(length() + (team_ * vector_ - 1), team_ * vector_) * vector_;
    return {own + (5 + team_ / 32), dtype};
  }

  LaunchRecipe make_launch() const {
    const std::int64_t per_block = threads_ / team_;
    IndexExpr blocks = ir::floor_div(row_count() + (per_block - 1), per_block);
    if (is_pointwise_) {
      const IndexExpr vectors = row_count() * ir::floor_div(length(), vector_);
      blocks = ir::floor_div(vectors + (threads_ - 1), threads_);
    }
    return make_linear_launch(blocks, threads_, is_narrow_);
  }

  const Kernel& kernel_;
  const RowKernel rows_;
  const bool is_pointwise_;
  const std::int64_t threads_;
  const std::int64_t team_;
  const std::int64_t items_;
  const std::int64_t vector_;
  const bool is_narrow_;
  KernelText text_;
  support::TextWriter& out_;
  std::vector<std::vector<NodeId>> pass_nodes_;
  std::vector<bool> kept_;  // by node: a later pass takes it from registers
  std::map<NodeId, std::string> kept_names_;
  std::map<NodeId, std::string> pack_names_;
  std::set<std::string> packs_;
  std::map<NodeId, FoldText> folds_;
};

RowKernel matched(const Kernel& kernel, bool is_pointwise) {
  std::string why_not;
  auto result = is_pointwise ? match_pointwise(kernel, why_not) : match_rows(kernel, why_not);
  support::check(result.has_value(), "rows: {}", why_not);
  return *result;
}

}  // namespace

Program emit_rows(const Kernel& kernel, const ir::Facts& facts, const Config& config,
                  const Target&) {
  const Kernel expanded = expand_elementary(kernel);
  return RowsText(expanded, facts, config, matched(expanded, false), false).make_program();
}

Program emit_pointwise(const Kernel& kernel, const ir::Facts& facts, const Config& config,
                       const Target&) {
  const Kernel expanded = expand_elementary(kernel);
  return RowsText(expanded, facts, config, matched(expanded, true), true).make_program();
}

}  // namespace sinter::codegen::cuda
