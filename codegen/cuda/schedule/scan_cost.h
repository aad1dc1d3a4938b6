// What a config of the schedule scan is predicted to cost.
#pragma once

#include <map>
#include <string>

#include "codegen/cuda/schedule/scan_kernel.h"
#include "codegen/target.h"

namespace sinter::codegen::cuda {

/// Figures of a class that its candidates share.
struct ScanClass {
  const ir::Kernel& kernel;
  const ScanKernel& scan;
  const Target& target;
  LineVectors vectors;
  double copied_us = 0;
  double bytes_read = 0;  // of an element
  double length = 1, rows = 1;
  double slots = 0;       // of an element, without the scan
  double fold_slots = 1;  // of one step of the scan
  double words = 1;       // registers of an element that is loaded ahead
  std::int64_t fold_bytes = 4;
};

/// For sizes of about `sizes`; length and rows may be set to others.
ScanClass make_scan_class(const ir::Kernel& kernel, const ScanKernel& scan, const ir::Facts& facts,
                          const Target& target, const std::map<std::string, std::int64_t>& sizes);

/// Blocks that the device holds at once.
std::int64_t resident_blocks(const ScanClass& scan, const ScanConfig& config);

/// Microseconds: launch + max(memory, instructions) with a part of the lesser one where few blocks share a
/// multiprocessor, or the chain of one block after the other. Memory is a plain copy's time, longer where too few
/// bytes are under way or they lie in pieces.
double predict_scan_us(const ScanClass& scan, const ScanConfig& config);

}  // namespace sinter::codegen::cuda
