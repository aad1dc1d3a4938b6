// Which elements are compared with the reference where they cost much.
#include <doctest/doctest.h>

#include <set>

#include "ir/text.h"
#include "runtime/check/compare_outputs.h"

namespace sinter {

namespace {

std::vector<std::int64_t> sample_of(const std::string& graph_text,
                                    const runtime::SampleOptions& sample) {
  const ir::Graph graph = ir::parse_graph(graph_text);
  std::vector<float> values(50 * 400, 1);
  const std::vector<reference::HostTensor> inputs = {{DType::F32, {50, 400}, {}, values.data()}};
  return runtime::evaluate_sample(graph, inputs, 0, {}, sample).indices;
}

std::vector<std::int64_t> softmax_sample(const runtime::SampleOptions& sample) {
  return sample_of(
      "graph g(%x: f32[50, 400]) {\n  %0: f32[50, 400] = softmax(%x) {axis: 1}\n  return %0\n}\n",
      sample);
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

TEST_CASE(
    "a sample has as many elements as are wanted, the last one among them, whatever the seed") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto indices = runtime::sample_indices(1500, 1024, seed);

    CHECK(std::set(indices.begin(), indices.end()).size() == 1024);
    CHECK(indices.back() == 1499);
  }
}

TEST_CASE("where elements cost too much, as many lie in few rows, the last among them") {
  const auto indices = softmax_sample({.elements = 200, .most_visits = 8000});

  CHECK(indices.size() >= 190);
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

TEST_CASE("elements that share nothing are fewer where they cost too much") {
  const std::string graph =
      "graph g(%x: f32[50, 400]) {\n  %0: f32[50] = sum(%x) {axes: [1]}\n  return %0\n}\n";

  CHECK(sample_of(graph, {.elements = 50}).size() == 50);
  const auto indices = sample_of(graph, {.elements = 50, .most_visits = 4000});

  CHECK(indices.size() >= 5);
  CHECK(indices.size() <= 10);
  CHECK(indices.back() == 49);
  CHECK(sample_of(graph, {.elements = 50, .most_visits = 1}).size() == 1);
}

}  // namespace sinter
