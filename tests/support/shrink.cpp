// One kind of simplification after the other, again from the start until none helps.
#include "tests/support/shrink.h"

#include "sinter/error.h"
#include "tests/support/graph_surgery.h"

namespace sinter::tests {

using ir::Dim;
using ir::Op;
using ir::Value;

namespace {

class Shrinker {
 public:
  Shrinker(const FuzzCase& failing, const std::function<bool(const FuzzCase&)>& fails,
           int most_attempts)
      : best_(failing), fails_(fails), attempts_(most_attempts) {}

  FuzzCase run() {
    // Not short-circuited: each kind has its turn in every round.
    for (bool again = true; again && attempts_ > 0;) {
      again = drop_outputs();
      again = cut_nodes() || again;
      again = forward_nodes() || again;
      again = simplify_inputs() || again;
      again = shrink_names() || again;
      again = shrink_numbers() || again;
    }
    return std::move(best_);
  }

 private:
  bool accept(FuzzCase candidate) {
    if (attempts_ <= 0) return false;
    --attempts_;
    if (!fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  /// Inputs keep their kind by name; new ones are dense and ordinary.
  bool accept(const Surgery& surgery) {
    FuzzCase candidate{best_.seed, ir::Graph(), best_.sizes, {}};
    try {
      candidate.graph = operate(best_.graph, surgery);
    } catch (const Error&) {
      return false;
    }
    if (candidate.graph == best_.graph) return false;
    std::map<std::string, InputKind> kinds;
    for (std::size_t p = 0; p < best_.kinds.size(); ++p) {
      kinds[best_.graph.parameter_name(best_.graph.parameters()[p])] = best_.kinds[p];
    }
    for (const ir::NodeId id : candidate.graph.parameters()) {
      InputKind kind = kinds[candidate.graph.parameter_name(id)];
      const auto rank = static_cast<std::int64_t>(candidate.graph.node(id).results[0].shape.size());
      if (rank < least_rank(kind.layout)) kind.layout = Layout::Contiguous;
      candidate.kinds.push_back(kind);
    }
    return accept(std::move(candidate));
  }

  /// One output in place of all, an early value if that does.
  bool drop_outputs() {
    const std::vector<Value> outputs = best_.graph.outputs();
    for (ir::NodeId id = 0; id < best_.graph.nodes().size(); ++id) {
      const ir::Node& node = best_.graph.node(id);
      if (node.op == Op::Parameter) continue;
      for (std::uint32_t r = 0; r < node.results.size(); ++r) {
        if (outputs == std::vector{Value{id, r}})
          return accept(Surgery{});  // what it does not need goes
        if (accept(Surgery{.outputs = {{id, r}}})) return true;
      }
    }
    return false;
  }

  bool cut_nodes() {
    bool helped = false;
    for (std::size_t id = best_.graph.nodes().size(); id-- > 0;) {
      if (id >= best_.graph.nodes().size()) continue;
      const ir::Node& node = best_.graph.nodes()[id];
      if (node.op == Op::Parameter) continue;
      Surgery surgery;
      for (std::uint32_t r = 0; r < node.results.size(); ++r) {
        surgery.inputs.insert({static_cast<ir::NodeId>(id), r});
      }
      for (const Value output : best_.graph.outputs()) surgery.inputs.erase(output);
      if (!surgery.inputs.empty()) helped = accept(surgery) || helped;
    }
    return helped;
  }

  bool forward_nodes() {
    bool helped = false;
    for (std::size_t id = best_.graph.nodes().size(); id-- > 0;) {
      if (id >= best_.graph.nodes().size()) continue;
      const ir::Node node = best_.graph.nodes()[id];
      for (const Value operand : node.operands) {
        if (!(best_.graph.type(operand) == node.results[0])) continue;
        Surgery surgery;
        surgery.forwarded[{static_cast<ir::NodeId>(id), 0}] = operand;
        if (!accept(surgery)) continue;
        helped = true;
        break;
      }
    }
    return helped;
  }

  bool simplify_inputs() {
    bool helped = false;
    for (std::size_t p = 0; p < best_.kinds.size(); ++p) {
      if (best_.kinds[p].layout != Layout::Contiguous) {
        FuzzCase dense = best_;
        dense.kinds[p].layout = Layout::Contiguous;
        helped = accept(std::move(dense)) || helped;
      }
      for (const Values values : {Values::Integers, Values::Uniform}) {
        if (best_.kinds[p].values == Values::Integers || best_.kinds[p].values == values) continue;
        FuzzCase ordinary = best_;
        ordinary.kinds[p].values = values;
        helped = accept(std::move(ordinary)) || helped;
      }
    }
    return helped;
  }

  /// Smaller numbers for names, and numbers in place of names.
  bool shrink_names() {
    bool helped = false;
    const std::map<std::string, std::int64_t> sizes = best_.sizes;
    for (const auto& [name, size] : sizes) {
      for (const std::int64_t smaller : {std::int64_t{1}, std::int64_t{2}, size / 2, size - 1}) {
        if (smaller < 1 || smaller >= best_.sizes.at(name)) continue;
        FuzzCase candidate = best_;
        candidate.sizes[name] = smaller;
        if (!accept(std::move(candidate))) continue;
        helped = true;
        break;
      }
      const std::int64_t number = best_.sizes.at(name);
      const auto replace = [&](const std::string& other) -> std::optional<Dim> {
        return other == name ? std::optional<Dim>(number) : std::nullopt;
      };
      helped = accept(Surgery{.dimension =
                                  [&](const Dim& dim) {
                                    return ir::substitute(dim, {{}, {}, replace});
                                  }}) ||
               helped;
    }
    return helped;
  }

  bool shrink_numbers() {
    std::set<std::int64_t> numbers;
    for (const ir::NodeId id : best_.graph.parameters()) {
      for (const Dim& dim : best_.graph.node(id).results[0].shape) {
        if (dim.is_constant()) numbers.insert(dim.constant());
      }
    }
    bool helped = false;
    for (const std::int64_t number : numbers) {
      for (const std::int64_t smaller :
           {std::int64_t{1}, std::int64_t{2}, number / 2, number - 1}) {
        if (smaller < 1 || smaller >= number) continue;
        const auto replace = [&](const Dim& dim) {
          return dim == Dim(number) ? Dim(smaller) : dim;
        };
        if (!accept(Surgery{.dimension = replace})) continue;
        helped = true;
        break;
      }
    }
    return helped;
  }

  FuzzCase best_;
  const std::function<bool(const FuzzCase&)>& fails_;
  int attempts_;
};

}  // namespace

FuzzCase shrink(const FuzzCase& failing, const std::function<bool(const FuzzCase&)>& fails,
                int most_attempts) {
  return Shrinker(failing, fails, most_attempts).run();
}

}  // namespace sinter::tests
