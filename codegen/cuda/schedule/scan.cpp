// What the schedule scan accepts, the classes it tells apart and how it ranks its configs.
#include "codegen/cuda/schedule/scan.h"

#include <algorithm>

#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/line_classes.h"
#include "codegen/cuda/native_functions.h"
#include "codegen/cuda/schedule/generic.h"
#include "codegen/cuda/schedule/scan_cost.h"
#include "codegen/cuda/schedule/scan_emit.h"
#include "codegen/cuda/schedule/scan_kernel.h"
#include "codegen/kernel_queries.h"
#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

using ir::Facts;
using ir::IndexExpr;
using ir::Kernel;
using ir::NodeId;
using ir::Op;
using Sizes = std::map<std::string, std::int64_t>;

/// Bounds of row lengths that classes tell apart where the length has a name, and what lies beyond.
constexpr std::int64_t kLengthBounds[] = {128, 1024, 8192};
constexpr std::int64_t kBeyondLengths = 65536;
/// So many rows are few: fewer than blocks that keep memory busy.
constexpr std::int64_t kFewRows = 256;
constexpr std::int64_t kRowsOfFew = 16;
constexpr std::int64_t kSingleRun =
    4;  // elements side by side, where they are not moved in vectors
constexpr std::int64_t kTeamThreads = 256;  // of a block whose warps have rows of their own
constexpr std::int64_t kMostShared = 40 * 1024;

ScanKernel matched_scan(const Kernel& kernel) {
  std::string why_not;
  auto scan = match_scan(kernel, why_not);
  support::check(scan.has_value(), "scan: {}", why_not);
  return std::move(*scan);
}

/// Integers wrap, and extremes round nothing.
bool is_exact_in_any_order(const Kernel& kernel, NodeId scan) {
  const ir::KernelNode& node = kernel.node(scan);
  const Op op = node.attributes.get<ir::Reducer>(ir::AttributeName::Reducer).op;
  if (op == Op::Minimum || op == Op::Maximum) return true;
  return op != Op::None && !ir::is_float(node.results.front());
}

std::optional<std::string> refuses_scan(const Kernel& kernel, const Target& target) {
  std::string why_not;
  const auto scan = match_scan(kernel, why_not);
  if (!scan) return why_not;
  if (kernel.mode() == ir::Mode::Strict && !is_exact_in_any_order(kernel, scan->scan)) {
    return "strict mode fixes the order of its scan";
  }
  return refuse_arch(target);
}

std::vector<Facts> scan_classes(const Kernel& kernel) {
  const ScanKernel scan = matched_scan(kernel);
  const IndexExpr length = kernel.axes()[scan.axis].extent;
  const IndexExpr rows = extent_of(kernel, scan.kept);
  return line_classes(kernel, scan.accesses, scan.line, !scan.is_columns,
                      [&](const Facts& facts, std::int64_t vector, const AddClass& add) {
                        if (scan.is_columns || vector == 1) return;
                        const auto add_range = [&](const IndexExpr& expr, std::int64_t bound) {
                          Facts bounded = facts;
                          bounded.add(ir::Fact::range(expr, 0, bound));
                          add(bounded);
                        };
                        if (!length.is_constant()) {
                          for (const std::int64_t bound : kLengthBounds) add_range(length, bound);
                        }
                        if (!rows.is_constant()) add_range(rows, kFewRows);
                      });
}

Config to_config(const ScanConfig& config, bool is_columns) {
  return {"scan",
          {{"columns", is_columns ? 1 : 0},
           {"threads", config.threads},
           {"team", config.team},
           {"items", config.items},
           {"run", config.run},
           {"once", config.is_once ? 1 : 0},
           {"blocks", config.blocks},
           {"vector", config.vectors.length},
           {"shifted", config.is_shifted() ? 1 : 0}}};
}

/// The longest row of a class; nullopt where it has no bound.
std::optional<std::int64_t> length_bound(const ScanClass& scan, const Facts& facts) {
  const IndexExpr& length = scan.kernel.axes()[scan.scan.axis].extent;
  if (const auto number = length.as_constant()) return number;
  for (const std::int64_t bound : kLengthBounds) {
    if (facts.has(ir::Fact::range(length, 0, bound))) return bound;
  }
  return std::nullopt;
}

/// Whether a step of the scan is long, and takes many registers.
bool is_dear(const ScanClass& scan) { return scan.fold_slots > 4; }

std::int64_t most_threads(const ScanClass& scan) { return is_dear(scan) ? 512 : 1024; }

/// Elements that a thread may have at once, for the sake of registers.
std::int64_t most_elements(const ScanClass& scan, std::int64_t threads) {
  const bool is_wide = is_dear(scan) || scan.fold_bytes > 4;
  const bool is_single = scan.vectors.length == 1;
  const std::int64_t most = is_wide && is_single ? 4 : is_wide || is_single ? 16 : 32;
  const auto words = std::max<std::int64_t>(static_cast<std::int64_t>(scan.words), 1);
  return most / words / (threads > 512 ? 2 : 1);
}

