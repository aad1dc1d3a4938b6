// Tests of passes: graph text in, graph text out.
#pragma once

#include <string>

#include "codegen/normalize/normalize.h"

namespace sinter::tests {

using GraphPass = ir::Graph (*)(const ir::Graph&, const codegen::NormalizeOptions&);

/// Fails with input, output and expected text unless `pass` turns `input` into `expected` (up to
/// nodes that no output needs), and the result verifies. Texts may leave out the head `graph g`.
void check_pass(GraphPass pass, const std::string& input, const std::string& expected,
                const codegen::NormalizeOptions& options = {});

/// The same for the whole of normalize.
void check_normalize(const std::string& input, const std::string& expected,
                     const codegen::NormalizeOptions& options = {});

/// The graph of a text "(%x: f32[n]) { ... }".
ir::Graph graph_of(const std::string& text);

}  // namespace sinter::tests
