// What each call's sizes are checked for.
#include "ir/conditions.h"

#include <doctest/doctest.h>

#include "ir/text.h"

namespace sinter::ir {

namespace {

Graph graph_of(const std::string& body) {
  return parse_graph("graph g(%x: f32[n], %y: f32[m, 16]) {\n" + body + "  return %0\n}\n");
}

std::vector<std::string> texts_of(const std::string& body) {
  std::vector<std::string> texts;
  for (const Condition& condition : conditions_of(graph_of(body))) {
    texts.push_back(to_string(condition));
  }
  return texts;
}

std::string slice(const std::string& begin, const std::string& count, const std::string& step) {
  return "  %0: f32[" + count + "] = slice(%x) {shape: [" + count + "], begin: [" + begin +
         "], step: [" + step + "]}\n";
}

std::string violation(const std::string& body, const std::map<std::string, std::int64_t>& sizes) {
  const Graph graph = graph_of(body);
  try {
    check_conditions(graph, conditions_of(graph), sizes);
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("broadcasts and reshapes to dimensions that may differ are conditions") {
  CHECK(texts_of("  %0: f32[m] = broadcast(%x) {shape: [m]}\n") == Texts{"n = m"});
  CHECK(texts_of("  %0: f32[2, 4] = broadcast(%x) {shape: [2, 4]}\n") == Texts{"n = 4"});
  CHECK(texts_of("  %0: f32[1] = broadcast(%x) {shape: [1]}\n") == Texts{"n = 1"});
  CHECK(texts_of("  %0: f32[n] = reshape(%y) {shape: [n]}\n") == Texts{"16*m = n"});
  CHECK(texts_of("  %0: f32[m, 16] = reshape(%y) {shape: [m, 16]}\n").empty());
}

TEST_CASE("each condition stands once, also of nodes that no output needs") {
  CHECK(texts_of("  %0: f32[m] = broadcast(%x) {shape: [m]}\n"
                 "  %1: f32[m] = neg(%0)\n"
                 "  %2: f32[4, m] = broadcast(%x) {shape: [4, m]}\n"
                 "  %3: f32[7] = broadcast(%x) {shape: [7]}\n") == Texts{"n = m", "n = 7"});
}

TEST_CASE("slices are conditions only where a size can make them leave") {
  CHECK(texts_of(slice("0", "64", "1")) == Texts{"64 <= n"});
  CHECK(texts_of(slice("n - 3", "3", "1")) == Texts{"3 <= n"});
  CHECK(texts_of(slice("0", "m", "1")) == Texts{"m <= n"});
  CHECK(texts_of(slice("2", "m", "1")) == Texts{"m + 2 <= n where m > 0"});
  CHECK(texts_of(slice("0", "n", "1")).empty());
  CHECK(texts_of(slice("n - 1", "n", "-1")).empty());
  CHECK(texts_of(slice("0", "floor(n / 2)", "2")).empty());
  CHECK(texts_of(slice("0", "0", "1")).empty());
}

TEST_CASE("dimensions of results may not become negative") {
  CHECK(texts_of(slice("3", "n - 3", "1")) == Texts{"3 <= n"});
  CHECK(texts_of("  %0: i32[n - m] = iota() {dtype: i32, shape: [n - m], axis: 0}\n") ==
        Texts{"m <= n"});
}

TEST_CASE("a condition that does not hold names operator, place, expressions and values") {
  const std::string broadcast = "  %0: f32[2*m] = broadcast(%x) {shape: [2*m]}  // op.cpp:7\n";
  CHECK(violation(broadcast, {{"n", 6}, {"m", 3}}) == "none");
  CHECK(violation(broadcast, {{"n", 6}, {"m", 4}}) ==
        "op.cpp:7: g: broadcast needs n = 2*m; given n = 6, 2*m = 8");
  CHECK(violation(slice("0", "64", "1"), {{"n", 40}, {"m", 0}}) ==
        "g: slice needs 64 <= n; given n = 40");
  CHECK(violation(slice("2", "m", "1"), {{"n", 0}, {"m", 0}}) == "none");
  CHECK(violation(slice("2", "m", "1"), {{"n", 2}, {"m", 1}}) ==
        "g: slice needs m + 2 <= n where m > 0; given m + 2 = 3, n = 2");
}

TEST_CASE("a broadcast that the language wrote is called by its reader") {
  CHECK(violation("  %0: f32[m] = broadcast(%x) {shape: [m]}  // op.cpp:7\n"
                  "  %1: f32[m] = exp(%0)  // op.cpp:7\n",
                  {{"n", 1}, {"m", 5}}) == "op.cpp:7: g: exp needs n = m; given n = 1, m = 5");
}

TEST_CASE("sizes that no parameter has are refused before any call") {
  CHECK_NOTHROW(check_sizes_are_known(graph_of("  %0: f32[m] = broadcast(%x) {shape: [m]}\n")));
  CHECK_THROWS_WITH_AS(
      check_sizes_are_known(graph_of("  %0: f32[k] = reshape(%x) {shape: [k]}  // op.cpp:3\n")),
      "op.cpp:3: g: reshape mentions the size 'k', which is in no parameter's shape", UserError);
}

}  // namespace sinter::ir
