#include "codegen/cuda/schedule/row_positions.h"

#include "codegen/cuda/types.h"

namespace sinter::codegen::cuda {

using ir::AttributeName;
using ir::AxisId;
using ir::Kernel;
using ir::KernelNode;
using ir::NodeId;
using ir::Op;
using Scope = support::TextWriter::Scope;

namespace {

/// The node that the value is, or is cast from.
NodeId cast_from(const Kernel& kernel, ir::Value value) {
  const KernelNode& node = kernel.node(value);
  return node.op == Op::Cast ? node.operands.front().node : value.node;
}

}  // namespace

bool folds_positions(const Kernel& kernel, NodeId id, const FoldText& fold,
                     const std::vector<AxisId>& line) {
  const KernelNode& node = kernel.node(id);
  if (line.size() != 1 || node.op != Op::Reduce || !fold.extremum()) return false;
  const KernelNode& index = kernel.node(cast_from(kernel, node.operands[1]));
  return index.op == Op::Index &&
         index.attributes.get<ir::Shape>(AttributeName::Map).front().as_axis() == line.front();
}

RowPositions::RowPositions(KernelText& text, RowVectors& vectors, const RowConfig& config,
                           NodeId id, FoldText& fold)
    : text_(text),
      vectors_(vectors),
      config_(config),
      fold_(fold),
      value_(text.kernel().node(id).operands[0]) {
  if (const auto load = source()) vectors_.hold_words(*load);
}

std::optional<NodeId> RowPositions::source() const {
  const NodeId id = cast_from(text_.kernel(), value_);
  return vectors_.is_load(id) ? std::optional(id) : std::nullopt;
}

void RowPositions::emit_declaration(bool keeps_source) {
  keeps_source_ = keeps_source;
  kept_ = text_.make_name("kept_" + best().text);
  if (keeps_source_) {
    return text_.body().line("{} {} = {{}};", vectors_.load_type(*source()), kept_);
  }
  text_.body().line("{} {}[{}] = {{}};", text_.type(best().dtype), kept_, config_.vector());
}

void RowPositions::emit_begin() {
  const std::string type = text_.type(best().dtype);
  extreme_ = text_.make_name("extreme");
  text_.body().line("{} {} = {};", type, extreme_, fold_.identity(0));
  if (keeps_source_) return;
  values_ = text_.make_name("values");
  text_.body().line("{} {}[{}] = {{}};", type, values_, config_.vector());
}

void RowPositions::emit_element(const std::string& e) {
  const ScalarText value = text_.value(value_);
  const ScalarText operands[] = {{extreme_, value.dtype}, value};
  text_.body().line("{} = {};", extreme_,
                    emit_scalar(*fold_.extremum(), operands, value.dtype, text_.pieces()));
  if (!keeps_source_) text_.body().line("{}[{}] = {};", values_, e, value.text);
}

void RowPositions::emit_end(const std::string& condition) {
  support::TextWriter& out = text_.body();
  out.line("{}{{", condition.empty() ? "" : "if (" + condition + ") ");
  {
    const Scope scope(out);
    const std::string begin = text_.make_name("begin");
    out.line("const {0} {1} = ({0})first;", text_.type(place().dtype), begin);
    fold_.emit_merge({extreme_, begin});
    out.line("if ({} == {}) {{", place().text, begin);
    if (keeps_source_) {
      out.line("  {} = {};", kept_, vectors_.pack(*source()));
    } else {
      out.line("  #pragma unroll");
      out.line("  for (int e = 0; e < {}; ++e) {}[e] = {}[e];", config_.vector(), kept_, values_);
    }
    out.line("}}");
  }
  out.line("}}");
}

ScalarText RowPositions::kept_element(const std::string& e) {
  const ir::DType dtype = best().dtype;
  if (!keeps_source_) return {kept_ + "[" + e + "]", dtype};
  const NodeId load = *source();
  const std::string element = vectors_.element_of(kept_, load, e);
  return {emit_cast(element, text_.kernel().dtype({load, 0}), dtype, text_.pieces()), dtype};
}

void RowPositions::emit_search() {
  support::TextWriter& out = text_.body();
  const std::string value = text_.make_name("value");
  const std::string offset = text_.make_name("offset");
  out.line("int {} = 0;", offset);
  out.line("#pragma unroll");
  out.line("for (int e = {}; e >= 0; --e) {{", config_.vector() - 1);
  {
    const Scope scope(out);
    out.line("const {} {} = {};", text_.type(best().dtype), value, kept_element("e").text);
    std::string is_it = fmt::format("{} == {}", value, best().text);
    if (ir::is_float(best().dtype)) is_it += fmt::format(" || {0} != {0}", value);
    out.line("if ({}) {} = e;", is_it, offset);
  }
  out.line("}}");
  out.line("{} += {};", place().text, offset);
}

}  // namespace sinter::codegen::cuda
