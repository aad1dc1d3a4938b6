// What the schedule scan accepts, the classes it tells apart and how it ranks its configs.
#include "codegen/cuda/schedule/scan.h"

#include <algorithm>
#include <cmath>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/line_classes.h"
#include "codegen/cuda/native_functions.h"
#include "codegen/cuda/schedule/generic.h"
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
constexpr std::int64_t kSingleRun =
    4;  // elements side by side, where they are not moved in vectors
constexpr std::int64_t kTeamThreads = 128;  // of a block whose warps have rows of their own
constexpr std::int64_t kMostShared = 40 * 1024;

constexpr double kAccessSlotsOfVector = 1;
constexpr double kSingleAccessSlots = 5;
constexpr double kRaggedSlots = 4;  // guards of an element of runs that may be incomplete
constexpr double kShuffleSlots = 3;
constexpr double kScanThreadSlots = 30;
constexpr double kChunkSlots = 25;  // the warps of a block, the carry
constexpr double kScanSlotsPerUnitUs = 128 * 1750;
constexpr double kBytesInFlight = 20 * 1024;  // of a multiprocessor, to keep memory busy
constexpr double kUnitThreads = 2048;
constexpr double kUnitRegisters = 65536;
constexpr double kScanRowUs = 1.5;
constexpr double kChunkUs = 0.6;    // one chunk of a block, loaded ahead
constexpr double kPartUs = 4;       // a part, from its loads to its stores
constexpr double kCounterUs = 2.5;  // clearing what parts hand on
constexpr double kAloneUs = 0.9;    // some steps down columns, whose loads nothing else hides

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

/// Figures of a class that its candidates share.
struct ScanClass {
  const Kernel& kernel;
  const ScanKernel& scan;
  const Target& target;
  LineVectors vectors;
  double copied_us = 0;
  double bytes_read = 0;  // of an element
  double length = 1, rows = 1;
  double slots = 0;        // of an element, without the scan
  double fold_slots = 1;   // of one step of the scan
  std::int64_t words = 1;  // registers of an element that is loaded ahead
  std::int64_t fold_bytes = 4;
};

/// Bytes that all accesses move, each tensor at most once.
double moved_scan_bytes(const Kernel& kernel, const ScanKernel& scan, const Sizes& sizes) {
  double bytes = 0;
  for (const NodeId id : scan.accesses) {
    const ir::KernelNode& node = kernel.node(id);
    const ir::KernelParam& param = tensor_of(kernel, node);
    double all = 1, touched = 1;
    for (const IndexExpr& extent : param.shape) all *= std::max(estimate(extent, sizes), 1.0);
    for (const ir::AxisId axis : node.domain) {
      touched *= std::max(estimate(kernel.axes()[axis].extent, sizes), 1.0);
    }
    bytes += std::min(all, touched) * static_cast<double>(size_bytes(param.dtype));
  }
  return bytes;
}

/// Issue slots of one step of the scan.
double step_slots(const Kernel& kernel, NodeId scan) {
  const ir::KernelNode& node = kernel.node(scan);
  const auto& reducer = node.attributes.get<ir::Reducer>(ir::AttributeName::Reducer);
  if (!reducer.function) return 1;
  double slots = 0;
  for (const ir::Node& step : reducer.function->nodes()) {
    if (step.op == Op::Parameter || step.op == Op::Constant) continue;
    slots += scalar_slots(kernel, step.op, reducer.function->type(step.operands.front()).dtype);
  }
  return slots;
}

ScanClass make_scan_class(const Kernel& kernel, const ScanKernel& scan, const Facts& facts,
                          const Target& target, const Sizes& sizes) {
  ScanClass result{kernel, scan, target, {}};
  result.vectors =
      allowed_vectors(kernel, scan.accesses, scan.line,
                      vector_ways(kernel, scan.accesses, scan.line, !scan.is_columns), facts);
  result.copied_us = copy_us(moved_scan_bytes(kernel, scan, sizes), target);
  result.length = std::max(estimate(kernel.axes()[scan.axis].extent, sizes), 1.0);
  result.rows = std::max(estimate(extent_of(kernel, scan.kept), sizes), 1.0);
  result.fold_slots = step_slots(kernel, scan.scan);
  result.fold_bytes = 0;
  for (const ir::DType dtype : kernel.node(scan.scan).results) {
    result.fold_bytes += static_cast<std::int64_t>(size_bytes(ir::compute_dtype(dtype)));
  }
  double bytes = 0;
  for (const NodeId id : scan.live) {
    const ir::KernelNode& node = kernel.node(id);
    if (id == scan.scan || !scan.is_varying(kernel, id)) continue;
    if (node.op == Op::Load || node.op == Op::Store) {
      const bool is_vector = is_vector_access(kernel, id, scan.line, result.vectors);
      result.slots += is_vector ? kAccessSlotsOfVector : kSingleAccessSlots;
      if (node.op == Op::Load) {
        const auto size = static_cast<double>(size_bytes(tensor_of(kernel, node).dtype));
        result.bytes_read += size;
        if (is_vector) bytes += size;
      }
    } else {
      result.slots += operator_slots(kernel, node);
    }
  }
  result.words = std::max<std::int64_t>(static_cast<std::int64_t>(std::ceil(bytes / 4)), 1);
  return result;
}

