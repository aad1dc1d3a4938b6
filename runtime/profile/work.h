// How much work a Graph asks for: the basis of TFLOP/s and GB/s.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ir/graph.h"
#include "runtime/profile/arithmetic.h"

namespace sinter::runtime {

/// flops: 2·m·n·k for products, one for each arithmetic operator and element, one for each element
/// that a reduction reads. Bytes: each element that is needed of an input read once, each output written once.
struct Work {
  double flops = 0;
  std::map<Arithmetic, double> flops_by_kind;
  double bytes_read = 0, bytes_written = 0;
  double ideal_bytes = 0;  // both
  /// An implementation may leave some of it out: what a causal or windowed attention does not see.
  bool is_upper_bound = false;
};

/// UserError where a size is missing.
Work count_work(const ir::Graph& graph, const std::map<std::string, std::int64_t>& sizes);

}  // namespace sinter::runtime
