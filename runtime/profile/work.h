// How much work a Graph asks for: the basis of TFLOP/s and GB/s.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ir/graph.h"

namespace sinter::runtime {

/// flops: 2·m·n·k for products, one for each arithmetic operator and element, one for each element
/// that a reduction reads. ideal_bytes: each input read once, each output written once.
struct Work {
  double flops = 0;
  double ideal_bytes = 0;
};

Work count_work(const ir::Graph& graph, const std::map<std::string, std::int64_t>& sizes);

}  // namespace sinter::runtime
