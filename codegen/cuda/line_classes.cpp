#include "codegen/cuda/line_classes.h"

#include <algorithm>

#include "codegen/cuda/index_facts.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {

using ir::AxisId;
using ir::Facts;
using ir::Kernel;
using ir::NodeId;

std::vector<LineVectors> vector_ways(const Kernel& kernel, const std::vector<NodeId>& accesses,
                                     const std::vector<AxisId>& line, bool may_shift) {
  std::vector<LineVectors> ways = {aligned_vectors(kernel, accesses, line)};
  const auto length = extent_of(kernel, line).as_constant();
  if (length && *length % ways[0].length != 0 && *length % (ways[0].length / 2) == 0) {
    ways[0].length /= 2;
  }
  if (may_shift) ways.push_back(shifted_vectors(kernel, accesses, line));
  std::erase_if(ways, [](const LineVectors& way) { return way.length == 1; });
  ways.emplace_back();
  return ways;
}

std::vector<Facts> line_classes(const Kernel& kernel, const std::vector<NodeId>& accesses,
                                const std::vector<AxisId>& line, bool may_shift,
                                const AddBounds& add_bounds) {
  std::vector<Facts> classes;
  const auto narrow = narrow_index_facts(kernel);
  const AddClass add = [&](Facts facts) {
    if (std::find(classes.begin(), classes.end(), facts) == classes.end()) {
      classes.push_back(std::move(facts));
    }
  };
  for (const LineVectors& way : vector_ways(kernel, accesses, line, may_shift)) {
    const auto facts = vector_facts(kernel, accesses, line, way);
    if (!facts) continue;
    if (narrow) {
      Facts all = *facts;
      for (const ir::Fact& fact : *narrow) all.add(fact);
      add_bounds(all, way.length, add);
      add(all);
    }
    if (way.length > 1) add(*facts);
  }
  if (narrow) add(Facts(*narrow));
  add({});
  return classes;
}

}  // namespace sinter::codegen::cuda
