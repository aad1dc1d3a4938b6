#include "codegen/cuda/schedule/scan_body.h"

#include "codegen/cuda/index_facts.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {

using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;
using Scope = support::TextWriter::Scope;

namespace {

constexpr std::string_view kScanWords[] = {
    "ahead_in_group", "chunk",  "column",  "distance",   "drawn",      "e",      "element",
    "first",          "group",  "place",   "sequence",   "sequences",  "groups", "of_groups",
    "of_parts",       "before", "is_full", "is_here",    "is_inside",  "item",   "left",
    "left_ahead",     "length", "offset",  "other",      "part",       "parts",  "piece",
    "pieces",         "reach",  "row",     "row_wanted", "rows_total", "shift",  "slot",
    "state",          "turn",   "vectors"};

RowConfig row_config(const ScanConfig& config) {
  RowConfig rows;
  rows.threads = config.threads;
  rows.team = config.team;
  rows.items = config.items;
  rows.keeps = false;
  rows.vectors = config.vectors;
  rows.partial = config.is_shifted();
  return rows;
}

}  // namespace

ScanBody::ScanBody(const Kernel& kernel, const ir::Facts& facts, const ScanConfig& config,
                   ScanKernel scan, bool is_single)
    : kernel_(kernel),
      scan_(std::move(scan)),
      config_(config),
      row_config_(row_config(config)),
      passes_(plan_scan_passes(kernel, scan_, config.vectors, is_single)),
      is_narrow_(is_narrow_index(kernel, facts)),
      text_(kernel, facts, true, kScanWords),
      fold_(text_, scan_.scan),
      tree_(text_, fold_),
      vectors_(text_, scan_.line, row_config_, false) {
  for (const NodeId id : scan_.accesses) {
    if (!vectors_.has(id)) continue;
    (kernel.node(id).op == Op::Load ? loads_ : stores_).push_back(id);
  }
}

void ScanBody::emit_fixed() {
  for (const NodeId id : scan_.live) {
    if (!scan_.is_varying(kernel_, id)) text_.emit_node(id, {});
  }
}

void ScanBody::emit_bases(bool has_loads, bool has_stores) {
  if (has_loads) {
    for (const NodeId id : loads_) vectors_.emit_base(id);
  }
  if (has_stores) {
    for (const NodeId id : stores_) vectors_.emit_base(id);
  }
}

void ScanBody::declare_loads() {
  for (const NodeId id : loads_) vectors_.declare_loads(id, !config_.is_shifted());
}

void ScanBody::emit_loads() {
  for (const NodeId id : loads_) vectors_.emit_load(id);
}

void ScanBody::emit_ahead(const std::function<void()>& body) {
  std::map<NodeId, std::string> current;
  for (const NodeId id : loads_) current[id] = vectors_.name(id);
  declare_loads();
  body();
  for (const NodeId id : loads_) {
    ahead_names_[id] = vectors_.name(id);
    vectors_.rename(id, current.at(id));
  }
}

void ScanBody::emit_advance() {
  if (loads_.empty()) return;
  emit_items([&] {
    for (const NodeId id : loads_) {
      out().line("{}[item] = {}[item];", vectors_.name(id), ahead_names_.at(id));
    }
  });
}

void ScanBody::declare_kept() {
  for (const NodeId id : passes_.kept) {
    kept_names_[id] = text_.make_name("kept_" + std::to_string(id));
    out().line("{} {}[{}];", text_.type(kernel_.node(id).results.front()), kept_names_.at(id),
               config_.items * config_.run);
  }
}

std::string ScanBody::kept_element(NodeId id, const std::string& e) const {
  return fmt::format("{}[item * {} + {}]", kept_names_.at(id), config_.run, e);
}

void ScanBody::emit_first(const std::string& e) {
  emit_nodes(passes_.first, e, "");
  for (const NodeId id : passes_.kept) {
    out().line("{} = {};", kept_element(id, e), text_.value({id, 0}).text);
  }
  emit_here([&] { fold_.emit_operands(); });
}

void ScanBody::emit_here(const std::function<void()>& step) {
  if (!config_.is_ragged()) return step();
  FoldNames running;
  for (const ScalarText& accumulator : fold_.accumulators()) running.push_back(accumulator.text);
  const FoldNames before = tree_.declare("before", running);
  step();
  tree_.assign(running, before, "if (!is_here) ");
}

void ScanBody::emit_second(const std::string& e, bool is_guarded) {
  for (const NodeId id : passes_.kept) text_.set_value({id, 0}, kept_element(id, e));
  std::string guard;
  if (is_guarded || config_.is_ragged()) {
    guard = fmt::format("if ({}{}{}) ", is_guarded ? "is_inside" : "",
                        is_guarded && config_.is_ragged() ? " && " : "",
                        config_.is_ragged() ? "is_here" : "");
  }
  emit_nodes(passes_.second, e, guard);
}

void ScanBody::emit_nodes(const std::vector<NodeId>& nodes, const std::string& e,
                          const std::string& guard) {
  for (const NodeId id : nodes) {
    const KernelNode& node = kernel_.node(id);
    if (id == scan_.scan) {
      emit_here([&] { fold_.emit_step(); });
    } else if (vectors_.is_load(id)) {
      out().line("const {} {} = {};", text_.type(node.results.front()), text_.name_value({id, 0}),
                 vectors_.element(id, e));
    } else if (node.op != Op::Store) {
      text_.emit_node(id, {});
    } else if (vectors_.has(id)) {
      vectors_.set_element(id, e);
    } else if (guard.empty()) {
      text_.emit_node(id, {});
    } else {
      out().line("{}{{", guard);
      {
        const Scope scope(out());
        text_.emit_node(id, {});
      }
      out().line("}}");
    }
  }
}

void ScanBody::declare_stores() {
  for (const NodeId id : stores_) vectors_.declare_store(id);
}

void ScanBody::emit_stores(bool is_guarded) {
  for (const NodeId id : stores_) {
    vectors_.emit_store(id, false, is_guarded ? "if (is_inside) " : "");
  }
}

void ScanBody::emit_elements(const std::function<void()>& body) {
  const bool is_back = scan_.is_reverse && !scan_.is_columns;
  out().line("#pragma unroll");
  if (is_back) {
    out().line("for (int e = {}; e >= 0; --e) {{", config_.run - 1);
  } else {
    out().line("for (int e = 0; e < {}; ++e) {{", config_.run);
  }
  {
    const Scope scope(out());
    if (config_.is_ragged()) {
      // Elements outside run along with another one's place: branches would nest too deep.
      out().line("const bool is_here = is_full || (first + e >= 0 && first + e < length);");
      out().line("const idx element = is_here ? first + e : 0;");
    } else {
      out().line("const idx element = first + e;");
    }
    text_.emit_axes("element", scan_.line);
    body();
  }
  out().line("}}");
}

void ScanBody::emit_items(const std::function<void()>& body) {
  out().line("#pragma unroll");
  out().line("for (int item = 0; item < {}; ++item) {{", config_.items);
  {
    const Scope scope(out());
    body();
  }
  out().line("}}");
}

}  // namespace sinter::codegen::cuda
