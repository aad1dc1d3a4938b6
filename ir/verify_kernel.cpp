// Checks that a Kernel is well-formed: what infer_kernel.cpp demands of each node, and the rules
// that concern names, attributes, parameters and loops.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "ir/attribute_rules.h"
#include "ir/infer_kernel.h"
#include "ir/verify.h"
#include "support/check.h"
#include "support/lexer.h"

namespace sinter::ir {

namespace {

using support::check;

/// As in Graphs, where Graphs have the operator.
std::vector<AttributeRule> kernel_attributes(Op op) {
  using enum AttributeName;
  switch (op) {
    case Op::Load: return {{Param, true}, {Map, true}, {Where, false}, {Outside, false}};
    case Op::Store: return {{Param, true}, {Map, true}, {Where, false}};
    case Op::Index: return {{Map, true}};
    case Op::Contract:
      return {{AttributeName::DType, true}, {Axes, true}, {AttributeName::Precision, true}};
    default: return graph_attributes(op);
  }
}

class KernelVerifier {
 public:
  explicit KernelVerifier(const Kernel& kernel) : kernel_(kernel) {}

  void run() {
    verify_axes();
    verify_params();
    for (id_ = 0; id_ < kernel_.nodes().size(); ++id_) verify_node(kernel_.node(id_));
    verify_outputs();
  }

 private:
  std::string site() const {
    return fmt::format("kernel {}, %{} = {}", kernel_.name(), id_, to_string(kernel_.node(id_).op));
  }

  void verify_name(const std::string& name) {
    check(support::is_identifier(name), "kernel {}: '{}' is no name", kernel_.name(), name);
    check(names_.insert(name).second, "kernel {}: the name {} stands for two things",
          kernel_.name(), name);
  }

  /// Extents and shapes mention sizes only; a size may not be called like an axis.
  void verify_dims(const std::string& owner, const Shape& shape) {
    for (const Dim& dim : shape) {
      check(axes_of(dim).empty() && values_of(dim).empty(),
            "kernel {}: {} has the extent {}, which mentions more than sizes", kernel_.name(),
            owner, to_string(dim));
      verify_sizes(owner, dim);
    }
  }

  void verify_sizes(const std::string& owner, const IndexExpr& expr) {
    for (const std::string& size : sizes_of(expr)) {
      check(!axis_names_.contains(size), "kernel {}: {} mentions the size {}, which is an axis",
            kernel_.name(), owner, size);
    }
  }

  void verify_axes() {
    check(support::is_identifier(kernel_.name()), "'{}' is no name of a kernel", kernel_.name());
    for (const Axis& axis : kernel_.axes()) {
      verify_name(axis.name);
      axis_names_.insert(axis.name);
    }
    for (const Axis& axis : kernel_.axes()) verify_dims("axis " + axis.name, {axis.extent});
  }

  void verify_params() {
    for (const KernelParam& param : kernel_.params()) {
      verify_name(param.name);
      verify_dims("parameter " + param.name, param.shape);
      check(!param.is_host || (param.role == ParamRole::In && param.shape.empty()),
            "kernel {}: the host scalar {} is no input of rank 0", kernel_.name(), param.name);
    }
  }

  void verify_node(const KernelNode& node) {
    verify_attribute_names(node);
    const KernelNodeType type =
        infer_kernel_node(kernel_, id_, node.op, node.operands, node.attributes);
    check(type.results == node.results, "{} has {} results of other types than inferred", site(),
          node.results.size());
    check(type.domain == node.domain, "{} has another domain than inferred", site());
    switch (node.op) {
      case Op::Load: return verify_load(node);
      case Op::Store: return verify_store(node);
      case Op::Index: return verify_expressions(node, AttributeName::Map);
      case Op::Reduce:
      case Op::Scan: return verify_reducer(node);
      default: return;
    }
  }

  void verify_attribute_names(const KernelNode& node) {
    const std::vector<AttributeRule> rules = kernel_attributes(node.op);
    for (const AttributeRule& rule : rules) {
      check(!rule.required || node.attributes.find(rule.name) != nullptr, "{} lacks attribute {}",
            site(), to_string(rule.name));
    }
    for (const Attribute& attribute : node.attributes.list()) {
      const bool known = std::ranges::count(rules, attribute.name, &AttributeRule::name) > 0;
      check(known, "{} has attribute {}, which it may not have", site(), to_string(attribute.name));
    }
  }

  void verify_expressions(const KernelNode& node, AttributeName name) {
    for (const IndexExpr& expr : node.attributes.get_or<Shape>(name, {})) {
      verify_sizes(site(), expr);
    }
  }

  const KernelParam& verify_access(const KernelNode& node) {
    verify_expressions(node, AttributeName::Map);
    verify_expressions(node, AttributeName::Where);
    const auto index = node.attributes.get<std::int64_t>(AttributeName::Param);
    const KernelParam& param = kernel_.params()[static_cast<std::size_t>(index)];
    const std::size_t rank = node.attributes.get<Shape>(AttributeName::Map).size();
    check(rank == param.shape.size(), "{} has a map of {} expressions, {} has {} dimensions",
          site(), rank, param.name, param.shape.size());
    return param;
  }

  void verify_load(const KernelNode& node) {
    const KernelParam& param = verify_access(node);
    check(param.role == ParamRole::In, "{} reads {}, which is an output", site(), param.name);
    const AttributeValue* where = node.attributes.find(AttributeName::Where);
    const AttributeValue* outside = node.attributes.find(AttributeName::Outside);
    check((where == nullptr) == (outside == nullptr),
          "{} has only one of the attributes where and outside", site());
    if (!outside) return;
    const Literal& literal = node.attributes.get<Literal>(AttributeName::Outside);
    check(literal.dtype == param.dtype, "{} reads {} inside and {} outside", site(),
          to_string(param.dtype), to_string(literal.dtype));
  }

  /// Every loop that a store stands in must show in its map or its where: else iterations of that
  /// loop would write the same element.
  void verify_store(const KernelNode& node) {
    const KernelParam& param = verify_access(node);
    check(param.role == ParamRole::Out, "{} writes {}, which is an input", site(), param.name);
    stored_.insert(param.name);
    Shape expressions = node.attributes.get<Shape>(AttributeName::Map);
    const Shape where = node.attributes.get_or<Shape>(AttributeName::Where, {});
    expressions.insert(expressions.end(), where.begin(), where.end());
    const std::vector<AxisId> shown = domain_of(kernel_, expressions);
    for (const AxisId axis : node.domain) {
      check(std::ranges::binary_search(shown, axis),
            "{} writes the same element of {} for every value of axis {}", site(), param.name,
            kernel_.axes()[axis].name);
    }
  }

  void verify_reducer(const KernelNode& node) {
    const auto& reducer = node.attributes.get<ir::Reducer>(AttributeName::Reducer);
    if (reducer.function) verify_function(*reducer.function);
  }

  void verify_outputs() {
    bool has_output = false;
    for (const KernelParam& param : kernel_.params()) {
      if (param.role == ParamRole::In) continue;
      has_output = true;
      check(stored_.contains(param.name), "kernel {}: output {} is never stored", kernel_.name(),
            param.name);
    }
    check(has_output, "kernel {} has no output", kernel_.name());
  }

  const Kernel& kernel_;
  NodeId id_ = 0;
  std::set<std::string> names_;
  std::set<std::string> axis_names_;
  std::set<std::string> stored_;
};

}  // namespace

void verify_kernel(const Kernel& kernel) { KernelVerifier(kernel).run(); }

}  // namespace sinter::ir
