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

bool may_reorder(const ir::Kernel& kernel, const ir::KernelNode& node) {
  if (kernel.mode() == ir::Mode::Strict || node.op == Op::Scan) return false;
  if (node.op == Op::Contract) return true;
  return !reducer_of(node).function && ir::info(reducer_of(node).op).commutes;
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

Register emit_combine(const LaneWriter& lanes, const ir::KernelNode& node, const Register& a,
                      const Register& b) {
  return emit_scalar(lanes, combining_op(node), std::vector{a, b}, {});
}

Register emit_combine_lanes(const LaneWriter& lanes, const ir::KernelNode& node,
                            const Register& accumulator) {
  // Not by halves: where they narrow step by step, LLVM (19 at least) takes a sum of products of bytes on
  // machines with VNNI, or of differences of bytes, for one of its instructions and forgets most lanes.
  if (combining_op(node) == Op::Add && !ir::is_float(accumulator.dtype)) {
    return lanes.sum_lanes(accumulator);
  }
  Register rest = accumulator;
  while (rest.width > 1) {
    const int half = rest.width / 2;
    const LaneWriter halves = lanes.with_width(half);
    const auto take = [&](int first) -> Register {
      if (half == 1) return lanes.extract(rest, first);
      std::string mask;
      for (int lane = 0; lane < half; ++lane) {
        mask += fmt::format("{}i32 {}", lane == 0 ? "" : ", ", first + lane);
      }
      const std::string type = type_of(rest);
      const std::string text =
          fmt::format("shufflevector {} {}, {} poison, ", type, rest.text, type) +
          fmt::format("<{} x i32> <{}>", half, mask);
      return halves.assign(first == 0 ? "low" : "high", text, rest.dtype);
    };
    const Register low = take(0);
    rest = emit_combine(halves, node, low, take(half));
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
