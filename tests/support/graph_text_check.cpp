#include "tests/support/graph_text_check.h"

#include <doctest/doctest.h>

#include "codegen/normalize/remove_dead_nodes.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace sinter::tests {

namespace {

std::string text_of(const ir::Graph& graph) { return ir::to_string(graph, {.locations = false}); }

void check_graph(const std::string& input, const ir::Graph& output, const std::string& expected) {
  ir::verify_graph(output);
  const ir::Graph wanted = graph_of(expected);
  if (output == wanted) {
    CHECK(output == wanted);
    return;
  }
  FAIL_CHECK("input:\n"
             << input << "\noutput:\n"
             << text_of(output) << "\nexpected:\n"
             << text_of(wanted));
}

}  // namespace

ir::Graph graph_of(const std::string& text) {
  return ir::parse_graph(text.starts_with("graph") ? text : "graph g" + text);
}

void check_pass(GraphPass pass, const std::string& input, const std::string& expected,
                const codegen::NormalizeOptions& options) {
  const ir::Graph output = pass(graph_of(input), options);
  check_graph(input, codegen::remove_dead_nodes(output, options), expected);
}

void check_normalize(const std::string& input, const std::string& expected,
                     const codegen::NormalizeOptions& options) {
  check_graph(input, codegen::normalize(graph_of(input), options), expected);
}

}  // namespace sinter::tests
