// Nodes as statements: one declaration a value, in the kernel's order.
#include "codegen/cuda/kernel_text.h"

#include <algorithm>

#include "codegen/cuda/index_facts.h"
#include "codegen/cuda/line_access.h"
#include "codegen/cuda/loop_nest.h"
#include "codegen/cuda/types.h"
#include "support/check.h"

namespace sinter::codegen::cuda {

using ir::AttributeName;
using ir::AxisId;
using ir::DType;
using ir::IndexExpr;
using ir::KernelNode;
using ir::KernelParam;
using ir::NodeId;
using ir::Op;
using ir::Value;

namespace {

std::size_t param_index(const KernelNode& node) {
  return static_cast<std::size_t>(node.attributes.get<std::int64_t>(AttributeName::Param));
}

}  // namespace

KernelText::KernelText(const ir::Kernel& kernel, const ir::Facts& facts, bool restrict_inputs,
                       std::span<const std::string_view> reserved)
    : kernel_(kernel),
      facts_(facts),
      table_(reserved),
      index_(kernel, names_, pieces_),
      signature_(make_signature(kernel, facts, restrict_inputs, table_, names_, pieces_)) {
  pieces_.set_native(native_functions_of(kernel));
}

std::string KernelText::extent(AxisId axis) const {
  return index_.emit_operand(kernel_.axes()[axis].extent);
}

std::string KernelText::type(DType dtype) { return value_type(dtype, pieces_); }

std::string KernelText::vector_type(DType dtype, std::int64_t length) {
  const std::string name = fmt::format("pack_{}_{}", to_string(dtype), length);
  if (vector_types_.insert(name).second) {
    const std::int64_t bytes = length * static_cast<std::int64_t>(size_bytes(dtype));
    functions_.line("struct alignas({}) {} {{", std::min<std::int64_t>(bytes, 16), name);
    functions_.line("  {} e[{}];", memory_type(dtype, pieces_), length);
    functions_.line("}};");
  }
  return name;
}

ScalarText KernelText::value(Value value) const {
  const auto found = names_.values.find(value);
  support::check(found != names_.values.end(), "%{} of kernel {} is used before it is emitted",
                 value.node, kernel_.name());
  return {found->second, kernel_.dtype(value)};
}

std::string KernelText::name_value(Value value) {
  const KernelNode& node = kernel_.node(value);
  std::string hint(ir::to_string(node.op));
  if (node.op == Op::Load) hint = kernel_.params()[param_index(node)].name;
  hint = sanitize_name(hint) + "_" + std::to_string(value.node);
  if (node.results.size() > 1) hint += "_" + std::to_string(value.result);
  const std::string name = table_.make_name(hint);
  set_value(value, name);
  return name;
}

// The remainder is written as a difference, so that the compiler sees through i * n + j where the
// offset is the flat index itself.
void KernelText::emit_axes(const std::string& flat, const std::vector<AxisId>& axes) {
  std::string rest = flat;
  for (std::size_t a = axes.size(); a-- > 0;) {
    const std::string& name = axis(axes[a]);
    if (a == 0) {
      body_.line("const idx {} = {};", name, rest);
      break;
    }
    const std::string extent_text = extent(axes[a]);
    const std::string outer = a == 1 ? axis(axes[0]) : make_name("rest_" + name);
    body_.line("const idx {} = {} / {};", outer, rest, extent_text);
    body_.line("const idx {} = {} - {} * {};", name, rest, outer, extent_text);
    if (a == 1) break;
    rest = outer;
  }
}

std::string KernelText::pointer(NodeId id) const {
  const KernelNode& node = kernel_.node(id);
  return names_.params[param_index(node)] + " + (" + emit_offset(node) + ")";
}

std::string KernelText::step(NodeId id, AxisId axis) const {
  const KernelNode& node = kernel_.node(id);
  const std::size_t p = param_index(node);
  const KernelParam& param = kernel_.params()[p];
  if (facts_.is_contiguous(param.name)) {
    return index_.emit_operand(ir::coefficient_of(dense_offset(kernel_, node), axis).value());
  }
  const auto& map = node.attributes.get<ir::Shape>(AttributeName::Map);
  std::string sum;
  for (std::size_t d = 0; d < map.size(); ++d) {
    const IndexExpr coefficient = ir::coefficient_of(map[d], axis).value();
    const auto stride = names_.strides.find({p, d});
    if (coefficient == IndexExpr(0) || stride == names_.strides.end()) continue;
    const bool is_one = coefficient == IndexExpr(1);
    sum += (sum.empty() ? "" : " + ") + (is_one ? "" : index_.emit_operand(coefficient) + " * ") +
           stride->second;
  }
  return sum.empty() ? "0" : parenthesize(sum);
}

void KernelText::add_parameter(Argument argument, const std::string& declaration) {
  signature_.arguments.push_back(std::move(argument));
  signature_.parameters.push_back(declaration);
}

void KernelText::emit_node(NodeId id, const std::vector<AxisId>& surrounding) {
  const KernelNode& node = kernel_.node(id);
  const Value result{id, 0};
  if (node.op == Op::Store) return emit_store(node, surrounding);
  if (node.op == Op::Constant) {
    const auto& literal = node.attributes.get<ir::Literal>(AttributeName::Value);
    return set_value(result, emit_literal(literal, pieces_));
  }
  std::string text;
  if (node.op == Op::Load) {
    text = emit_load(node);
  } else if (node.op == Op::Index) {
    text = index_.emit_wide(node.attributes.get<ir::Shape>(AttributeName::Map).front());
  } else {
    std::vector<ScalarText> operands;
    for (const Value operand : node.operands) operands.push_back(value(operand));
    text = emit_scalar(node.op, operands, node.results.front(), pieces_);
  }
  const std::string type_text = type(node.results.front());
  body_.line("const {} {} = {};", type_text, name_value(result), text);
}

std::string KernelText::emit_offset(const KernelNode& node) const {
  const std::size_t p = param_index(node);
  const KernelParam& param = kernel_.params()[p];
  const auto& map = node.attributes.get<ir::Shape>(AttributeName::Map);
  const bool is_contiguous = facts_.is_contiguous(param.name);
  std::string offset;
  for (std::size_t d = 0; d < map.size(); ++d) {
    std::string coordinate = map[d] == IndexExpr(0) ? "" : index_.emit_coordinate(map[d]);
    if (is_contiguous) {
      // Horner's scheme: (i * rows + j) * columns + k.
      if (!offset.empty()) {
        offset = parenthesize(offset) + " * " + index_.emit_operand(param.shape[d]);
      }
    } else if (!coordinate.empty()) {
      const auto stride = names_.strides.find({p, d});
      if (stride == names_.strides.end() || stride->second == "0") continue;
      if (stride->second != "1") coordinate += " * " + stride->second;
    }
    if (!coordinate.empty()) offset += (offset.empty() ? "" : " + ") + coordinate;
  }
  return offset.empty() ? "0" : offset;
}

std::string KernelText::emit_load(const KernelNode& node) {
  const std::size_t p = param_index(node);
  const DType dtype = kernel_.params()[p].dtype;
  std::string element = names_.params[p];
  if (!kernel_.params()[p].is_host) element += "[" + emit_offset(node) + "]";
  if (dtype == DType::Bool) element += " != 0";
  const std::string condition =
      index_.emit_condition(node.attributes.get_or<ir::Shape>(AttributeName::Where, {}));
  if (condition.empty()) return element;
  const auto outside =
      node.attributes.get_or<ir::Literal>(AttributeName::Outside, ir::Literal{dtype, 0});
  return "(" + condition + ") ? " + element + " : " + emit_literal(outside, pieces_);
}

void KernelText::emit_store(const KernelNode& node, const std::vector<AxisId>& surrounding) {
  const std::size_t p = param_index(node);
  std::string condition;
  for (const AxisId idle : axes_without(surrounding, node.domain)) {
    condition += (condition.empty() ? "" : " && ") + axis(idle) + " == 0";
  }
  const std::string where =
      index_.emit_condition(node.attributes.get_or<ir::Shape>(AttributeName::Where, {}));
  if (!where.empty()) condition += (condition.empty() ? "" : " && ") + where;

  const ScalarText stored = value(node.operands.front());
  std::string text = stored.text;
  if (stored.dtype == DType::Bool) text = "(" + memory_type(DType::Bool, pieces_) + ")" + text;
  text = names_.params[p] + "[" + emit_offset(node) + "] = " + text + ";";
  if (!condition.empty()) text = "if (" + condition + ") " + text;
  body_.append(text);
}

std::string KernelText::symbol() const { return "sinter_" + sanitize_name(kernel_.name()); }

Program KernelText::make_program(const std::string& comment, const std::string& bounds,
                                 const LaunchRecipe& launch) const {
  Program program;
  program.backend = Backend::Cuda;
  Entry entry;
  entry.symbol = symbol();
  entry.arguments = signature_.arguments;
  entry.launch = launch;
  program.sources.push_back({entry.symbol.substr(entry.symbol.find('_') + 1) + ".cu", "cuda",
                             finish(comment, entry.symbol, bounds)});
  program.entries.push_back(entry);
  return program;
}

std::string KernelText::finish(const std::string& comment, const std::string& symbol_name,
                               const std::string& bounds) const {
  const bool is_narrow = is_narrow_index(kernel_, facts_);
  PieceSet pieces = pieces_;
  support::TextWriter out;
  out.append(comment);
  const std::string type_name = pieces.use(is_narrow ? "i32" : "i64");
  pieces.emit(out);
  out.line("typedef {} idx;  // {}", type_name,
           is_narrow ? "the class says that every index fits" : "sizes are not bounded");
  if (!functions_.text().empty()) {
    out.blank();
    out.append(functions_.text().substr(0, functions_.text().size() - 1));
  }
  out.blank();
  out.line("extern \"C\" __global__ void __launch_bounds__({}) {}(", bounds, symbol_name);
  std::string parameters;
  for (const std::string& parameter : signature_.parameters) {
    parameters += (parameters.empty() ? "    " : ",\n    ") + parameter;
  }
  out.append(parameters + ") {");
  {
    const support::TextWriter::Scope scope(out);
    for (const std::string& alias : signature_.aliases) out.append(alias);
    out.append(body_.text().substr(0, body_.text().size() - 1));
  }
  out.line("}}");
  return out.text();
}

}  // namespace sinter::codegen::cuda
