// Printing and parsing of the leaves that Graph and Kernel texts share: attributes, types, index
// expressions, literals.
//
//   attribute value  printed                       attribute value  printed
//   bool             true                          Literal          0.5: f32
//   int64            2 (a Kernel's axis: j)        Precision        split_fast
//   string           "x"                           Shape            [n, 2*n + 1]
//   DType            bf16                          vector<int64>    [0, 1] (a Kernel's axes: [j])
//   Reducer          add, or: fn(%a: f32, %b: f32) { %0: f32 = add(%a, %b) return %0 } from [0.0: f32]
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ir/attributes.h"
#include "ir/graph.h"
#include "support/lexer.h"

namespace sinter::ir {

/// How a Kernel's text names its parts. A Graph has none of them: leave all empty.
struct AttributeNames {
  IndexNames index;                                     // in Map, Where
  std::function<std::string(std::int64_t)> axis = {};   // Axis, Axes; empty: the number
  std::function<std::string(std::int64_t)> param = {};  // Param
};

/// "{precision: split}"; empty text for no attributes.
std::string to_string(const Attributes& attributes, const AttributeNames& names = {});
/// "0.5: f32".
std::string to_typed_string(const Literal& literal);
/// "[i, 2*j]" with the given names.
std::string to_string(const Shape& shape, const IndexNames& names);

/// What the words of a Kernel's text mean. A Graph has none of them: leave all empty.
struct AttributeSymbols {
  std::function<std::optional<AxisId>(std::string_view)> axis = {};  // other words are sizes
  std::function<Value(const support::Token&)> value = {};            // %7.1 in maps
  std::function<std::optional<std::int64_t>(std::string_view)> param = {};
};

/// From `{` to `}`; no attributes where the next token is not `{`. With `op`, an operator of Graphs, only its
/// own attributes are taken, and the message about another lists them.
Attributes parse_attributes(support::TokenStream& tokens, const AttributeSymbols& symbols = {},
                            Op op = Op::None);
/// Sums and products of numbers and names, floor(a / b), mod(a, b), min(a, b), max(a, b).
IndexExpr parse_index_expr(support::TokenStream& tokens, const AttributeSymbols& symbols = {});
/// From `[` to `]`.
Shape parse_shape(support::TokenStream& tokens, const AttributeSymbols& symbols = {});
/// "f32[m, n]", or "f32" for rank 0.
Type parse_type(support::TokenStream& tokens);
DType parse_dtype(support::TokenStream& tokens);
/// Unknown operators are UserErrors that name the nearest one.
Op parse_op(support::TokenStream& tokens);
/// "0.5: f32", "-inf: bf16", "true: bool".
Literal parse_typed_literal(support::TokenStream& tokens);

// One printer and one parser of Graphs serve Functions too: print_graph.cpp and parse_graph.cpp
// define these two, each other's inverse.
/// On one line, without locations: "fn(%a: f32, %b: f32) { %0: f32 = add(%a, %b) return %0 }"; the
/// Graph's name stands after `fn` unless it is "fn".
std::string print_function(const Graph& function);
/// Starts at `fn`, ends after `}`; the Graph is named "fn" where no name is given.
std::shared_ptr<const Graph> parse_function(support::TokenStream& tokens);

}  // namespace sinter::ir
