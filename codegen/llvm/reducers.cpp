// Steps of folds; a reducer's Function is inlined operator by operator.
#include "codegen/llvm/reducers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "codegen/llvm/casts.h"
#include "codegen/llvm/scalars.h"
#include "ir/graph.h"

namespace sinter::codegen::llvm {

using ir::AttributeName;
using ir::DType;
using ir::Op;

namespace {

const ir::Reducer& reducer_of(const ir::KernelNode& node) {
  return node.attributes.get<ir::Reducer>(AttributeName::Reducer);
}

/// The operator that combines two partial results of a fold without Function.
Op combining_op(const ir::KernelNode& node) {
  return node.op == Op::Contract ? Op::Add : reducer_of(node).op;
}

std::vector<Register> inline_function(const LaneWriter& lanes, const ir::Graph& function,
                                      const std::vector<Register>& arguments) {
  std::map<ir::Value, Register> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    values[{function.parameters()[i], 0}] = arguments[i];
  }
  for (ir::NodeId id = 0; id < function.nodes().size(); ++id) {
    const ir::Node& node = function.node(id);
    if (node.op == Op::Parameter) continue;
    if (node.op == Op::Constant) {
      values[{id, 0}] = lanes.constant(node.attributes.get<ir::Literal>(AttributeName::Value));
      continue;
    }
    std::vector<Register> operands;
    for (const ir::Value operand : node.operands) operands.push_back(values.at(operand));
    values[{id, 0}] = emit_scalar(lanes, node.op, operands, node.attributes);
  }
  std::vector<Register> results;
  for (const ir::Value output : function.outputs()) results.push_back(values.at(output));
  return results;
}

Register emit_product_sum(const LaneWriter& lanes, const Register& accumulator, const Register& a,
                          const Register& b) {
  const std::vector<Register> product = {emit_cast(lanes, a, accumulator.dtype),
                                         emit_cast(lanes, b, accumulator.dtype)};
  if (ir::is_float(accumulator.dtype)) {
    return emit_scalar(lanes, Op::Fma, std::vector{product[0], product[1], accumulator}, {});
  }
  const Register term = emit_scalar(lanes, Op::Mul, product, {});
  return emit_scalar(lanes, Op::Add, std::vector{accumulator, term}, {});
}

}  // namespace

bool has_function(const ir::KernelNode& node) {
  return node.op != Op::Contract && reducer_of(node).function;
}

bool may_reorder(const ir::Kernel& kernel, const ir::KernelNode& node) {
  if (kernel.mode() == ir::Mode::Strict || node.op == Op::Scan) return false;
  if (node.op == Op::Contract) return true;
  const ir::Reducer& reducer = reducer_of(node);
  if (!reducer.function) return ir::info(reducer.op).commutes;
  return std::ranges::equal(
      node.operands, reducer.identity, {}, [&](ir::Value operand) { return kernel.dtype(operand); },
      &ir::Literal::dtype);
}

std::vector<ir::Literal> fold_identities(const ir::KernelNode& node) {
  if (node.op == Op::Contract) {
    return {ir::make_literal(ir::compute_dtype(node.results[0]), 0.0)};
  }
  const ir::Reducer& reducer = reducer_of(node);
  if (reducer.function) return reducer.identity;
  return {*ir::identity_of(reducer.op, ir::compute_dtype(node.results[0]))};
}

std::vector<Register> emit_fold_step(const LaneWriter& lanes, const ir::KernelNode& node,
                                     const std::vector<Register>& accumulators,
                                     const std::vector<Register>& elements) {
  if (node.op == Op::Contract) {
    return {emit_product_sum(lanes, accumulators[0], elements[0], elements[1])};
  }
  const ir::Reducer& reducer = reducer_of(node);
  if (reducer.function) {
    std::vector<Register> arguments = accumulators;
    arguments.insert(arguments.end(), elements.begin(), elements.end());
    return inline_function(lanes, *reducer.function, arguments);
  }
  const Register element = emit_cast(lanes, elements[0], accumulators[0].dtype);
  return {emit_scalar(lanes, reducer.op, std::vector{accumulators[0], element}, {})};
}

std::vector<Register> emit_combine(const LaneWriter& lanes, const ir::KernelNode& node,
                                   const std::vector<Register>& a, const std::vector<Register>& b) {
  if (has_function(node)) {
    return emit_fold_step(lanes, node, a, b);
  }
  return {emit_scalar(lanes, combining_op(node), std::vector{a[0], b[0]}, {})};
}

namespace {

/// The lower or the upper half of a vector's lanes.
Register take_half(const LaneWriter& halves, const Register& vector, bool is_upper) {
  const int first = is_upper ? halves.width() : 0;
  if (halves.width() == 1) return halves.extract(vector, first);
  std::string mask;
  for (int lane = 0; lane < halves.width(); ++lane) {
    mask += fmt::format("{}i32 {}", lane == 0 ? "" : ", ", first + lane);
  }
  const std::string type = type_of(vector);
  const std::string text =
      fmt::format("shufflevector {} {}, {} poison, ", type, vector.text, type) +
      fmt::format("<{} x i32> <{}>", halves.width(), mask);
  return halves.assign(is_upper ? "high" : "low", text, vector.dtype);
}

}  // namespace

std::vector<Register> emit_combine_lanes(const LaneWriter& lanes, const ir::KernelNode& node,
                                         const std::vector<Register>& accumulators) {
  // Not by halves: where they narrow step by step, LLVM (19 at least) takes a sum of products of bytes on
  // machines with VNNI, or of differences of bytes, for one of its instructions and forgets most lanes.
  if (!has_function(node) && combining_op(node) == Op::Add &&
      !ir::is_float(accumulators[0].dtype)) {
    return {lanes.sum_lanes(accumulators[0])};
  }
  std::vector<Register> rest = accumulators;
  while (rest[0].width > 1) {
    const LaneWriter halves = lanes.with_width(rest[0].width / 2);
    std::vector<Register> low, high;
    for (const Register& vector : rest) {
      low.push_back(take_half(halves, vector, false));
      high.push_back(take_half(halves, vector, true));
    }
    rest = emit_combine(halves, node, low, high);
  }
  return rest;
}

std::vector<Register> emit_fold_results(const LaneWriter& lanes, const ir::KernelNode& node,
                                        const std::vector<Register>& accumulators) {
  std::vector<Register> results;
  for (std::size_t i = 0; i < accumulators.size(); ++i) {
    results.push_back(emit_cast(lanes, accumulators[i], node.results[i]));
  }
  return results;
}

}  // namespace sinter::codegen::llvm
