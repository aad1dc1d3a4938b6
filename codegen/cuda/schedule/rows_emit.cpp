#include "codegen/cuda/schedule/rows_emit.h"

#include <algorithm>
#include <utility>

#include "codegen/cuda/fold_text.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/line_access.h"
#include "codegen/cuda/linear_launch.h"
#include "codegen/cuda/native_functions.h"
#include "codegen/cuda/schedule/row_positions.h"
#include "codegen/cuda/schedule/row_renaming.h"
#include "codegen/cuda/schedule/row_vectors.h"
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

constexpr std::string_view kRowsWords[] = {
    "block", "chunk",      "e",          "edge",    "edge_item", "edges",  "element",  "first",
    "group", "head",       "item",       "is_full", "is_inside", "lane",   "length",   "rank",
    "row",   "row_wanted", "rows_total", "shift",   "vectors",   "wanted", "whole_end"};

/// The lanes of the items that are written.
enum class Lanes {
  Whole,  // all have whole vectors of the row
  Masked,  // those without elements run along, with the row's first vector where there is one for sure
  Branching,  // those without elements are led around
};

class RowsText {
 public:
  RowsText(const Kernel& kernel, const ir::Facts& facts, const RowConfig& config,
           RowKernel row_kernel, bool is_pointwise)
      : kernel_(kernel),
        rows_(std::move(row_kernel)),
        is_pointwise_(is_pointwise),
        config_(config),
        passes_(plan_row_passes(kernel, rows_, config.keeps && !is_pointwise)),
        is_narrow_(is_narrow_index(kernel, facts)),
        text_(kernel, facts, false, kRowsWords),
        out_(text_.body()),
        vectors_(text_, rows_.line, config_, is_pointwise),
        items_{"0", std::to_string(config.items)} {
    support::check(team() <= 32 || team() == threads(), "rows: a team of {} in a block of {}",
                   team(), threads());
    for (const NodeId id : rows_.folds) {
      FoldText& fold = folds_.emplace(id, FoldText(text_, id)).first->second;
      if (vector() == 1 || !folds_positions(kernel, id, fold, rows_.line)) continue;
      positions_.emplace(id, RowPositions(text_, vectors_, config_, id, fold));
    }
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
    Program program = text_.make_program(comment(), std::to_string(threads()), make_launch());
    for (const NodeId id : rows_.folds) program.accumulations.push_back(make_accumulation(id));
    return program;
  }

 private:
  std::int64_t threads() const { return config_.threads; }
  std::int64_t team() const { return config_.team; }
  std::int64_t vector() const { return config_.vector(); }
  IndexExpr length() const { return extent_of(kernel_, rows_.line); }
  IndexExpr row_count() const { return extent_of(kernel_, rows_.rows); }

  std::string comment() const {
    const std::string symbol = text_.symbol();
    if (is_pointwise_) {
      return fmt::format("// {}, schedule pointwise: {} elements a thread.", symbol, vector());
    }
    return fmt::format("// {}, schedule rows: {} threads{} a row, {} elements at a time{}{}.",
                       symbol, team(),
                       config_.blocks > 1 ? fmt::format(" of {} blocks", config_.blocks) : "",
                       vector(), config_.shifted() ? " from anywhere" : "",
                       config_.keeps ? ", the row in registers" : ", the row read in each pass");
  }

  // Places.

  std::string block_index() const {
    return is_narrow_ ? "(idx)blockIdx.x" : "((idx)blockIdx.y * gridDim.x + blockIdx.x)";
  }

  void emit_vector_place() {
    const std::string line = text_.index().emit_operand(length());
    out_.line("const idx vectors = {}{};", line,
              vector() > 1 ? " / " + std::to_string(vector()) : "");
    out_.line("const idx index = {} * {} + (idx)threadIdx.x;", block_index(), threads());
    out_.line("if (index >= vectors * {}) return;", text_.index().emit_operand(row_count()));
    if (rows_.rows.empty()) {
      out_.line("const idx first = index * {};", vector());
      return;
    }
    out_.line("const idx row = index / vectors;");
    out_.line("const idx first = (index - row * vectors) * {};", vector());
    text_.emit_axes("row", rows_.rows);
  }

  bool may_be_outside() const { return team() < threads() || !is_narrow_; }

