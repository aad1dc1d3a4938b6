// Copying of Kernel nodes under a renaming of values.
#include "ir/rewrite.h"

namespace sinter::ir {

Attributes rename_attributes(const Attributes& attributes, const Renaming& renaming) {
  IndexSubstitution substitution;
  substitution.value = [&](Value value) -> std::optional<IndexExpr> {
    return IndexExpr::value(renaming(value));
  };
  Attributes renamed = attributes;
  for (const Attribute& attribute : attributes.list()) {
    const Shape* shape = std::get_if<Shape>(&attribute.value);
    if (shape == nullptr) continue;
    Shape copy;
    for (const IndexExpr& expr : *shape) copy.push_back(substitute(expr, substitution));
    renamed.set(attribute.name, std::move(copy));
  }
  return renamed;
}

Value copy_node(Kernel& kernel, const KernelNode& node, const Renaming& renaming) {
  std::vector<Value> operands;
  for (const Value operand : node.operands) operands.push_back(renaming(operand));
  return kernel.add(node.op, std::move(operands), rename_attributes(node.attributes, renaming),
                    node.location);
}

Kernel copy_frame(const Kernel& kernel) {
  Kernel copy(kernel.name(), kernel.mode());
  for (const Axis& axis : kernel.axes()) copy.add_axis(axis.name, axis.extent);
  for (const KernelParam& param : kernel.params()) copy.add_param(param);
  return copy;
}

}  // namespace sinter::ir