double registers_of(const ScanClass& scan, double elements, bool is_ahead) {
  const double held = elements * static_cast<double>(scan.words) * (is_ahead ? 2 : 1);
  return std::min(28 + held + 2 * static_cast<double>(scan.fold_bytes), 168.0);
}

/// Blocks of a multiprocessor.
double places_of(double threads, double registers) {
  return std::max(std::floor(std::min(kUnitThreads, kUnitRegisters / registers) / threads), 1.0);
}

/// The greater of memory and instructions, where so many bytes are read by all blocks that run.
double busy_us(const ScanClass& scan, double slots, double bytes_in_flight) {
  const double fill = std::min(1.0, bytes_in_flight / (scan.target.units * kBytesInFlight));
  const double issue_us = slots / (scan.target.units * kScanSlotsPerUnitUs);
  return std::max(scan.copied_us / std::max(fill, 1e-3), issue_us);
}

double predict_rows_us(const ScanClass& scan, const ScanConfig& config) {
  const auto run = static_cast<double>(config.run);
  const auto at_once = static_cast<double>(config.items) * run;
  const double chunk = at_once * static_cast<double>(config.team);
  const auto threads = static_cast<double>(config.threads);
  const double chunks = std::ceil(scan.length / chunk);
  const double places =
      places_of(threads, registers_of(scan, at_once, !config.is_once && config.blocks == 0));
  const auto span = static_cast<double>(std::min<std::int64_t>(config.team, 32));
  const double element = scan.slots + 2 * scan.fold_slots +
                         (config.is_ragged() ? kRaggedSlots : 0) +
                         (std::log2(span) + 2) * (scan.fold_slots + kShuffleSlots) / run;
  const double chunk_slots = at_once * element + kChunkSlots +
                             (config.team > 32 ? 5 * (scan.fold_slots + kShuffleSlots) : 0);
  if (config.blocks > 0) {
    const double pieces = scan.rows * chunks;
    const double at_work = std::min(pieces, places * scan.target.units);
    const double slots = pieces * threads * (2 * chunk_slots);
    return scan.target.launch_us + kCounterUs +
           std::max(busy_us(scan, slots, at_work * threads * at_once * scan.bytes_read / 3),
                    std::ceil(pieces / at_work) * kPartUs);
  }
  const double teams = static_cast<double>(config.threads / config.team);
  const double blocks = std::ceil(scan.rows / teams);
  const double at_work = std::min(blocks, places * scan.target.units);
  const double waves = std::ceil(blocks / (places * scan.target.units));
  // Lanes beyond the row's end load nothing.
  const double used = std::min(1.0, scan.length / chunk);
  const double flight = at_work * threads * at_once * used * scan.bytes_read;
  const double slots = blocks * threads * (kScanThreadSlots + chunks * chunk_slots);
  // Blocks beyond the last full round leave some multiprocessors idle.
  const double rounds = blocks / (places * scan.target.units);
  const double idle = chunks > 1 && rounds > 1 ? std::ceil(rounds) / rounds : 1;
  return scan.target.launch_us + std::max(busy_us(scan, slots, flight) * (1 + 0.3 * (idle - 1)),
                                          waves * (kScanRowUs + (chunks - 1) * kChunkUs));
}

