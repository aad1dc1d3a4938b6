#include "tests/plan/fake_schedules.h"

#include <algorithm>
#include <set>

#include "support/check.h"

namespace sinter::tests {

namespace {

using codegen::Candidate;
using codegen::Schedule;
using ir::Op;
using Sizes = std::map<std::string, std::int64_t>;

bool is_anchor(const ir::KernelNode& node) {
  return node.op == Op::Reduce || node.op == Op::Contract || node.op == Op::Scan;
}

std::vector<ir::NodeId> anchors_of(const ir::Kernel& kernel) {
  std::vector<ir::NodeId> anchors;
  for (ir::NodeId id = 0; id < kernel.nodes().size(); ++id) {
    if (is_anchor(kernel.node(id))) anchors.push_back(id);
  }
  return anchors;
}

/// Whether something computed from `anchor` varies over more axes than it does.
bool is_used_wider(const ir::Kernel& kernel, ir::NodeId anchor) {
  std::set<ir::NodeId> dependent{anchor};
  const auto& domain = kernel.node(anchor).domain;
  for (ir::NodeId id = anchor + 1; id < kernel.nodes().size(); ++id) {
    const ir::KernelNode& node = kernel.node(id);
    const bool depends = std::any_of(node.operands.begin(), node.operands.end(),
                                     [&](ir::Value v) { return dependent.contains(v.node); });
    if (!depends) continue;
    dependent.insert(id);
    if (!std::includes(domain.begin(), domain.end(), node.domain.begin(), node.domain.end())) {
      return true;
    }
  }
  return false;
}

std::optional<std::string> refuse_generic(const ir::Kernel& kernel, const codegen::Target&) {
  const std::vector<ir::NodeId> anchors = anchors_of(kernel);
  if (anchors.size() > 1) return fmt::format("{} folds in one kernel", anchors.size());
  if (anchors.size() == 1 && is_used_wider(kernel, anchors[0])) {
    return "the result of the fold is used over wider axes";
  }
  return std::nullopt;
}

std::optional<std::string> refuse_rows(const ir::Kernel& kernel, const codegen::Target&) {
  std::set<std::int64_t> axes;
  for (const ir::NodeId id : anchors_of(kernel)) {
    const ir::KernelNode& node = kernel.node(id);
    if (node.op != Op::Reduce) return "only reductions fit";
    const auto& own = node.attributes.get<std::vector<std::int64_t>>(ir::AttributeName::Axes);
    axes.insert(own.begin(), own.end());
  }
  if (axes.size() != 1) return "reductions over one axis are needed";
  return std::nullopt;
}

std::optional<std::string> refuse_nothing(const ir::Kernel&, const codegen::Target&) {
  return std::nullopt;
}

std::vector<ir::Facts> no_classes(const ir::Kernel&) { return {ir::Facts()}; }

std::vector<Candidate> price(const ir::Kernel& kernel, const ir::Facts&, const codegen::Target&,
                             const Sizes& sizes) {
  double bytes = 0;
  ir::IndexBindings bindings;
  bindings.sizes = sizes;
  for (const ir::KernelParam& param : kernel.params()) {
    auto own = static_cast<double>(size_bytes(param.dtype));
    for (const ir::Dim& dim : param.shape) own *= static_cast<double>(evaluate(dim, bindings));
    bytes += own;
  }
  return {{{"fake", {}}, 1.0 + bytes / 1e6}};
}

std::vector<Candidate> price_outputs(const ir::Kernel& kernel, const ir::Facts& facts,
                                     const codegen::Target& target, const Sizes& sizes) {
  auto candidates = price(kernel, facts, target, sizes);
  if (kernel.stores().size() > 1) candidates[0].predicted_us += 1000;
  return candidates;
}

codegen::Program refuse_to_emit(const ir::Kernel& kernel, const ir::Facts&, const codegen::Config&,
                                const codegen::Target&) {
  support::throw_internal("a fake schedule emits no code for {}", kernel.name());
}

constexpr Schedule kGeneric{"generic", refuse_generic, no_classes, price, refuse_to_emit};
constexpr Schedule kRows{"rows", refuse_rows, no_classes, price, refuse_to_emit};
constexpr Schedule kDear{"generic", refuse_generic, no_classes, price_outputs, refuse_to_emit};

constexpr Schedule kAnything[] = {{"anything", refuse_nothing, no_classes, price, refuse_to_emit}};
constexpr Schedule kGenericOnly[] = {kGeneric};
constexpr Schedule kRowsAndGeneric[] = {kRows, kGeneric};
constexpr Schedule kDearOutputs[] = {kDear};

}  // namespace

std::span<const Schedule> generic_only() { return kGenericOnly; }
std::span<const Schedule> rows_and_generic() { return kRowsAndGeneric; }
std::span<const Schedule> anything() { return kAnything; }
std::span<const Schedule> dear_outputs() { return kDearOutputs; }

}  // namespace sinter::tests
