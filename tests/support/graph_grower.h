// A random graph while it grows: what is there already, and the leaves and operands that fit it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "tests/support/random.h"
#include "tests/support/random_graph.h"

namespace sinter::tests {

/// Extents that random shapes are made of: 0, 1, primes, powers of two and their neighbours.
std::span<const std::int64_t> random_extents();
/// Numbers for random constants.
std::span<const double> random_constants();

/// Copyable, so that a failed attempt can be taken back.
class GraphGrower {
 public:
  GraphGrower(std::uint64_t seed, const RandomGraphOptions& options);

  Random& random() { return random_; }
  const RandomGraphOptions& options() const { return options_; }
  const ir::Graph& graph() const { return graph_; }
  ir::Graph& graph() { return graph_; }
  const std::map<std::string, std::int64_t>& sizes() const { return sizes_; }
  const std::vector<ir::Value>& values() const { return values_; }

  // Drawing.

  DType draw_dtype() { return random_.pick(dtypes_); }
  ir::Shape draw_shape();
  ir::Shape draw_shape(std::int64_t rank);
  /// Elements of a tensor, or the number of a dimension, with the numbers of the graph's names.
  std::int64_t count(const ir::Shape& shape) const;
  std::int64_t extent(const ir::Dim& dim) const;
  /// Seldom another dimension of the same extent, which only a call can show.
  ir::Dim disguise(const ir::Dim& dim);

  /// A value whose type `accepts`, later ones more often; nullopt where there is none.
  template <typename F>
  std::optional<ir::Value> find_value(const F& accepts) {
    std::vector<ir::Value> found;
    for (const ir::Value value : values_) {
      if (accepts(graph_.type(value))) found.push_back(value);
    }
    if (found.empty()) return std::nullopt;
    if (random_.chance(0.5)) return found.back();
    return random_.pick(found);
  }

  // Adding.

  /// A tensor, or by chance a host scalar where the rank is 0.
  ir::Value add_parameter(const ir::Type& type);
  ir::Value add_tensor(const ir::Type& type);
  /// Nullopt where the type rules refuse, or a result is too large.
  std::optional<ir::Value> add(ir::Op op, const std::vector<ir::Value>& operands,
                               const ir::Attributes& attributes);
  ir::Value broadcast_to(ir::Value value, const ir::Shape& shape);
  ir::Value add_constant(const ir::Type& type);
  /// Some value of that type: one that is there, a constant, or a parameter, maybe broadcast.
  ir::Value make_operand(const ir::Type& type);
  ir::Value make_condition(const ir::Shape& shape);

 private:
  ir::Value add_broadcast_parameter(const ir::Type& type);

  Random random_;
  RandomGraphOptions options_;
  ir::Graph graph_;
  std::map<std::string, std::int64_t> sizes_;
  std::vector<DType> dtypes_;
  std::vector<ir::Value> values_;
};

/// Whether the rules of types take `op` so.
bool is_legal(ir::Op op, const std::vector<ir::Type>& types, const ir::Attributes& attributes);

}  // namespace sinter::tests
