// Which elements are compared with the reference where they cost much.
#include <doctest/doctest.h>

#include <set>

#include "ir/text.h"
#include "runtime/check/compare_outputs.h"

namespace sinter {

namespace {

std::vector<std::int64_t> softmax_sample(const runtime::SampleOptions& sample) {
  const ir::Graph graph = ir::parse_graph(
      "graph g(%x: f32[50, 400]) {\n  %0: f32[50, 400] = softmax(%x) {axis: 1}\n  return %0\n}\n");
  std::vector<float> values(50 * 400, 1);
  const std::vector<reference::HostTensor> inputs = {{DType::F32, {50, 400}, {}, values.data()}};
  return runtime::evaluate_sample(graph, inputs, 0, {}, sample).indices;
}

std::set<std::int64_t> rows_of(const std::vector<std::int64_t>& indices) {
  std::set<std::int64_t> rows;
  for (const std::int64_t index : indices) rows.insert(index / 400);
  return rows;
}

}  // namespace

TEST_CASE("without a limit a sample reaches every row") {
  const auto indices = softmax_sample({.elements = 200});

  CHECK(indices.size() == 200);
  CHECK(rows_of(indices).size() == 50);
}

TEST_CASE("where elements cost too much, as many lie in few rows, the last among them") {
  const auto indices = softmax_sample({.elements = 200, .most_visits = 8000});

  CHECK(indices.size() >= 200);
  CHECK(std::set(indices.begin(), indices.end()).size() == indices.size());
  const std::set<std::int64_t> rows = rows_of(indices);
  CHECK(rows.size() >= 2);
  // A row costs one visit an element at least.
  CHECK(rows.size() <= 20);
  CHECK(rows.count(49) == 1);
}

TEST_CASE("one row is looked at whatever it costs, and all elements where none are named") {
  CHECK(rows_of(softmax_sample({.elements = 200, .most_visits = 1})).size() == 1);
  CHECK(softmax_sample({.elements = 0}).size() == 50 * 400);
}

}  // namespace sinter