std::vector<ScanConfig> row_configs(const ScanClass& scan, std::optional<std::int64_t> bound) {
  ScanConfig config;
  config.vectors = scan.vectors;
  config.run = scan.vectors.length > 1 ? scan.vectors.length : kSingleRun;
  const std::int64_t beyond = config.is_shifted() ? config.run - 1 : 0;
  std::vector<ScanConfig> configs;
  const auto add = [&](std::int64_t team, std::int64_t items) {
    config.team = team;
    config.threads = team <= 32 ? kTeamThreads : team;
    config.items = items;
    const std::int64_t chunk = team * items * config.run;
    config.is_once = bound && *bound + beyond <= chunk;
    const bool is_idle = bound && team * config.run >= 2 * (*bound + beyond);
    const bool is_too_much = items > 1 && items * config.run > most_elements(scan, config.threads);
    const bool has_idle_items =
        bound && items > 1 && (items / 2) * team * config.run >= *bound + beyond;
    if ((is_idle && team > 1) || is_too_much || has_idle_items) return;
    // Two chunks at a time would take too many registers.
    if (!config.is_once && (team < 32 || items > 4)) return;
    configs.push_back(config);
  };
  // Of equals the first one is taken.
  for (const std::int64_t items : {2, 4, 1, 8}) {
    for (const std::int64_t team : {256, 128, 512, 64, 32, 16, 8, 4, 2, 1, 1024}) {
      if (team <= most_threads(scan)) add(team, items);
    }
  }
  // Parts of rows: blocks that fill the device, each with as much as memory needs under way.
  for (const std::int64_t threads : {256, 512}) {
    for (const std::int64_t items : {2, 4}) {
      config.team = config.threads = threads;
      config.items = items;
      config.is_once = false;
      if (items * config.run > most_elements(scan, threads)) continue;
      if (bound && *bound < 2 * threads * items * config.run) continue;
      config.blocks = resident_blocks(scan, config);
      configs.push_back(config);
      config.blocks = 0;
    }
  }
  return configs;
}

std::vector<ScanConfig> column_configs(const ScanClass& scan) {
  ScanConfig config;
  config.vectors = scan.vectors;
  config.run = scan.vectors.length;
  std::vector<ScanConfig> configs;
  for (const std::int64_t items : {1, 2, 4, 8}) {
    config.items = items;
    const auto fits = [&](std::int64_t threads) {
      return items == 1 || items * config.run <= most_elements(scan, threads);
    };
    for (const std::int64_t threads : {64, 128, 256}) {
      if (!fits(threads)) continue;
      config.team = config.threads = threads;
      configs.push_back(config);
    }
    for (std::int64_t threads = 256; threads <= most_threads(scan); threads *= 2) {
      for (const std::int64_t team : {4, 8, 16, 32}) {
        config.threads = threads;
        config.team = team;
        const std::int64_t width = team * config.run;
        const std::int64_t shared = 2 * (threads / 32) * width * scan.fold_bytes;
        if (width > threads || shared > kMostShared || !fits(threads)) continue;
        configs.push_back(config);
        config.blocks = resident_blocks(scan, config);
        configs.push_back(config);
        config.blocks = 0;
      }
    }
  }
  return configs;
}

/// Sizes that stand for the class where others have narrower bounds.
void set_representative(ScanClass& scan, const Facts& facts, std::optional<std::int64_t> bound) {
  const bool has_classes =
      !scan.scan.is_columns && scan.vectors.length > 1 && is_narrow_index(scan.kernel, facts);
  if (!has_classes) return;
  const bool is_named = !scan.kernel.axes()[scan.scan.axis].extent.is_constant();
  if (is_named && bound) scan.length = std::min(scan.length, static_cast<double>(*bound));
  if (is_named && !bound) scan.length = std::max<double>(scan.length, kBeyondLengths);
  const IndexExpr rows = extent_of(scan.kernel, scan.scan.kept);
  if (rows.is_constant() || (is_named && bound)) return;
  if (facts.has(ir::Fact::range(rows, 0, kFewRows))) {
    scan.rows = std::min<double>(scan.rows, kRowsOfFew);
  } else {
    scan.rows = std::max<double>(scan.rows, kFewRows + 1);
  }
}

std::vector<Candidate> scan_candidates(const Kernel& kernel, const Facts& facts,
                                       const Target& target, const Sizes& sizes) {
  const ScanKernel scan = matched_scan(kernel);
  ScanClass figures = make_scan_class(kernel, scan, facts, target, sizes);
  const auto bound = length_bound(figures, facts);
  set_representative(figures, facts, bound);
  std::vector<Candidate> candidates;
  for (const ScanConfig& config :
       scan.is_columns ? column_configs(figures) : row_configs(figures, bound)) {
    candidates.push_back({to_config(config, scan.is_columns), predict_scan_us(figures, config)});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.predicted_us < b.predicted_us; });
  return candidates;
}

Program emit_scan(const Kernel& kernel, const Facts& facts, const Config& config, const Target&) {
  const Kernel expanded = expand_for_gpu(kernel);
  const ScanKernel scan = matched_scan(expanded);
  ScanConfig all;
  all.threads = config.at("threads");
  all.team = config.at("team");
  all.items = config.at("items");
  all.run = config.at("run");
  all.is_once = config.at("once") != 0;
  all.blocks = config.at("blocks");
  if (config.at("shifted") != 0) {
    all.vectors = shifted_vectors(expanded, scan.accesses, scan.line);
  }
  all.vectors.length = config.at("vector");
  support::check((config.at("columns") != 0) == scan.is_columns,
                 "scan: the config is for the other form");
  return scan.is_columns ? emit_scan_columns(expanded, facts, all, scan)
                         : emit_scan_rows(expanded, facts, all, scan);
}

}  // namespace

const Schedule kScanSchedule = {"scan", refuses_scan, scan_classes, scan_candidates, emit_scan};

}  // namespace sinter::codegen::cuda
