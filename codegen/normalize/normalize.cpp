// The table of passes and its driver.
#include "codegen/normalize/normalize.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "codegen/normalize/contract_fma.h"
#include "codegen/normalize/fold_constants.h"
#include "codegen/normalize/remove_dead_nodes.h"
#include "codegen/normalize/simplify_algebra.h"
#include "codegen/normalize/unify_subexpressions.h"
#include "codegen/normalize/widen_narrow_floats.h"
#include "ir/define/composite.h"
#include "ir/verify.h"
#include "support/check.h"
#include "support/nearest.h"

namespace sinter::codegen {

namespace {

ir::Graph decompose_composites(const ir::Graph& graph, const NormalizeOptions&) {
  return ir::decompose(graph);
}

constexpr Pass kPasses[] = {
    {"decompose_composites", decompose_composites, false, "first: no other pass knows composites"},
    {"widen_narrow_floats", widen_narrow_floats, false,
     "before all rules, which may then take equal types for equal precision"},
    {"fold_constants", fold_constants, true, "gives the rules of algebra constants to see"},
    {"unify_subexpressions", unify_subexpressions, true,
     "before algebra, whose rules compare operands by name"},
    {"simplify_algebra", simplify_algebra, true, "removes what the expansions above left over"},
    {"fold_constants", fold_constants, true, "folds what the rules made constant"},
    {"unify_subexpressions", unify_subexpressions, true, "unifies what the rules made equal"},
    {"contract_fma", contract_fma, true, "after unification: a product used twice stays one"},
    {"remove_dead_nodes", remove_dead_nodes, false, "last: plan takes every node for needed"},
};

void check_disabled(const std::vector<std::string>& disabled) {
  const std::vector<std::string> optional = optional_passes();
  for (const std::string& name : disabled) {
    if (std::find(optional.begin(), optional.end(), name) != optional.end()) continue;
    const auto is_it = [&](const Pass& pass) { return pass.name == name; };
    if (std::none_of(std::begin(kPasses), std::end(kPasses), is_it)) {
      support::throw_user("there is no pass '{}' to disable{}", name,
                          support::did_you_mean_or_list(name, optional));
    }
    support::throw_user("the pass '{}' cannot be disabled; one of {} is needed", name,
                        fmt::join(optional, ", "));
  }
}

bool is_disabled(const Pass& pass, const std::vector<std::string>& disabled) {
  return std::find(disabled.begin(), disabled.end(), pass.name) != disabled.end();
}

void verify([[maybe_unused]] const ir::Graph& graph) {
#if SINTER_VERIFY_PASSES
  ir::verify_graph(graph);
#endif
}

}  // namespace

std::span<const Pass> normalize_passes() { return kPasses; }

std::vector<std::string> optional_passes() {
  std::vector<std::string> names;
  for (const Pass& pass : kPasses) {
    const bool is_known = std::find(names.begin(), names.end(), pass.name) != names.end();
    if (pass.optional && !is_known) names.emplace_back(pass.name);
  }
  return names;
}

ir::Graph normalize(const ir::Graph& graph, const NormalizeOptions& options) {
  using Clock = std::chrono::steady_clock;  // for the observer only
  check_disabled(options.disabled);
  verify(graph);
  ir::Graph current = graph;
  for (const Pass& pass : kPasses) {
    if (is_disabled(pass, options.disabled)) continue;
    const auto begin = Clock::now();
    ir::Graph next = pass.run(current, options);
    const std::chrono::duration<double, std::micro> time = Clock::now() - begin;
    verify(next);
    if (options.observe && !(next == current)) options.observe(pass.name, next, time.count());
    current = std::move(next);
  }
  return current;
}

}  // namespace sinter::codegen
