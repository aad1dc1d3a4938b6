// The in-place rule.
#include "runtime/aliasing.h"

#include <algorithm>

#include "runtime/bind.h"
#include "support/check.h"

namespace sinter::runtime {

namespace {

using ir::AttributeName;
using ir::OpClass;

bool is_same_view(const TensorView& a, const TensorView& b) {
  const ir::BoundTensor left = to_bound_tensor("", a);
  const ir::BoundTensor right = to_bound_tensor("", b);
  return a.dtype == b.dtype && left.address == right.address && left.extents == right.extents &&
         left.strides == right.strides;
}

bool folds_over_axes(const ir::KernelNode& node) {
  const OpClass op_class = ir::info(node.op).op_class;
  return op_class == OpClass::Reduction || op_class == OpClass::Contraction ||
         op_class == OpClass::Scan;
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
    if (folds_over_axes(node)) return false;
    if (node.op != ir::Op::Load) return true;
    return node.attributes.template get<std::int64_t>(AttributeName::Param) != in ||
           node.attributes.template get<ir::Shape>(AttributeName::Map) == *stored;
  });
}

}  // namespace

void check_aliasing(const ir::Graph& graph, const codegen::Plan& plan,
                    std::span<const TensorView> inputs, std::span<const TensorView> outputs) {
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const ByteRange range = byte_range(outputs[o]);
    for (std::size_t other = 0; other < o; ++other) {
      if (range.overlaps(byte_range(outputs[other]))) {
        support::throw_user("output {} overlaps output {}; each needs memory of its own", o, other);
      }
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!range.overlaps(byte_range(inputs[i]))) continue;
      const std::string& name = graph.parameter_name(graph.parameters()[i]);
      const bool is_safe = plan.kernels.size() == 1 && is_same_view(inputs[i], outputs[o]) &&
                           is_elementwise(plan.kernels[0].kernel, name, plan.outputs[o]);
      if (!is_safe) {
        support::throw_user(
            "output {} overlaps input {}, and {} reads other elements of it than it writes there; "
            "give the output memory of its own",
            o, name, graph.name());
      }
    }
  }
}

}  // namespace sinter::runtime
