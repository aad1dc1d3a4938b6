// Builds the Functions as rank-0 graphs.
#include "tests/support/random_functions.h"

#include <limits>

#include "ir/graph.h"

namespace sinter::tests {

using ir::DType;
using ir::Op;
using ir::Value;

ir::Reducer make_largest_magnitude(DType dtype) {
  ir::Graph function("largest_magnitude");
  const Value accumulator = function.add_parameter("accumulator", {dtype, {}});
  const Value element = function.add_parameter("element", {dtype, {}});
  const Value magnitude = function.add(Op::Abs, {element});
  function.set_outputs({function.add(Op::Maximum, {accumulator, magnitude})});
  return {Op::None,
          std::make_shared<const ir::Graph>(std::move(function)),
          {ir::make_literal(dtype, 0)}};
}

ir::Reducer make_argmax(DType dtype) {
  ir::Graph function("argmax");
  const Value best = function.add_parameter("best", {dtype, {}});
  const Value best_index = function.add_parameter("best_index", {DType::I64, {}});
  const Value element = function.add_parameter("element", {dtype, {}});
  const Value index = function.add_parameter("index", {DType::I64, {}});
  const Value above = function.add(Op::Gt, {element, best});
  const Value equal = function.add(Op::Eq, {element, best});
  const Value earlier = function.add(Op::Lt, {index, best_index});
  const Value tie = function.add(Op::And, {equal, earlier});
  const Value wins = function.add(Op::Or, {above, tie});
  function.set_outputs({function.add(Op::Select, {wins, element, best}),
                        function.add(Op::Select, {wins, index, best_index})});
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  return {Op::None,
          std::make_shared<const ir::Graph>(std::move(function)),
          {*ir::identity_of(Op::Maximum, dtype), ir::make_integer_literal(DType::I64, kHighest)}};
}

}  // namespace sinter::tests
