// Primitives that are not elementwise stand as text, with T for the dtype.
#include "tests/support/gradient_graphs.h"

#include <algorithm>
#include <iterator>
#include <regex>

#include "ir/text.h"
#include "tests/support/operator_graphs.h"

namespace sinter::tests {

namespace {

using ir::Graph;
using ir::Op;
using ir::OpClass;
using ir::Type;
using ir::Value;

/// name, parameters and result, operator with operands and attributes.
struct Form {
  const char* name;
  const char* parameters;
  const char* result;
  const char* use;
};

constexpr Form kForms[] = {
    {"broadcast", "%x: T[3, 1]", "T[2, 3, 4]", "broadcast(%x) {shape: [2, 3, 4]}"},
    {"broadcast_one", "%x: T[1]", "T[1]", "broadcast(%x) {shape: [1]}"},
    {"reshape", "%x: T[2, 6]", "T[3, 4]", "reshape(%x) {shape: [3, 4]}"},
    {"permute", "%x: T[2, 3, 4]", "T[4, 2, 3]", "permute(%x) {axes: [2, 0, 1]}"},
    {"slice", "%x: T[7, 8]", "T[3, 4]", "slice(%x) {shape: [3, 4], begin: [1, 7], step: [2, -2]}"},
    {"slice_reversed", "%x: T[5]", "T[5]", "slice(%x) {shape: [5], begin: [4], step: [-1]}"},
    {"slice_empty", "%x: T[5]", "T[0]", "slice(%x) {shape: [0], begin: [0], step: [-1]}"},
    {"unfold", "%x: T[7, 9]", "T[5, 5, 3, 2]",
     "unfold(%x) {axes: [1, 0], step: [1, 1], window: [3, 2], dilation: [2, 2]}"},
    {"unfold_apart", "%x: T[2, 11]", "T[2, 3, 2]",
     "unfold(%x) {axes: [1], step: [4], window: [2], dilation: [2]}"},
    {"unfold_nothing", "%x: T[2, 3]", "T[2, 0, 4]",
     "unfold(%x) {axes: [1], step: [1], window: [4], dilation: [1]}"},
    {"pad", "%x: T[3, 4]", "T[6, 4]", "pad(%x) {shape: [6, 4], begin: [1, -1], outside: 0.5: T}"},
    {"gather", "%x: T[4, 5], %i: i64[3, 2], %j: i64[3, 2]", "T[3, 2]", "gather(%x, %i, %j)"},
    {"sum_of_two", "%x: T[3, 4, 5]", "T[4]", "sum(%x) {axes: [0, 2]}"},
    {"sum_empty", "%x: T[0, 3]", "T[3]", "sum(%x) {axes: [0]}"},
    {"sum_wide", "%x: T[3, 4]", "f64[3]", "sum(%x) {dtype: f64, axes: [1]}"},
    {"max_of_two", "%x: T[3, 4, 5]", "T[4]", "max(%x) {axes: [0, 2]}"},
    {"min_of_one", "%x: T[3, 1]", "T[3]", "min(%x) {axes: [1]}"},
    {"prod_of_two", "%x: T[3, 4, 2]", "T[4]", "prod(%x) {axes: [0, 2]}"},
    {"prod_one", "%x: T[3, 1]", "T[3]", "prod(%x) {axes: [1]}"},
    {"prod_empty", "%x: T[0, 3]", "T[3]", "prod(%x) {axes: [0]}"},
    {"reduce_add", "%x: T[3, 4]", "T[4]", "reduce(%x) {axes: [0], reducer: add}"},
    {"reduce_mul", "%x: T[3, 4]", "T[3]", "reduce(%x) {axes: [1], reducer: mul}"},
    {"reduce_maximum", "%x: T[3, 4]", "T[3]", "reduce(%x) {axes: [1], reducer: maximum}"},
    {"reduce_minimum", "%x: T[3, 4]", "T[3]", "reduce(%x) {axes: [1], reducer: minimum}"},
    {"matmul", "%x: T[3, 4], %y: T[4, 5]", "T[3, 5]", "matmul(%x, %y)"},
    {"matmul_weight", "%x: T[2, 3, 4], %y: T[4, 5]", "T[2, 3, 5]", "matmul(%x, %y)"},
    {"matmul_batches", "%x: T[2, 1, 3, 4], %y: T[3, 4, 2]", "T[2, 3, 3, 2]", "matmul(%x, %y)"},
    {"matmul_of_one", "%x: T[1, 4], %y: T[4, 1]", "T[1, 1]", "matmul(%x, %y)"},
    {"matmul_empty", "%x: T[3, 0], %y: T[0, 2]", "T[3, 2]", "matmul(%x, %y)"},
    {"einsum", "%x: T[2, 3, 4], %y: T[4, 5]", "T[5, 2, 3]",
     "einsum(%x, %y) {equation: \"ijk,kl->lij\"}"},
    {"einsum_batch", "%x: T[2, 3, 4], %y: T[2, 4, 2]", "T[2, 3, 2]",
     "einsum(%x, %y) {equation: \"bij,bjk->bik\"}"},
    {"conv_remainder", "%x: T[1, 2, 6], %w: T[3, 2, 3]", "T[1, 3, 3]",
     "conv(%x, %w) {step: [2], pad_low: [1], pad_high: [1]}"},
    {"conv_uncovered", "%x: T[1, 2, 9], %w: T[3, 2, 2], %b: T[3]", "T[1, 3, 3]",
     "conv(%x, %w, %b) {step: [3]}"},
    {"conv_transpose_apart", "%x: T[1, 2, 4], %w: T[2, 3, 2]", "T[1, 3, 10]",
     "conv_transpose(%x, %w) {step: [3], pad_low: [1]}"},
    {"logcumsumexp", "%x: T[2, 5, 3]", "T[2, 5, 3]", "logcumsumexp(%x) {axis: 1}"},
    {"logcumsumexp_exclusive", "%x: T[2, 5, 3]", "T[2, 5, 3]",
     "logcumsumexp(%x) {axis: 1, exclusive: true}"},
    {"logcumsumexp_reverse", "%x: T[2, 5, 3]", "T[2, 5, 3]",
     "logcumsumexp(%x) {axis: 1, reverse: true}"},
    {"logcumsumexp_both", "%x: T[2, 5, 3]", "T[2, 5, 3]",
     "logcumsumexp(%x) {axis: 1, exclusive: true, reverse: true}"},
    {"logcumsumexp_empty", "%x: T[2, 0]", "T[2, 0]", "logcumsumexp(%x) {axis: 1}"},
    {"einsum_dot", "%x: T[4], %y: T[4]", "T", "einsum(%x, %y) {equation: \"i,i->\"}"},
};

Graph parse(const Form& form, ir::DType dtype) {
  const std::string name(to_string(dtype));
  std::string text = std::string("graph ") + form.name + "_" + name + "(" + form.parameters +
                     ") {\n  %0: " + form.result + " = " + form.use + "\n  return %0\n}";
  return ir::parse_graph(std::regex_replace(text, std::regex("\\bT\\b"), name));
}

Graph graph_named(const std::string& name, ir::DType dtype) {
  return Graph(name + "_" + std::string(to_string(dtype)));
}

Graph pointwise(const ir::OpInfo& row, ir::DType dtype) {
  Graph graph = graph_named(std::string(row.text), dtype);
  std::vector<Value> operands;
  for (int i = 0; i < row.arity; ++i) {
    const bool is_condition = row.op == Op::Select && i == 0;
    operands.push_back(graph.add_parameter("x" + std::to_string(i),
                                           {is_condition ? ir::DType::Bool : dtype, {3, 4}}));
  }
  ir::Attributes attributes;
  if (row.op == Op::Cast) attributes.set(ir::AttributeName::DType, ir::DType::F64);
  graph.set_outputs({graph.add(row.op, operands, attributes)});
  return graph;
}

/// Along a middle dimension.
Graph scan(Op op, bool exclusive, bool reverse, ir::DType dtype) {
  Graph graph = graph_named("scan_" + std::string(ir::to_string(op)) +
                                (exclusive ? "_exclusive" : "") + (reverse ? "_reverse" : ""),
                            dtype);
  const Value x = graph.add_parameter("x", {dtype, {2, 5, 3}});
  graph.set_outputs({graph.add(Op::Scan, {x},
                               {{ir::AttributeName::Axis, std::int64_t{1}},
                                {ir::AttributeName::Reducer, ir::Reducer{op, {}, {}}},
                                {ir::AttributeName::Exclusive, exclusive},
                                {ir::AttributeName::Reverse, reverse}})});
  return graph;
}

/// Indices of which some only count: rows, a transposed column, and both from one dimension.
Graph counting_gather(int form, ir::DType dtype) {
  Graph graph = graph_named("gather_counted_" + std::to_string(form), dtype);
  const Value x = graph.add_parameter("x", {dtype, {4, 5}});
  const ir::Shape shape = form == 2 ? ir::Shape{4} : ir::Shape{3, 4};
  const Value data = graph.add_parameter("i", {ir::DType::I64, shape});
  const auto count = [&](std::int64_t axis) {
    return graph.add(Op::Iota, {},
                     {{ir::AttributeName::DType, ir::DType::I64},
                      {ir::AttributeName::Shape, shape},
                      {ir::AttributeName::Axis, axis}});
  };
  std::vector<Value> operands{x, count(0), data};
  if (form == 1) operands = {x, data, count(1)};
  if (form == 2) operands = {x, count(0), count(0)};
  graph.set_outputs({graph.add(Op::Gather, operands)});
  return graph;
}

bool is_differentiable(const Graph& graph, ir::DType dtype) {
  // Its gradient is not its slope.
  if (graph.node(graph.outputs()[0]).op == Op::StopGradient) return false;
  // Folds with a Function have no derivative.
  const ir::Node& node = graph.node(graph.outputs()[0]);
  const auto* reducer = node.attributes.find(ir::AttributeName::Reducer);
  if (reducer != nullptr && std::get<ir::Reducer>(*reducer).function) return false;
  const auto is_float = [&](Value value) { return ir::is_float(graph.type(value).dtype); };
  return graph.type({graph.parameters()[0], 0}).dtype == dtype &&
         std::any_of(graph.outputs().begin(), graph.outputs().end(), is_float);
}

}  // namespace

std::vector<Graph> make_differentiable_graphs(ir::DType dtype) {
  std::vector<Graph> graphs;
  for (Graph& graph : make_operator_graphs()) {
    if (is_differentiable(graph, dtype)) graphs.push_back(std::move(graph));
  }
  for (const ir::OpInfo& row : ir::all_ops()) {
    const bool is_refused = ir::derivative_of(row.op) == ir::Derivative::None;
    const bool has_float_result = row.op_class != OpClass::Compare;
    if (!ir::is_pointwise(row.op) || is_refused || !has_float_result) continue;
    if (ir::accepts_dtype(row.op, dtype)) graphs.push_back(pointwise(row, dtype));
  }
  for (const Form& form : kForms) graphs.push_back(parse(form, dtype));
  for (const Op op : {Op::Add, Op::Mul, Op::Maximum, Op::Minimum}) {
    for (const int bits : {0, 1, 2, 3}) {
      graphs.push_back(scan(op, (bits & 1) != 0, (bits & 2) != 0, dtype));
    }
  }
  for (const int form : {0, 1, 2}) graphs.push_back(counting_gather(form, dtype));
  return graphs;
}

}  // namespace sinter::tests
