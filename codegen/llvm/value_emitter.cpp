// Scopes, and the dispatch over a kernel's nodes.
#include "codegen/llvm/value_emitter.h"

#include <algorithm>
#include <cmath>

#include "codegen/llvm/reducers.h"
#include "codegen/llvm/scalars.h"
#include "support/check.h"

namespace sinter::codegen::llvm {

using ir::AttributeName;
using ir::Op;

std::vector<int> lane_widths(int width, int tail_width) {
  std::vector<int> widths = {width};
  if (tail_width > 1 && tail_width < width) widths.push_back(tail_width);
  if (width > 1) widths.push_back(1);
  return widths;
}

ValueEmitter::ValueEmitter(FunctionWriter& out, const ir::Kernel& kernel, const ir::Facts& facts,
                           EmitterOptions options)
    : out_(out), kernel_(kernel), facts_(facts), options_(options), scopes_(1) {}

void ValueEmitter::open_scope() {
  ScopeState inner;
  inner.lane_axis = scopes_.back().lane_axis;
  inner.width = scopes_.back().width;
  scopes_.push_back(std::move(inner));
}

void ValueEmitter::bind_axis(ir::AxisId axis, const std::string& text) {
  scopes_.back().axes[axis] = text;
}

void ValueEmitter::bind_lanes(ir::AxisId axis, const std::string& text, int width) {
  scopes_.back().axes[axis] = text;
  scopes_.back().lane_axis = axis;
  scopes_.back().width = width;
}

void ValueEmitter::preset(ir::Value value, const Register& value_register) {
  scopes_.back().values[value] = value_register;
}

void ValueEmitter::redirect(std::int64_t param, const Argument& argument) {
  redirected_[param] = argument;
}

void ValueEmitter::keep(ir::NodeId id, ir::NodeId producer, ir::AxisId axis, std::int64_t count) {
  const std::string type = lane_type(kernel_.dtype({id, 0}));
  const std::string hint = fmt::format("kept{}", id);
  const std::string text = fmt::format("alloca [{} x {}], align 64 ; {}", count, type, hint);
  kept_[id] = {producer, axis, out_.assign_at_entry(hint, text), false};
}

std::string ValueEmitter::kept_address(const Kept& kept, ir::DType dtype) {
  return out_.assign("kept.at", fmt::format("getelementptr {}, ptr {}, i64 {}", lane_type(dtype),
                                            kept.place, value_of_axis(kept.axis)));
}

std::string ValueEmitter::axis_name(ir::AxisId axis) const { return kernel_.axes()[axis].name; }

std::string ValueEmitter::extent(ir::AxisId axis) {
  return scalar_index(kernel_.axes()[axis].extent);
}

const Register* ValueEmitter::find(ir::Value value) const {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].values.find(value);
    if (found != scopes_[i].values.end()) return &found->second;
  }
  return nullptr;
}

bool ValueEmitter::is_bound(const std::vector<ir::AxisId>& domain) const {
  return std::ranges::all_of(domain, [&](ir::AxisId axis) {
    return std::ranges::any_of(scopes_,
                               [&](const ScopeState& scope) { return scope.axes.contains(axis); });
  });
}

int ValueEmitter::width_of(const std::vector<ir::AxisId>& domain) const {
  const ScopeState& scope = scopes_.back();
  const bool is_vector = scope.lane_axis && std::ranges::binary_search(domain, *scope.lane_axis);
  return is_vector ? scope.width : 1;
}

void ValueEmitter::hoist(const std::vector<ir::NodeId>& targets) {
  for (const ir::NodeId id : needed_nodes(kernel_, targets)) {
    const ir::KernelNode& node = kernel_.node(id);
    if (node.op == Op::Store || std::ranges::find(targets, id) != targets.end()) continue;
    if (is_bound(node.domain)) value({id, 0});
  }
}

Register ValueEmitter::value(ir::Value value) {
  if (find(value) == nullptr) emit_node(value.node);
  return *find(value);
}

std::vector<Register> ValueEmitter::operands(const ir::KernelNode& node, int width) {
  std::vector<Register> registers;
  for (const ir::Value operand : node.operands) {
    registers.push_back(lanes(width).widen(value(operand)));
  }
  return registers;
}

void ValueEmitter::comment_node(ir::NodeId id) {
  const ir::KernelNode& node = kernel_.node(id);
  std::string text = fmt::format("%{} = {}", id, ir::to_string(node.op));
  if (node.op == Op::Load || node.op == Op::Store) {
    text += " " + tensor_of(kernel_, node).name;
  }
  out_.comment(text);
}

std::optional<std::size_t> ValueEmitter::limit_of(const ir::KernelNode& node) const {
  if (node.op != Op::Minimum && node.op != Op::Maximum) return std::nullopt;
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const ir::KernelNode& source = kernel_.node(node.operands[i].node);
    if (source.op != Op::Constant) continue;
    const auto& literal = source.attributes.get<ir::Literal>(AttributeName::Value);
    if (literal.dtype != ir::DType::F32 && literal.dtype != ir::DType::F64) continue;
    const double number = ir::as_double(literal);
    if (number != 0 && !std::isnan(number)) return i;
  }
  return std::nullopt;
}

void ValueEmitter::emit_node(ir::NodeId id) {
  const ir::KernelNode& node = kernel_.node(id);
  const int width = width_of(node.domain);
  if (node.op == Op::Constant) {
    preset({id, 0}, lanes(1).constant(node.attributes.get<ir::Literal>(AttributeName::Value)));
    return;
  }
  comment_node(id);
  const auto kept = kept_.find(id);
  if (kept != kept_.end() && kept->second.is_written) {
    const ir::DType dtype = node.results[0];
    const Register value = {"", dtype, width};
    const std::string text = fmt::format("load {}, ptr {}, align {}", type_of(value),
                                         kept_address(kept->second, dtype), size_bytes(dtype));
    return preset({id, 0}, lanes(width).assign("kept", text, dtype));
  }
  if (node.op == Op::Load) {
    preset({id, 0}, load(node));
  } else if (node.op == Op::Index) {
    preset({id, 0},
           lanes(width).widen(index(node.attributes.get<ir::Shape>(AttributeName::Map)[0])));
  } else if (is_fold(node)) {
    support::check(node.op != Op::Scan, "a scan's values are set by its loop");
    const auto results = emit_fold_results(lanes(width), node, accumulate(id));
    for (std::uint32_t i = 0; i < results.size(); ++i) preset({id, i}, results[i]);
    for (auto& [node_id, value] : kept_) value.is_written |= value.producer == id;
  } else {
    const std::vector<Register> registers = operands(node, width);
    const auto limit = limit_of(node);
    preset({id, 0},
           limit ? emit_limit(lanes(width), node.op, registers[1 - *limit], registers[*limit])
                 : emit_scalar(lanes(width), node.op, registers, node.attributes));
    if (kept == kept_.end()) return;
    const Register value = *find({id, 0});
    out_.line(fmt::format("store {} {}, ptr {}, align {}", type_of(value), value.text,
                          kept_address(kept->second, value.dtype), size_bytes(value.dtype)));
  }
}

}  // namespace sinter::codegen::llvm