  /// The thread's place among those of its row; blocks of a cluster meet here.
  void emit_lane() {
    if (config_.blocks == 1) {
      const bool is_block = team() == threads();
      return out_.line("const int lane = threadIdx.x{};",
                       is_block ? "" : fmt::format(" % {}", team()));
    }
    for (const NodeId id : rows_.folds) {
      folds_.at(id).declare_cluster(config_.blocks);
    }
    out_.line("{}();", text_.pieces().use("arrive_blocks"));
    out_.line("const int rank = blockIdx.x % {};", config_.blocks);
    out_.line("const int lane = rank * {} + threadIdx.x;", threads());
  }

  void emit_row_place() {
    out_.line("const idx length = {};", text_.index().emit(length()));
    emit_lane();
    std::string wanted = block_index();
    // Rows of a two-dimensional grid hold whole clusters.
    if (config_.blocks > 1) wanted += fmt::format(" / {}", config_.blocks);
    if (team() < threads()) {
      wanted = fmt::format("{} * {} + threadIdx.x / {}", block_index(), threads() / team(), team());
    }
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
    if (config_.shifted()) emit_ends();
  }

  /// Where rows begin anywhere: the aligned vectors that lie in the row as a whole, from `head` to `whole_end`, and
  /// the `edges`: elements ahead of them and behind.
  void emit_ends() {
    out_.line("const int shift = (int)({} % {});",
              text_.index().emit_operand(*config_.vectors.shared_start), vector());
    const std::string head = fmt::format("{} - shift", vector());
    const bool is_sure = length().as_constant().value_or(0) >= vector();
    out_.line("const idx head = shift == 0 ? 0 : {};",
              is_sure ? head : fmt::format("length < {0} ? length : {0}", head));
    out_.line("const idx whole_end = head + (length - head) / {0} * {0};", vector());
    out_.line("const idx edges = head + (length - whole_end);");
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
    const std::vector<NodeId>& nodes = passes_.nodes[pass];
    std::vector<NodeId> folds;
    for (const NodeId id : rows_.folds) {
      if (rows_.passes[id] == pass) folds.push_back(id);
    }
    if (is_pointwise_) return emit_item(nodes, folds);
    if (nodes.empty() && folds.empty()) return;
    out_.blank();
    emit_renamed(text_, rows_, passes_, pass);
    for (const NodeId id : folds) folds_.at(id).emit_accumulators();
    for (const NodeId id : nodes) vectors_.emit_base(id);
    const bool has_positions = std::any_of(
        folds.begin(), folds.end(), [&](const NodeId id) { return positions_.contains(id); });
    emit_positions(folds, [&](RowPositions& positions) {
      const auto source = positions.source();
      const bool is_there = source && (has_node(nodes, *source) || passes_.kept[*source]);
      positions.emit_declaration(is_there);
    });
    if (config_.keeps) {
      declare_kept(nodes);
      emit_items(pass, folds, has_positions ? Edges::Later : Edges::Here);
    } else {
      out_.line("for (idx chunk = 0; chunk < {}; chunk += {}) {{",
                config_.shifted() ? "whole_end - head" : "length",
                config_.items * config_.lanes() * vector());
      {
        const Scope scope(out_);
        emit_group(
            nodes, [&] {}, folds);
      }
      out_.line("}}");
    }
    emit_positions(folds, [](RowPositions& positions) { positions.emit_search(); });
    if (!config_.keeps || has_positions) emit_edges(nodes, folds);
    for (const NodeId id : folds) {
      folds_.at(id).emit_all_team(team());
      if (config_.blocks > 1) {
        if (!has_waited_) out_.line("{}();", text_.pieces().use("wait_blocks"));
        has_waited_ = true;
        folds_.at(id).emit_all_cluster("rank");
      }
      folds_.at(id).emit_results();
    }
  }

  /// `emit` for those folds of which places are found in vectors.
  template <typename Emit>
  void emit_positions(const std::vector<NodeId>& folds, const Emit& emit) {
    for (const NodeId id : folds) {
      if (const auto found = positions_.find(id); found != positions_.end()) emit(found->second);
    }
  }

  /// Where the elements beside the vectors are written: with the items, or by the caller behind them. Places of
  /// extrema are those of vectors until the last one.
  enum class Edges { Here, Later };

