#include "codegen/cuda/schedule/scan_cost.h"

#include <algorithm>
#include <cmath>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/line_classes.h"
#include "codegen/kernel_queries.h"
#include "ir/graph.h"

namespace sinter::codegen::cuda {

using ir::Facts;
using ir::IndexExpr;
using ir::Kernel;
using ir::NodeId;
using ir::Op;

namespace {

using Sizes = std::map<std::string, std::int64_t>;

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
constexpr double kStreamBytes = 8192;  // of a row at a time, to be moved at full speed
constexpr double kLineBytes = 128;
constexpr double kSideBytes = 64;      // of a strip of columns, likewise
constexpr double kStartUs = 0.06;      // of a block, on its multiprocessor
constexpr double kScanExposed = 0.55;  // share of the lesser time that a lone block exposes
constexpr double kMostBeside = 5;      // blocks of a multiprocessor that hide more than fewer do
constexpr double kScanRowUs = 1.5;
constexpr double kChunkUs = 0.6;    // one chunk of a block, loaded ahead
constexpr double kPartUs = 4;       // a part, from its loads to its stores
constexpr double kCounterUs = 2.5;  // clearing what parts hand on
constexpr double kAloneUs = 0.9;    // some steps down columns, whose loads nothing else hides

/// Whether neighbours along the line are no neighbours in memory.
bool is_scattered(const Kernel& kernel, const ScanKernel& scan, const ir::KernelNode& access) {
  if (line_step(kernel, access, scan.line) != LineStep::Irregular) return false;
  const auto step = ir::coefficient_of(dense_offset(kernel, access), scan.line.back());
  return step != IndexExpr(1) && step != IndexExpr(-1);
}

/// Bytes that all accesses move, each tensor at most once.
double moved_scan_bytes(const Kernel& kernel, const ScanKernel& scan, const Sizes& sizes) {
  double bytes = 0;
  for (const NodeId id : scan.accesses) {
    const ir::KernelNode& node = kernel.node(id);
    bytes += moved_bytes(kernel, node, sizes, is_scattered(kernel, scan, node));
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

}  // namespace

ScanClass make_scan_class(const Kernel& kernel, const ScanKernel& scan, const Facts& facts,
                          const Target& target, const std::map<std::string, std::int64_t>& sizes) {
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
  result.words = bytes / 4;
  return result;
}

namespace {

double registers_of(const ScanClass& scan, double elements, bool is_ahead) {
  const double held = elements * scan.words * (is_ahead ? 2 : 1);
  return std::min(28 + held + 2 * static_cast<double>(scan.fold_bytes), 168.0);
}

/// Blocks of a multiprocessor.
double places_of(double threads, double registers) {
  return std::max(std::floor(std::min(kUnitThreads, kUnitRegisters / registers) / threads), 1.0);
}

/// What all blocks together do.
struct ScanWork {
  double blocks = 1, threads = 1;  // that are started; of a block
  double places = 1;               // blocks of a multiprocessor
  double slots = 0;
  double bytes_in_flight = 0;
  double wasted = 1;    // bytes moved for each that is needed
  double block_us = 0;  // from its first load to its last store
  bool is_ahead = false;
};

double predict_work_us(const ScanClass& scan, const ScanWork& work) {
  const double units = scan.target.units;
  const double fill = std::min(1.0, work.bytes_in_flight / (units * kBytesInFlight));
  const double memory_us = scan.copied_us * work.wasted / std::max(fill, 1e-3);
  const double issue_us =
      work.slots / (units * kScanSlotsPerUnitUs) + work.blocks * kStartUs / units;
  const double beside = std::min(work.places, kMostBeside);
  const double exposed = kScanExposed / (beside * beside) * (work.is_ahead ? 0.5 : 1);
  const double waves = std::ceil(work.blocks / (work.places * units));
  return scan.target.launch_us +
         std::max(std::max(memory_us, issue_us) + exposed * std::min(memory_us, issue_us),
                  waves * work.block_us);
}

/// Sequences in parts: blocks stay, and each takes many.
double predict_parts_us(const ScanClass& scan, double parts, ScanWork work) {
  work.blocks = std::min(parts, work.blocks);
  work.block_us = std::ceil(parts / work.blocks) * kPartUs;
  // The rest of the time they wait for each other, and store.
  work.bytes_in_flight *= work.blocks / 3;
  return predict_work_us(scan, work) + kCounterUs;
}

double predict_rows_us(const ScanClass& scan, const ScanConfig& config) {
  const auto run = static_cast<double>(config.run);
  const auto at_once = static_cast<double>(config.items) * run;
  const double chunk = at_once * static_cast<double>(config.team);
  const double chunks = std::ceil(scan.length / chunk);
  const auto span = static_cast<double>(std::min<std::int64_t>(config.team, 32));
  const double step = scan.fold_slots + kShuffleSlots;
  const double element = scan.slots + 2 * scan.fold_slots +
                         (config.is_ragged() ? kRaggedSlots : 0) +
                         (std::log2(span) + 2) * step / run;
  const double across =
      config.team > 32 ? (std::log2(static_cast<double>(config.team) / 32) + 2) * step : 0;
  const double chunk_slots = at_once * element + kChunkSlots + across;
  ScanWork work;
  work.threads = static_cast<double>(config.threads);
  work.is_ahead = chunks > 1 && config.blocks == 0;
  work.places = places_of(work.threads, registers_of(scan, at_once, work.is_ahead));
  // Lanes beyond the row's end load nothing.
  const double used = std::min(1.0, scan.length / chunk);
  work.bytes_in_flight = work.threads * at_once * used * scan.bytes_read;
  const double stream = chunk * scan.bytes_read;
  if (chunks > 1) work.wasted += 0.1 * std::max(0.0, 1 - stream / kStreamBytes);
  // Lanes that lie side by side fill a line of memory, or the row.
  const double side = span * run * scan.bytes_read;
  if (side < std::min(kLineBytes, scan.length * scan.bytes_read)) work.wasted += 0.05;
  if (config.blocks > 0) {
    work.blocks = static_cast<double>(config.blocks);
    work.slots = scan.rows * chunks * work.threads * 2 * chunk_slots;
    return predict_parts_us(scan, scan.rows * chunks, work);
  }
  const std::int64_t rows_of_block = config.threads / config.team;
  work.blocks = std::ceil(scan.rows / static_cast<double>(rows_of_block));
  work.bytes_in_flight *= std::min(work.blocks, work.places * scan.target.units);
  work.slots = work.blocks * work.threads * (kScanThreadSlots + chunks * chunk_slots);
  work.block_us = kScanRowUs + (chunks - 1) * kChunkUs;
  return predict_work_us(scan, work);
}

double predict_columns_us(const ScanClass& scan, const ScanConfig& config) {
  const auto run = static_cast<double>(config.run);
  const auto at_once = static_cast<double>(config.items) * run;
  const auto team = static_cast<double>(config.team);
  const bool is_alone = config.team == config.threads;
  ScanWork work;
  work.threads = static_cast<double>(config.threads);
  const double columns = std::ceil(scan.rows / run);
  const double strips = std::ceil(columns / team);
  const double steps = static_cast<double>(config.items) * work.threads / team;
  const double chunks = std::ceil(scan.length / steps);
  const double element = scan.slots + (is_alone ? 1 : 2) * scan.fold_slots;
  const double across =
      is_alone ? 0 : run * (std::log2(32 / team) + 3) * (scan.fold_slots + kShuffleSlots);
  const double chunk_slots = at_once * element + across + kChunkSlots;
  work.is_ahead = config.blocks == 0;
  work.places = places_of(work.threads, registers_of(scan, at_once, work.is_ahead));
  const double side = std::min(team * run, scan.rows) * scan.bytes_read;
  work.wasted = std::max(1.0, 32 / side) + (side < kSideBytes ? 0.1 : 0);
  const double used = std::min(1.0, scan.length / steps) * std::min(1.0, columns / team);
  work.bytes_in_flight = work.threads * at_once * used * scan.bytes_read;
  if (config.blocks > 0) {
    work.blocks = static_cast<double>(config.blocks);
    work.slots = strips * chunks * work.threads * 2 * chunk_slots;
    return predict_parts_us(scan, strips * chunks, work);
  }
  work.blocks = strips;
  work.bytes_in_flight *= std::min(work.blocks, work.places * scan.target.units) * 2;
  work.slots = work.blocks * work.threads * (kScanThreadSlots + chunks * chunk_slots);
  work.block_us = kScanRowUs + (chunks - 1) * (is_alone ? kAloneUs : 2 * kChunkUs);
  return predict_work_us(scan, work);
}

}  // namespace

std::int64_t resident_blocks(const ScanClass& scan, const ScanConfig& config) {
  const double registers =
      registers_of(scan, static_cast<double>(config.items * config.run), false);
  return scan.target.units *
         static_cast<std::int64_t>(places_of(static_cast<double>(config.threads), registers));
}

double predict_scan_us(const ScanClass& scan, const ScanConfig& config) {
  return scan.scan.is_columns ? predict_columns_us(scan, config) : predict_rows_us(scan, config);
}

}  // namespace sinter::codegen::cuda
