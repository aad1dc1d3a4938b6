// What the generic schedule accepts, the classes it tells apart and how it ranks its configs.
#include "codegen/cuda/schedule/generic.h"

#include <algorithm>
#include <charconv>

#include "codegen/cuda/cost.h"
#include "codegen/cuda/fold_text.h"
#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/loop_nest.h"

namespace sinter::codegen::cuda {
namespace {

using ir::Facts;
using ir::Kernel;

/// Conversions to bf16 and NaN-propagating min and max are instructions from here on.
constexpr int kOldestArch = 80;

int arch_number(const std::string& arch) {
  int number = 0;
  const std::size_t begin = std::min(arch.find_first_of("0123456789"), arch.size());
  std::from_chars(arch.data() + begin, arch.data() + arch.size(), number);
  return number;
}

}  // namespace

std::optional<std::string> refuse_arch(const Target& target) {
  if (arch_number(target.arch) >= kOldestArch) return std::nullopt;
  return "it needs compute capability 8.0, the device has " + target.arch;
}

bool has_clusters(const Target& target) { return arch_number(target.arch) >= 90; }

std::optional<std::string> refuses_generic(const Kernel& kernel, const Target& target) {
  if (auto reason = refuse_arch(target)) return reason;
  return refuse_loop_nest(kernel);
}

std::vector<Facts> classes_generic(const Kernel& kernel) {
  Facts contiguous;
  for (const ir::KernelParam& param : kernel.params()) {
    contiguous.add(ir::Fact::contiguous(param.name));
  }
  std::vector<Facts> classes;
  if (const auto narrow = narrow_index_facts(kernel)) {
    Facts facts = contiguous;
    for (const ir::Fact& fact : *narrow) facts.add(fact);
    classes.push_back(facts);
  }
  classes.push_back(contiguous);
  classes.emplace_back();
  return classes;
}

std::vector<Candidate> candidates_generic(const Kernel& kernel, const Facts&, const Target& target,
                                          const std::map<std::string, std::int64_t>& sizes) {
  const LoopNest nest = make_loop_nest(kernel);
  std::vector<NestShape> shapes = {{.team = 1, .threads = 256}, {.team = 1, .threads = 64}};
  const bool may_reorder = kernel.mode() != ir::Mode::Strict;
  if (may_reorder && nest.fold && can_share_fold(kernel, *nest.fold)) {
    shapes.push_back({.team = 32, .threads = 256});
    shapes.push_back({.team = 256, .threads = 256});
  }
  std::vector<Candidate> candidates;
  for (const NestShape& shape : shapes) {
    Config config{"generic", {{"team", shape.team}, {"threads", shape.threads}}};
    candidates.push_back({config, predict_us(kernel, nest, shape, target, sizes)});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.predicted_us < b.predicted_us; });
  return candidates;
}

}  // namespace sinter::codegen::cuda
