// Binding: names first, then expressions of one unbound name, then every dimension is checked.
#include "reference/sizes.h"

#include <fmt/ranges.h>

#include "support/check.h"

namespace sinter::reference {

namespace {

/// Binds n where dim is a·n + b with numbers a and b.
void bind_linear(const ir::Dim& dim, std::int64_t extent, Sizes& sizes) {
  const std::set<std::string> names = ir::sizes_of(dim);
  if (names.size() != 1 || sizes.contains(*names.begin())) return;
  const std::string& name = *names.begin();
  const std::int64_t constant = ir::evaluate(dim, {.sizes = {{name, 0}}, .axis = {}, .value = {}});
  const ir::Dim rest = dim - ir::Dim(constant);
  if (rest.terms().size() != 1 || rest.terms()[0].factors.size() != 1) return;
  if (rest.terms()[0].factors[0].kind != ir::AtomKind::Size) return;
  const std::int64_t coefficient = rest.terms()[0].coefficient;
  if ((extent - constant) % coefficient == 0) sizes[name] = (extent - constant) / coefficient;
}

template <typename F>
void for_each_dimension(const ir::Graph& graph, std::span<const std::vector<std::int64_t>> extents,
                        const F& f) {
  for (std::size_t p = 0; p < extents.size(); ++p) {
    const ir::NodeId id = graph.parameters()[p];
    const ir::Shape& shape = graph.node(id).results[0].shape;
    if (shape.size() != extents[p].size()) {
      support::throw_user("input {} has rank {}, the operator needs {} {}",
                          graph.parameter_name(id), extents[p].size(), shape.size(),
                          ir::to_string(shape));
    }
    for (std::size_t d = 0; d < shape.size(); ++d) f(id, d, shape[d], extents[p][d]);
  }
}

}  // namespace

Sizes bind_sizes(const ir::Graph& graph, std::span<const std::vector<std::int64_t>> extents) {
  if (extents.size() != graph.parameters().size()) {
    support::throw_user("operator {} takes {} inputs, {} were given", graph.name(),
                        graph.parameters().size(), extents.size());
  }
  Sizes sizes;
  const auto bind_name = [&](ir::NodeId, std::size_t, const ir::Dim& dim, std::int64_t extent) {
    if (const auto name = dim.as_size()) sizes.emplace(*name, extent);
  };
  const auto bind_expression = [&](ir::NodeId, std::size_t, const ir::Dim& dim,
                                   std::int64_t extent) { bind_linear(dim, extent, sizes); };
  const auto check = [&](ir::NodeId id, std::size_t d, const ir::Dim& dim, std::int64_t extent) {
    const std::int64_t needed = ir::evaluate(dim, {.sizes = sizes, .axis = {}, .value = {}});
    if (needed == extent) return;
    support::throw_user("dimension {} of input {} is {}, but {} = {} by the other inputs", d,
                        graph.parameter_name(id), extent, ir::to_string(dim), needed);
  };
  for_each_dimension(graph, extents, bind_name);
  for_each_dimension(graph, extents, bind_expression);
  for_each_dimension(graph, extents, check);
  return sizes;
}

std::vector<std::int64_t> evaluate_shape(const ir::Shape& shape, const Sizes& sizes) {
  std::vector<std::int64_t> extents;
  for (const ir::Dim& dim : shape) {
    extents.push_back(ir::evaluate(dim, {.sizes = sizes, .axis = {}, .value = {}}));
    if (extents.back() < 0) {
      support::throw_user("dimension {} is {}", ir::to_string(dim), extents.back());
    }
  }
  return extents;
}

std::string extents_text(std::span<const std::int64_t> extents) {
  return fmt::format("[{}]", fmt::join(extents, ", "));
}

}  // namespace sinter::reference