double predict_columns_us(const ScanClass& scan, const ScanConfig& config) {
  const auto run = static_cast<double>(config.run);
  const auto at_once = static_cast<double>(config.items) * run;
  const auto threads = static_cast<double>(config.threads);
  const bool is_alone = config.team == config.threads;
  const double columns = std::ceil(scan.rows / run);
  const double blocks = std::ceil(columns / static_cast<double>(config.team));
  const double places = places_of(threads, registers_of(scan, at_once, true));
  const double at_work = std::min(blocks, places * scan.target.units);
  const double waves = std::ceil(blocks / (places * scan.target.units));
  const double steps = static_cast<double>(config.items * config.threads / config.team);
  const double chunks = std::ceil(scan.length / steps);
  const double element = scan.slots + (is_alone ? 1 : 2) * scan.fold_slots;
  const double across = is_alone ? 0
                                 : run * (std::log2(32.0 / static_cast<double>(config.team)) + 3) *
                                       (scan.fold_slots + kShuffleSlots);
  const double slots =
      blocks * threads * (kScanThreadSlots + chunks * (at_once * element + across));
  // Less than two sectors side by side are moved as two.
  const double side = static_cast<double>(config.team) * run * scan.bytes_read;
  const double wasted = std::max(1.0, 64 / std::max(side, 1.0));
  const double used = std::min(1.0, scan.length / steps);
  const double flight =
      std::min(at_work * threads, columns * threads / static_cast<double>(config.team)) * at_once *
      used * scan.bytes_read * 2;
  return scan.target.launch_us +
         std::max(busy_us(scan, slots, flight) * wasted,
                  waves * (kScanRowUs + (chunks - 1) * (is_alone ? kAloneUs : 2 * kChunkUs)));
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
std::int64_t most_elements(const ScanClass& scan) {
  const bool is_narrow = !is_dear(scan) && scan.fold_bytes <= 4 && scan.vectors.length > 1;
  return (is_narrow ? 32 : 16) / scan.words;
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
    const bool is_too_much = items > 1 && items * config.run > most_elements(scan);
    const bool has_idle_items =
        bound && items > 1 && (items / 2) * team * config.run >= *bound + beyond;
    if ((is_idle && team > 1) || is_too_much || has_idle_items) return;
    if (team < 32 && !config.is_once) return;
    configs.push_back(config);
  };
  for (const std::int64_t items : {1, 2, 4, 8}) {
    for (std::int64_t team = 1; team <= most_threads(scan); team *= 2) add(team, items);
  }
  // Parts of rows: blocks that fill the device, each with as much as memory needs under way.
  for (const std::int64_t threads : {256, 512}) {
    for (const std::int64_t items : {2, 4}) {
      config.team = config.threads = threads;
      config.items = items;
      config.is_once = false;
      if (items * config.run > most_elements(scan)) continue;
      if (bound && *bound < 2 * threads * items * config.run) continue;
      const double registers = registers_of(scan, static_cast<double>(items * config.run), false);
      config.blocks = scan.target.units *
                      static_cast<std::int64_t>(places_of(static_cast<double>(threads), registers));
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
  const auto fits = [&](std::int64_t items) {
    return items == 1 || items * config.run <= most_elements(scan);
  };
  std::vector<ScanConfig> configs;
  for (const std::int64_t items : {1, 2, 4, 8}) {
    config.items = items;
    if (!fits(items)) break;
    for (const std::int64_t threads : {64, 128, 256}) {
      config.team = config.threads = threads;
      configs.push_back(config);
    }
    for (std::int64_t threads = 256; threads <= most_threads(scan); threads *= 2) {
      for (const std::int64_t team : {4, 8, 16, 32}) {
        config.threads = threads;
        config.team = team;
        const std::int64_t width = team * config.run;
        const std::int64_t shared = 2 * (threads / 32) * width * scan.fold_bytes;
        if (width <= threads && shared <= kMostShared) configs.push_back(config);
      }
    }
  }
  return configs;
}

std::vector<Candidate> scan_candidates(const Kernel& kernel, const Facts& facts,
                                       const Target& target, const Sizes& sizes) {
  const ScanKernel scan = matched_scan(kernel);
  ScanClass figures = make_scan_class(kernel, scan, facts, target, sizes);
  const auto bound = length_bound(figures, facts);
  std::vector<Candidate> candidates;
  for (const ScanConfig& config :
       scan.is_columns ? column_configs(figures) : row_configs(figures, bound)) {
    const double predicted =
        scan.is_columns ? predict_columns_us(figures, config) : predict_rows_us(figures, config);
    candidates.push_back({to_config(config, scan.is_columns), predicted});
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
