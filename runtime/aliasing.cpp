// The in-place rule.
#include "runtime/aliasing.h"

#include <algorithm>

#include "runtime/bind.h"
#include "runtime/folds.h"
#include "support/check.h"

namespace sinter::runtime {

namespace {

using ir::AttributeName;

bool is_same_layout(const ir::TensorLayout& a, const ir::TensorLayout& b) {
  return a.address == b.address && std::ranges::equal(a.extents, b.extents) &&
         std::ranges::equal(a.strides, b.strides);
}

std::int64_t param_index(const ir::Kernel& kernel, const std::string& name) {
  const auto& params = kernel.params();
  const auto at = std::find_if(params.begin(), params.end(),
                               [&](const ir::KernelParam& param) { return param.name == name; });
  return at == params.end() ? -1 : at - params.begin();
}

// True if every load of `input` reads exactly the element that the same iteration stores to
// `output`.
bool is_elementwise(const ir::Kernel& kernel, const std::string& input, const std::string& output) {
  const std::int64_t in = param_index(kernel, input);
  const std::int64_t out = param_index(kernel, output);
  if (in < 0) return true;
  const ir::Shape* stored = nullptr;
  for (const ir::NodeId id : kernel.stores()) {
    const ir::Attributes& attributes = kernel.node(id).attributes;
    if (attributes.get<std::int64_t>(AttributeName::Param) == out) {
      stored = &attributes.get<ir::Shape>(AttributeName::Map);
    }
  }
  if (!stored) return false;
  return std::all_of(kernel.nodes().begin(), kernel.nodes().end(), [&](const auto& node) {
    if (is_fold(node)) return false;
    if (node.op != ir::Op::Load) return true;
    return node.attributes.template get<std::int64_t>(AttributeName::Param) != in ||
           node.attributes.template get<ir::Shape>(AttributeName::Map) == *stored;
  });
}

}  // namespace

AliasRules::AliasRules(const ir::Graph& graph, const codegen::Plan& plan)
    : operator_name_(graph.name()) {
  for (const ir::NodeId id : graph.parameters()) {
    inputs_.push_back({graph.parameter_name(id), graph.type({id, 0}).dtype});
  }
  for (std::size_t o = 0; o < graph.outputs().size(); ++o) {
    outputs_.push_back({"", graph.type(graph.outputs()[o]).dtype});
    for (const Tensor& input : inputs_) {
      is_elementwise_.push_back(
          plan.kernels.size() == 1 && input.dtype == outputs_.back().dtype &&
          is_elementwise(plan.kernels[0].kernel, input.name, plan.outputs[o]));
    }
  }
}

void AliasRules::check(std::span<const ir::TensorLayout> inputs,
                       std::span<const ir::TensorLayout> outputs) const {
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const ByteRange range = byte_range(outputs[o], outputs_[o].dtype);
    for (std::size_t other = 0; other < o; ++other) {
      if (range.overlaps(byte_range(outputs[other], outputs_[other].dtype))) {
        support::throw_user("output {} overlaps output {}; each needs memory of its own", o, other);
      }
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!range.overlaps(byte_range(inputs[i], inputs_[i].dtype))) continue;
      if (is_elementwise_[o * inputs.size() + i] && is_same_layout(inputs[i], outputs[o])) continue;
      support::throw_user(
          "output {} overlaps input {}, and {} reads other elements of it than it writes there; "
          "give the output memory of its own",
          o, inputs_[i].name, operator_name_);
    }
  }
}

}  // namespace sinter::runtime