  void emit_items(std::size_t pass, const std::vector<NodeId>& folds, Edges edges) {
    const std::vector<NodeId>& nodes = passes_.nodes[pass];
    const bool has_groups =
        config_.keeps && pass > 0 && config_.items > kItemsAhead &&
        std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return vectors_.is_load(id); });
    const auto emit_edges_here = [&] {
      if (edges == Edges::Here) emit_edges(nodes, folds);
    };
    if (!has_groups) return emit_group(nodes, emit_edges_here, folds);
    // What later passes use outlives the group.
    declare_loads(nodes, [&](const NodeId id) { return passes_.kept[id]; });
    out_.line("#pragma unroll");
    out_.line("for (int group = 0; group < {}; group += {}) {{", config_.items, kItemsAhead);
    {
      const Scope scope(out_);
      items_ = {"group", fmt::format("group + {} && item < {}", kItemsAhead, config_.items)};
      emit_group(
          nodes, [&] {}, folds);
      items_ = {"0", std::to_string(config_.items)};
    }
    out_.line("}}");
    emit_edges_here();
  }

  /// `between` is written while the loads are under way.
  template <typename Between>
  void emit_group(const std::vector<NodeId>& nodes, const Between& between,
                  const std::vector<NodeId>& folds) {
    emit_early_loads(nodes);
    between();
    const Lanes partial =
        is_never_empty() || !touches_single_elements(nodes) ? Lanes::Masked : Lanes::Branching;
    emit_item_loop(is_certain() ? Lanes::Whole : partial, [&] { emit_item(nodes, folds); });
  }

  /// Items of which each lane has a whole vector in each row.
  std::int64_t sure_items() const {
    const auto elements = length().as_constant();
    if (!config_.keeps || !elements) return 0;
    const std::int64_t least = *elements - (config_.shifted() ? vector() - 1 : 0);
    return std::min(least / vector() / config_.lanes(), config_.items);
  }

  /// Whether all lanes have whole vectors of the row.
  bool is_certain() const { return sure_items() == config_.items; }

  /// Whether each row has a whole vector.
  bool is_never_empty() const {
    const std::int64_t most_edges = config_.shifted() ? 2 * (vector() - 1) : 0;
    return length().as_constant().value_or(0) > most_edges;
  }

  /// Whether something along the row is not moved in vectors: it may not be touched outside of the row.
  bool touches_single_elements(const std::vector<NodeId>& nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](const NodeId id) {
      const Op op = kernel_.node(id).op;
      return (op == Op::Load || op == Op::Store) && !vectors_.has(id);
    });
  }

  template <typename Body>
  void emit_item_loop(Lanes lanes, const Body& body) {
    lanes_ = lanes;
    out_.line("#pragma unroll");
    out_.line("for (int item = {}; item < {}; ++item) {{", items_.begin, items_.end);
    {
      const Scope scope(out_);
      const std::string first =
          fmt::format("{}{}(item * {} + lane) * {}", config_.shifted() ? "head + " : "",
                      config_.keeps ? "" : "chunk + ", config_.lanes(), vector());
      const std::string end = config_.shifted() ? "whole_end" : "length";
      const std::string is_sure =
          sure_items() > 0 ? fmt::format("item < {} || ", sure_items()) : "";
      if (lanes == Lanes::Masked) {
        out_.line("const idx wanted = {};", first);
        out_.line("const bool is_full = {}wanted < {};", is_sure, end);
        out_.line("const idx first = {};",
                  !is_never_empty()
                      ? "wanted"
                      : fmt::format("is_full ? wanted : {}", config_.shifted() ? "head" : "0"));
      } else {
        out_.line("const idx first = {};", first);
      }
      const bool branches = lanes == Lanes::Branching;
      if (branches) {
        out_.line("if ({}first < {}) {{", is_sure, end);
        out_.indent();
      }
      body();
      if (branches) {
        out_.dedent();
        out_.line("}}");
      }
    }
    out_.line("}}");
  }

  // Where rows begin anywhere: elements beside the whole vectors, one a lane.

  std::int64_t edge_items() const {
    if (!config_.shifted()) return 0;
    return (2 * (vector() - 1) + config_.lanes() - 1) / config_.lanes();
  }

  void emit_edges(const std::vector<NodeId>& nodes, const std::vector<NodeId>& folds) {
    if (!config_.shifted()) return;
    out_.line("#pragma unroll");
    out_.line("for (int edge_item = 0; edge_item < {}; ++edge_item) {{", edge_items());
    {
      const Scope scope(out_);
      out_.line("const int edge = edge_item * {} + lane;", config_.lanes());
      out_.line("if (edge < edges) {{");
      {
        const Scope inner(out_);
        out_.line("const idx element = edge < head ? edge : edge + (whole_end - head);");
        lanes_ = Lanes::Whole;
        is_edge_ = true;
        emit_element("element", "", nodes, folds);
        is_edge_ = false;
      }
      out_.line("}}");
    }
    out_.line("}}");
  }

  void declare_kept(const std::vector<NodeId>& nodes) {
    for (const NodeId id : nodes) {
      if (!passes_.kept[id]) continue;
      if (config_.shifted()) {
        const std::string name = text_.make_name("edge_" + std::to_string(id));
        edge_names_[id] = name;
        out_.line("{} {}[{}] = {{}};", text_.type(kernel_.node(id).results.front()), name,
                  edge_items());
      }
      if (vectors_.is_load(id)) continue;
      const std::string name = text_.make_name("kept_" + std::to_string(id));
      kept_names_[id] = name;
      out_.line("{} {}[{}];", text_.type(kernel_.node(id).results.front()), name,
                config_.items * vector());
    }
  }

  /// All vectors are asked for before the first is used.
  void emit_early_loads(const std::vector<NodeId>& nodes) {
    std::vector<NodeId> loads;
    for (const NodeId id : nodes) {
      if (vectors_.is_load(id)) loads.push_back(id);
    }
    if (!loads.empty()) emit_loads(loads);
  }

  template <typename IsWanted>
  void declare_loads(const std::vector<NodeId>& nodes, const IsWanted& is_wanted) {
    const bool is_filled = is_certain() || is_never_empty();
    for (const NodeId id : nodes) {
      if (vectors_.is_load(id) && is_wanted(id)) vectors_.declare_loads(id, is_filled);
    }
  }

  void emit_loads(const std::vector<NodeId>& loads) {
    const auto is_unknown = [&](const NodeId id) {
      return !passes_.kept[id] || !vectors_.is_declared(id);
    };
    declare_loads(loads, is_unknown);
    // Loads behind a branch wait for each other.
    const Lanes partial = is_never_empty() ? Lanes::Masked : Lanes::Branching;
    emit_item_loop(is_certain() ? Lanes::Whole : partial, [&] {
      for (const NodeId id : loads) vectors_.emit_load(id);
    });
  }

  void emit_item(const std::vector<NodeId>& nodes, const std::vector<NodeId>& folds) {
    std::vector<NodeId> packed_stores;
    for (const NodeId id : nodes) {
      if (kernel_.node(id).op == Op::Store && vectors_.has(id)) packed_stores.push_back(id);
    }
    if (vector() == 1) return emit_element("first", "0", nodes, folds);
    if (is_pointwise_) {
      text_.emit_axes("first", rows_.line);
      for (const NodeId id : nodes) {
        if (!vectors_.is_load(id)) continue;
        vectors_.declare_loads(id, true);
        vectors_.emit_load(id);
      }
    }
    for (const NodeId id : packed_stores) vectors_.declare_store(id);
    emit_positions(folds, [](RowPositions& positions) { positions.emit_begin(); });
    vectors_.emit_elements([&] {
      out_.line("const idx element = first + e;");
      emit_element("element", "e", nodes, folds);
    });
    const std::string condition = lanes_ == Lanes::Masked ? "is_full" : "";
    emit_positions(folds, [&](RowPositions& positions) { positions.emit_end(condition); });
    for (const NodeId id : packed_stores) {
      vectors_.emit_store(id, lanes_ == Lanes::Masked, guard());
    }
  }

  std::string guard() const { return !is_pointwise_ && may_be_outside() ? "if (is_inside) " : ""; }

  std::string kept_index(const std::string& e) const {
    return fmt::format("item * {} + {}", vector(), e);
  }

  void emit_element(const std::string& element, const std::string& e,
                    const std::vector<NodeId>& nodes, const std::vector<NodeId>& folds) {
    text_.emit_axes(element, rows_.line);
    for (const NodeId id : rows_.live) {
      const bool is_here = std::find(nodes.begin(), nodes.end(), id) != nodes.end();
      if (is_here || !passes_.kept[id]) continue;
      if (is_edge_) {
        if (edge_names_.contains(id)) text_.set_value({id, 0}, edge_names_.at(id) + "[edge_item]");
      } else if (vectors_.is_load(id)) {
        if (vectors_.is_declared(id)) text_.set_value({id, 0}, vectors_.element(id, e));
      } else if (kept_names_.contains(id)) {
        text_.set_value({id, 0}, kept_names_.at(id) + "[" + kept_index(e) + "]");
      }
    }
    for (const NodeId id : nodes) emit_node(id, e);
    const bool has_mask = lanes_ == Lanes::Masked && !folds.empty();
    if (has_mask) {
      out_.line("if (is_full) {{");
      out_.indent();
    }
    for (const NodeId id : folds) {
      const auto positions = positions_.find(id);
      const bool is_of_vector = positions != positions_.end() && !is_edge_;
      is_of_vector ? positions->second.emit_element(e) : folds_.at(id).emit_step();
    }
    if (has_mask) {
      out_.dedent();
      out_.line("}}");
    }
  }

  void emit_node(NodeId id, const std::string& e) {
    const KernelNode& node = kernel_.node(id);
    if (node.op == Op::Store) return emit_store(id, e);
    if (!is_edge_ && vectors_.is_load(id)) {
      out_.line("const {} {} = {};", text_.type(node.results.front()), text_.name_value({id, 0}),
                vectors_.element(id, e));
    } else {
      text_.emit_node(id, {});
    }
    if (!passes_.kept[id]) return;
    if (is_edge_) {
      out_.line("{}[edge_item] = {};", edge_names_.at(id), text_.value({id, 0}).text);
    } else if (!vectors_.is_load(id)) {
      out_.line("{}[{}] = {};", kept_names_.at(id), kept_index(e), text_.value({id, 0}).text);
    }
  }

  void emit_store(NodeId id, const std::string& e) {
    if (!is_edge_ && vectors_.has(id)) return vectors_.set_element(id, e);
    const std::string condition = guard() + (lanes_ == Lanes::Masked ? "if (is_full) " : "");
    if (condition.empty()) return text_.emit_node(id, {});
    out_.line("{}{{", condition);
    {
      const Scope scope(out_);
      text_.emit_node(id, {});
    }
    out_.line("}}");
  }

  Accumulation make_accumulation(NodeId id) const {
    const DType dtype = ir::compute_dtype(kernel_.node(id).results.front());
    const std::int64_t step = config_.lanes() * vector();
    const IndexExpr own = config_.keeps
                              ? IndexExpr(config_.items * vector())
                              : (ir::floor_div(length() + (step - 1), step) + 1) * vector();
    return {own + edge_items() + FoldText::tree_depth(team(), config_.blocks), dtype};
  }

  LaunchRecipe make_launch() const {
    const std::int64_t per_block = threads() / team();
    IndexExpr blocks = ir::floor_div(row_count() + (per_block - 1), per_block) * config_.blocks;
    if (is_pointwise_) {
      const IndexExpr vectors = row_count() * ir::floor_div(length(), vector());
      blocks = ir::floor_div(vectors + (threads() - 1), threads());
    }
    LaunchRecipe launch = make_linear_launch(blocks, threads(), is_narrow_);
    launch.cluster[0] = config_.blocks;
    return launch;
  }

  const Kernel& kernel_;
  const RowKernel rows_;
  const bool is_pointwise_;
  const RowConfig config_;
  const RowPasses passes_;
  const bool is_narrow_;
  KernelText text_;
  support::TextWriter& out_;
  std::map<NodeId, std::string> kept_names_, edge_names_;
  RowVectors vectors_;
  struct Items {
    std::string begin, end;
  } items_;  // that are written
  std::map<NodeId, FoldText> folds_;
  std::map<NodeId, RowPositions> positions_;
  bool has_waited_ = false;
  Lanes lanes_ = Lanes::Whole;  // while an item is written
  bool is_edge_ = false;        // while an element beside the vectors is written
};

