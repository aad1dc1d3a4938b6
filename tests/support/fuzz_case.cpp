// Small graphs: what they cost is the compiler's time, so few operators stand in each.
#include "tests/support/fuzz_case.h"

#include <algorithm>
#include <sstream>

#include "ir/bind_sizes.h"
#include "ir/text.h"
#include "support/check.h"
#include "support/nearest.h"
#include "tests/support/required_use.h"

namespace sinter::tests {

namespace {

constexpr std::uint64_t kUsesPerCase = 2;
/// Of one tensor: the reference takes a second for a million.
constexpr std::int64_t kMostElements = std::int64_t{1} << 24;

RandomGraphOptions small_graphs(std::uint64_t number) {
  RandomGraphOptions options;
  options.most_nodes = 2;
  options.most_elements = 3000;
  options.most_products = 20000;
  const auto uses = all_required_uses();
  for (std::uint64_t i = 0; i < kUsesPerCase; ++i) {
    options.required.push_back(uses[(kUsesPerCase * number + i) % uses.size()]);
  }
  return options;
}

InputKind parse_kind(std::istringstream& words, const std::string& line) {
  std::string layout;
  std::string values;
  words >> layout >> values;
  const auto known_layout = parse_layout(layout);
  const auto known_values = parse_values(values);
  if (known_layout && known_values) return {*known_layout, *known_values};
  support::throw_user("'{}' names no layout and values: input x0 transposed special", line);
}

void check_extents(const FuzzCase& fuzz) {
  for (const ir::Node& node : fuzz.graph.nodes()) {
    for (const ir::Type& type : node.results) {
      std::int64_t elements = 1;
      for (const std::int64_t extent : ir::evaluate_shape(type.shape, fuzz.sizes)) {
        elements *= extent;
      }
      if (elements <= kMostElements) continue;
      support::throw_user("{} has {} elements in the case; at most {} are compared",
                          ir::to_string(type), elements, kMostElements);
    }
  }
}

void check_input_lines(const ir::Graph& graph, const std::map<std::string, InputKind>& kinds) {
  std::vector<std::string> names;
  for (const ir::NodeId id : graph.parameters()) names.push_back(graph.parameter_name(id));
  for (const auto& [name, kind] : kinds) {
    if (std::ranges::count(names, name) > 0) continue;
    support::throw_user("the case has a line for the input '{}', which {} has not{}", name,
                        graph.name(), support::did_you_mean(name, names));
  }
}

}  // namespace

std::uint64_t full_fuzz_count() {
  return (all_required_uses().size() + kUsesPerCase - 1) / kUsesPerCase;
}

FuzzCase make_fuzz_case(std::uint64_t number) {
  RandomGraph random = make_random_graph(number, small_graphs(number));
  FuzzCase fuzz{number, std::move(random.graph), std::move(random.sizes), {}};
  fuzz.kinds = draw_kinds(fuzz.graph, number);
  for (std::size_t p = 0; p < fuzz.kinds.size(); ++p) {
    const auto layout = random.layouts.find(fuzz.graph.parameter_name(fuzz.graph.parameters()[p]));
    if (layout != random.layouts.end()) fuzz.kinds[p].layout = layout->second;
  }
  return fuzz;
}

std::vector<RandomInput> inputs_of(const FuzzCase& fuzz) {
  return make_inputs(fuzz.graph, fuzz.sizes, fuzz.seed, fuzz.kinds);
}

std::string to_string(const FuzzCase& fuzz) {
  std::string text = fmt::format("seed {}\n", fuzz.seed);
  for (const auto& [name, size] : fuzz.sizes) text += fmt::format("size {} {}\n", name, size);
  for (std::size_t p = 0; p < fuzz.kinds.size(); ++p) {
    text += fmt::format("input {} {} {}\n", fuzz.graph.parameter_name(fuzz.graph.parameters()[p]),
                        to_string(fuzz.kinds[p].layout), to_string(fuzz.kinds[p].values));
  }
  return text + ir::to_string(fuzz.graph);
}

FuzzCase parse_fuzz_case(std::string_view text) {
  FuzzCase fuzz;
  std::map<std::string, InputKind> kinds;
  while (!text.starts_with("graph ")) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) support::throw_user("the case holds no graph");
    const std::string line(text.substr(0, end));
    text.remove_prefix(end + 1);
    std::istringstream words(line);
    std::string key;
    std::string name;
    words >> key;
    if (key.empty() || key[0] == '#') continue;
    if (key == "seed" && words >> fuzz.seed) continue;
    if (key == "size" && words >> name && words >> fuzz.sizes[name]) continue;
    if (key != "input" || !(words >> name)) {
      support::throw_user("'{}' is no line of a case: seed, size, input or a graph is needed",
                          line);
    }
    kinds[name] = parse_kind(words, line);
  }
  fuzz.graph = ir::parse_graph(text, "case");
  check_extents(fuzz);
  check_input_lines(fuzz.graph, kinds);
  for (const ir::NodeId id : fuzz.graph.parameters()) {
    fuzz.kinds.push_back(kinds[fuzz.graph.parameter_name(id)]);
  }
  return fuzz;
}

}  // namespace sinter::tests
