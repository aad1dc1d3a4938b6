// Binding: the steps are found once from the shapes alone; every dimension is checked afterwards.
#include "ir/bind_sizes.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "support/check.h"
#include "support/counted.h"

namespace sinter::ir {

namespace {

using Names = std::set<std::string>;

/// The step that tells `dim`'s one unknown size; nullopt where it has none, more, or one that stands
/// in a product or a quotient.
std::optional<SizeStep> find_step(const Dim& dim, const Names& known) {
  std::optional<SizeStep> step;
  IndexExpr rest = dim;
  for (const Term& term : dim.terms()) {
    const bool is_name = term.factors.size() == 1 && term.factors[0].kind == AtomKind::Size;
    if (!is_name || known.contains(term.factors[0].name)) continue;
    if (step) return std::nullopt;
    step.emplace();
    step->name = term.factors[0].name;
    step->coefficient = term.coefficient;
    rest = rest - IndexExpr::from_terms({term});
  }
  if (!step) return std::nullopt;
  const Names others = sizes_of(rest);
  if (!std::includes(known.begin(), known.end(), others.begin(), others.end())) {
    return std::nullopt;
  }
  step->rest = rest;
  return step;
}

/// Calls f(input, dimension, dim) for every dimension of every parameter.
template <typename F>
void for_each_dimension(const Graph& graph, const F& f) {
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    const Shape& shape = graph.type({graph.parameters()[i], 0}).shape;
    for (std::size_t d = 0; d < shape.size(); ++d) f(i, d, shape[d]);
  }
}

void check_extents(const Graph& graph, std::size_t input, const std::vector<std::int64_t>& extents,
                   const Sizes& sizes) {
  const NodeId id = graph.parameters()[input];
  const Shape& shape = graph.type({id, 0}).shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::string bound;
    for (const std::string& name : sizes_of(shape[d])) {
      if (!sizes.contains(name)) {
        support::throw_user(
            "dimension '{}' of {} cannot be told from the shapes of the inputs (here [{}] for {})",
            name, graph.name(), fmt::join(extents, ", "), to_string(shape));
      }
      bound += fmt::format(", where {} = {}", name, sizes.at(name));
    }
    if (evaluate(shape[d], {sizes, {}, {}}) == extents[d]) continue;
    support::throw_user("input {} has shape [{}]; {} is needed{}", graph.parameter_name(id),
                        fmt::join(extents, ", "), to_string(shape), bound);
  }
}

}  // namespace

std::int64_t SizeStep::solve(std::int64_t extent, std::int64_t rest_value) const {
  // What does not fit is seen when the dimension is checked.
  return std::max<std::int64_t>((extent - rest_value) / coefficient, 0);
}

bool is_addressable(std::span<const std::int64_t> extents) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 60;
  std::int64_t elements = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0) return false;
    const std::int64_t factor = std::max<std::int64_t>(extent, 1);
    if (__builtin_mul_overflow(elements, factor, &elements)) return false;
    if (elements > kMostElements) return false;
  }
  return true;
}

void check_addressable(std::span<const std::int64_t> extents, const std::string& role) {
  if (is_addressable(extents)) return;
  for (const std::int64_t extent : extents) {
    if (extent < 0) support::throw_user("{} has the negative extent {}", role, extent);
  }
  support::throw_user("{} has shape [{}]; its extents may multiply to 2^60 at most (0 counts as 1)",
                      role, fmt::join(extents, ", "));
}

std::vector<SizeStep> size_steps(const Graph& graph) {
  std::vector<SizeStep> steps;
  Names known;
  const auto add = [&](SizeStep step, std::size_t input, std::size_t dimension) {
    step.input = input;
    step.dimension = dimension;
    known.insert(step.name);
    steps.push_back(std::move(step));
  };
  for_each_dimension(graph, [&](std::size_t i, std::size_t d, const Dim& dim) {
    const auto name = dim.as_size();
    if (name && !known.contains(*name)) add({.name = *name, .rest = 0}, i, d);
  });
  for (std::size_t before = steps.size() + 1; before != steps.size();) {
    before = steps.size();
    for_each_dimension(graph, [&](std::size_t i, std::size_t d, const Dim& dim) {
      if (auto step = find_step(dim, known)) add(std::move(*step), i, d);
    });
  }
  return steps;
}

Sizes bind_sizes(const Graph& graph, std::span<const std::vector<std::int64_t>> extents) {
  const std::vector<NodeId>& parameters = graph.parameters();
  if (extents.size() != parameters.size()) {
    support::throw_user("{} takes {}; given {}", graph.name(),
                        support::counted(parameters.size(), "input"), extents.size());
  }
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const Shape& shape = graph.type({parameters[i], 0}).shape;
    if (shape.size() != extents[i].size()) {
      support::throw_user("input {} has shape [{}] of rank {}; {} of rank {} is needed",
                          graph.parameter_name(parameters[i]), fmt::join(extents[i], ", "),
                          extents[i].size(), to_string(shape), shape.size());
    }
    check_addressable(extents[i], "input " + graph.parameter_name(parameters[i]));
  }
  Sizes sizes;
  for (const SizeStep& step : size_steps(graph)) {
    sizes[step.name] =
        step.solve(extents[step.input][step.dimension], evaluate(step.rest, {sizes, {}, {}}));
  }
  for (std::size_t i = 0; i < extents.size(); ++i) check_extents(graph, i, extents[i], sizes);
  return sizes;
}

std::vector<std::int64_t> evaluate_shape(const Shape& shape, const Sizes& sizes) {
  std::vector<std::int64_t> extents;
  for (const Dim& dim : shape) {
    extents.push_back(evaluate(dim, {sizes, {}, {}}));
    if (extents.back() < 0) {
      support::throw_user("dimension {} is {}; a size is at least 0", to_string(dim),
                          extents.back());
    }
  }
  check_addressable(extents, fmt::format("a tensor of type {}", to_string(shape)));
  return extents;
}

}  // namespace sinter::ir
