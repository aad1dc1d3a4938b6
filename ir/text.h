// The one text form of Graphs and Kernels: print and parse are inverse to each other.
#pragma once

#include <string>
#include <string_view>

#include "ir/graph.h"
#include "ir/kernel.h"

namespace sinter::ir {

struct PrintOptions {
  bool locations = true;  // trailing comments "// file:line"
};

std::string to_string(const Graph& graph, PrintOptions options = {});
std::string to_string(const Kernel& kernel, PrintOptions options = {});

/// A Graph equal to the printed one. `origin` names the text in errors ("task.yaml"). Syntax
/// errors, unknown operators (with the nearest name) and types that do not fit are UserErrors with
/// line and column.
Graph parse_graph(std::string_view text, const std::string& origin = "graph text");
Kernel parse_kernel(std::string_view text, const std::string& origin = "kernel text");
/// "2*n + 1", "max(n, 1)", ...: an expression of numbers and names.
Dim parse_dim(std::string_view text, const std::string& origin = "dimension");

}  // namespace sinter::ir