RowKernel matched(const Kernel& kernel, bool is_pointwise) {
  std::string why_not;
  auto result = is_pointwise ? match_pointwise(kernel, why_not) : match_rows(kernel, why_not);
  support::check(result.has_value(), "rows: {}", why_not);
  return *result;
}

Program emit(const Kernel& kernel, const ir::Facts& facts, const Config& config,
             bool is_pointwise) {
  const Kernel expanded = expand_for_gpu(kernel);
  RowKernel rows = matched(expanded, is_pointwise);
  RowConfig all;
  all.threads = config.at("threads");
  if (!is_pointwise) {
    all.blocks = config.at("blocks");
    all.team = config.at("team");
    all.items = config.at("items");
    all.keeps = config.at("keeps") != 0;
    if (config.at("shifted") != 0) {
      all.vectors = shifted_vectors(expanded, rows.accesses, rows.line);
    }
  }
  all.vectors.length = config.at("vector");
  return RowsText(expanded, facts, all, std::move(rows), is_pointwise).make_program();
}

}  // namespace

Program emit_rows(const Kernel& kernel, const ir::Facts& facts, const Config& config,
                  const Target&) {
  return emit(kernel, facts, config, false);
}

Program emit_pointwise(const Kernel& kernel, const ir::Facts& facts, const Config& config,
                       const Target&) {
  return emit(kernel, facts, config, true);
}

}  // namespace sinter::codegen::cuda
