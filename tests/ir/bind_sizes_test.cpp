// Sizes from the extents of inputs.
#include "ir/bind_sizes.h"

#include <doctest/doctest.h>

#include "ir/text.h"
#include "sinter/error.h"

using namespace sinter;

namespace {

using Extents = std::vector<std::vector<std::int64_t>>;

ir::Graph graph_of(const std::string& x, const std::string& y) {
  return ir::parse_graph("graph g(%x: f32[" + x + "], %y: f32[" + y + "]) {\n  return %x, %y\n}\n");
}

}  // namespace

TEST_CASE("names are solved from expressions, in any order of inputs") {
  const auto sizes = ir::bind_sizes(graph_of("2*n + m", "m"), Extents{{11}, {3}});

  CHECK(sizes.at("m") == 3);
  CHECK(sizes.at("n") == 4);
}

TEST_CASE("extents that contradict each other are refused with the bound value") {
  CHECK_THROWS_WITH_AS(ir::bind_sizes(graph_of("n", "n"), Extents{{4}, {5}}),
                       "input y has shape [5]; [n] is needed, where n = 4", UserError);
  CHECK_THROWS_WITH_AS(ir::bind_sizes(graph_of("n, 8", "n"), Extents{{4, 7}, {4}}),
                       "input x has shape [4, 7]; [n, 8] is needed", UserError);
}

TEST_CASE("number of inputs and rank are checked") {
  CHECK_THROWS_WITH_AS(ir::bind_sizes(graph_of("n", "n"), Extents{{4}}),
                       "g takes 2 inputs; given 1", UserError);
  CHECK_THROWS_WITH_AS(ir::bind_sizes(graph_of("n", "n"), Extents{{4, 1}, {4}}),
                       "input x has shape [4, 1] of rank 2; [n] of rank 1 is needed", UserError);
}

TEST_CASE("a size that the inputs do not determine is named") {
  CHECK_THROWS_WITH_AS(ir::bind_sizes(graph_of("n + m", "3"), Extents{{4}, {3}}),
                       "dimension 'm' of g cannot be told from the shapes of the inputs (here [4] "
                       "for [m + n])",
                       UserError);
}

TEST_CASE("an extent that its expression cannot have is refused, whatever its size would be") {
  CHECK_THROWS_WITH_AS(ir::bind_sizes(graph_of("2*n", "3"), Extents{{5}, {3}}),
                       "input x has shape [5]; [2*n] is needed, where n = 2", UserError);
  CHECK_THROWS_WITH_AS(ir::bind_sizes(graph_of("n + 3", "3"), Extents{{1}, {3}}),
                       "input x has shape [1]; [n + 3] is needed, where n = 0", UserError);
}

TEST_CASE("extents whose product leaves 63 bits are refused, also beside a 0") {
  const std::int64_t huge = std::int64_t{1} << 62;
  const ir::Graph graph = graph_of("a, b, c", "3");

  CHECK_THROWS_WITH_AS(ir::bind_sizes(graph, Extents{{0, huge, huge}, {3}}),
                       "input x has shape [0, 4611686018427387904, 4611686018427387904]; its "
                       "extents may multiply to 2^60 at most (0 counts as 1)",
                       UserError);
  CHECK_THROWS_WITH_AS(ir::bind_sizes(graph, Extents{{0, -1, 1}, {3}}),
                       "input x has the negative extent -1", UserError);
  CHECK(ir::bind_sizes(graph, Extents{{0, std::int64_t{1} << 60, 1}, {3}}).at("a") == 0);
  const ir::Dim n = ir::Dim::size("n");
  CHECK_THROWS_WITH_AS(
      ir::evaluate_shape({n, n}, {{"n", std::int64_t{1} << 31}}),
      "a tensor of type [n, n] has shape [2147483648, 2147483648]; its extents may "
      "multiply to 2^60 at most (0 counts as 1)",
      UserError);
}

TEST_CASE("a shape is evaluated, a negative extent refused") {
  const ir::Dim n = ir::Dim::size("n");

  CHECK(ir::evaluate_shape({n, n * 2 - 3}, {{"n", 4}}) == std::vector<std::int64_t>{4, 5});
  CHECK_THROWS_WITH_AS(ir::evaluate_shape({n - 5}, {{"n", 4}}),
                       "dimension n - 5 is -1; a size is at least 0", UserError);
}
