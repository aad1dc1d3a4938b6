// Collects the sizes and strides that a kernel's text needs.
#include "codegen/cuda/signature.h"

#include "codegen/cuda/types.h"

namespace sinter::codegen::cuda {
namespace {

using ir::AttributeName;
using ir::IndexExpr;
using ir::Kernel;
using ir::KernelParam;
using ir::ParamRole;

std::set<std::string> collect_sizes(const Kernel& kernel, const ir::Facts& facts) {
  std::set<std::string> sizes;
  const auto add = [&](const IndexExpr& expr) { sizes.merge(ir::sizes_of(expr)); };
  for (const ir::Axis& axis : kernel.axes()) add(axis.extent);
  for (const ir::KernelNode& node : kernel.nodes()) {
    for (const AttributeName name : {AttributeName::Map, AttributeName::Where}) {
      for (const IndexExpr& expr : node.attributes.get_or<ir::Shape>(name, {})) add(expr);
    }
  }
  // Strides of a contiguous tensor are products of its inner extents.
  for (const KernelParam& param : kernel.params()) {
    if (!facts.is_contiguous(param.name)) continue;
    for (std::size_t d = 1; d < param.shape.size(); ++d) add(param.shape[d]);
  }
  return sizes;
}

class SignatureBuilder {
 public:
  SignatureBuilder(const Kernel& kernel, const ir::Facts& facts, NameTable& table, TextNames& names,
                   PieceSet& pieces)
      : kernel_(kernel), facts_(facts), table_(table), names_(names), pieces_(pieces) {}

  Signature build(bool restrict_inputs) {
    for (const KernelParam& param : kernel_.params()) {
      param.is_host ? add_value(param) : add_pointer(param, restrict_inputs);
    }
    for (const ir::Axis& axis : kernel_.axes()) names_.axes.push_back(table_.make_name(axis.name));
    for (const std::string& size : collect_sizes(kernel_, facts_)) add_size(size);
    for (std::size_t p = 0; p < kernel_.params().size(); ++p) {
      const KernelParam& param = kernel_.params()[p];
      if (facts_.is_contiguous(param.name)) continue;
      for (std::size_t d = 0; d < param.shape.size(); ++d) add_stride(p, d);
    }
    return std::move(signature_);
  }

 private:
  void add_value(const KernelParam& param) {
    names_.params.push_back(table_.make_name(param.name));
    signature_.parameters.push_back("const " + memory_type(param.dtype, pieces_) + " " +
                                    names_.params.back());
    signature_.arguments.push_back(
        {.kind = ArgumentKind::Scalar, .param = param.name, .dtype = param.dtype});
  }

  void add_pointer(const KernelParam& param, bool restrict_inputs) {
    const bool is_input = param.role == ParamRole::In;
    std::string type = memory_type(param.dtype, pieces_);
    if (is_input) type = "const " + type;
    const std::string star = is_input && restrict_inputs ? "* __restrict__ " : "* ";
    names_.params.push_back(table_.make_name(param.name));
    signature_.parameters.push_back(type + star + names_.params.back());
    signature_.arguments.push_back({.kind = ArgumentKind::Pointer, .param = param.name});
  }

  /// Declares an i64 parameter and an alias of it of type idx; returns the alias.
  std::string add_number(const std::string& name) {
    const std::string alias = table_.make_name(name);
    const std::string parameter = table_.make_name(alias + "_i64");
    signature_.parameters.push_back(pieces_.use("i64") + " " + parameter);
    signature_.aliases.push_back("const idx " + alias + " = (idx)" + parameter + ";");
    return alias;
  }

  void add_size(const std::string& size) {
    names_.sizes[size] = add_number(size);
    signature_.arguments.push_back({.kind = ArgumentKind::Size, .expr = IndexExpr::size(size)});
  }

  void add_stride(std::size_t p, std::size_t d) {
    const KernelParam& param = kernel_.params()[p];
    const auto dimension = static_cast<std::int64_t>(d);
    if (param.shape[d] == IndexExpr(1)) return;  // its only index is 0
    if (const auto known = facts_.stride(param.name, dimension)) {
      names_.strides[{p, d}] = std::to_string(*known);
      return;
    }
    names_.strides[{p, d}] = add_number(param.name + "_stride" + std::to_string(d));
    signature_.arguments.push_back(
        {.kind = ArgumentKind::Stride, .param = param.name, .dimension = dimension});
  }

  const Kernel& kernel_;
  const ir::Facts& facts_;
  NameTable& table_;
  TextNames& names_;
  PieceSet& pieces_;
  Signature signature_;
};

}  // namespace

Signature make_signature(const Kernel& kernel, const ir::Facts& facts, bool restrict_inputs,
                         NameTable& table, TextNames& names, PieceSet& pieces) {
  return SignatureBuilder(kernel, facts, table, names, pieces).build(restrict_inputs);
}

}  // namespace sinter::codegen::cuda
