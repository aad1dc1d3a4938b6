#include "codegen/cuda/schedule/scan_chain.h"

namespace sinter::codegen::cuda {

using ir::IndexExpr;
using Scope = support::TextWriter::Scope;

ScanChain::ScanChain(ScanBody& body, IndexExpr rows, IndexExpr parts)
    : body_(body), rows_(std::move(rows)), parts_(std::move(parts)) {
  for (std::size_t i = 0; i < body.fold().accumulators().size(); ++i) {
    word_count_ += body.fold().is_wide(i) ? 2 : 1;
  }
  const std::string type = body.text().pieces().use("u64");
  body.text().add_parameter({.kind = ArgumentKind::Workspace, .param = "state"}, type + "* state");
}

IndexExpr ScanChain::groups() const {
  const std::int64_t threads = body_.config().threads;
  return ir::floor_div(parts_ + (threads - 1), threads);
}

Workspace ScanChain::workspace() const {
  return {"state", (1 + word_count_ * rows_ * (parts_ + groups())) * 8, true};
}

void ScanChain::emit_begin() {
  support::TextWriter& out = body_.out();
  body_.text().pieces().use("u32");
  const IndexText& index = body_.text().index();
  out.line("const u32 parts = (u32){};", index.emit_operand(parts_));
  out.line("const u32 pieces = (u32){};", index.emit_operand(rows_ * parts_));
  out.line("const u32 groups = (u32){};", index.emit_operand(groups()));
  out.line("u64* of_parts = state + 1;");
  out.line("u64* of_groups = of_parts + (idx)pieces * {};", word_count_);
  out.line("__shared__ u32 drawn;");
  out.line("if (threadIdx.x == 0) drawn = atomicAdd((u32*)state, 1u);");
  out.line("__syncthreads();");
}

std::string ScanChain::word(const std::string& base, const std::string& stride) {
  const std::int64_t number = next_word_++;
  if (number == 0) return base;
  return number == 1 ? fmt::format("{} + {}", base, stride)
                     : fmt::format("{} + {} * (idx){}", base, number, stride);
}

void ScanChain::emit_publish(const FoldNames& values, const std::string& base,
                             const std::string& stride) {
  const std::string publish = body_.text().pieces().use("publish_word");
  next_word_ = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string bits = body_.fold().to_carrier(i, values[i]);
    body_.out().line("{}({}, (u32){});", publish, word(base, stride), bits);
    if (!body_.fold().is_wide(i)) continue;
    body_.out().line("{}({}, (u32)((u64){} >> 32));", publish, word(base, stride), bits);
  }
}

void ScanChain::emit_await(const FoldNames& values, const std::string& base,
                           const std::string& stride) {
  const std::string await = body_.text().pieces().use("await_word");
  next_word_ = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string bits = fmt::format("{}({})", await, word(base, stride));
    if (body_.fold().is_wide(i)) {
      bits = fmt::format("((u64){}({}) << 32 | {})", await, word(base, stride), bits);
    }
    body_.out().line("{} = {};", values[i], body_.fold().from_carrier(i, bits));
  }
}

FoldNames ScanChain::emit_carry(const FoldNames& own) {
  support::TextWriter& out = body_.out();
  ScanTree& tree = body_.tree();
  const std::int64_t threads = body_.config().threads;
  out.blank();
  out.line("// What the parts ahead hand on.");
  out.line("const u32 group = part / {};", threads);
  out.line("const int ahead_in_group = part % {};", threads);
  out.line("if (threadIdx.x == 0) {{");
  {
    const Scope scope(out);
    emit_publish(own, "of_parts + piece", "pieces");
    out.line("drawn = atomicAdd((u32*)state, 1u);");
  }
  out.line("}}");
  // The last thread has the part just ahead: nothing stands behind a value, but perhaps ahead of it.
  out.line("const int slot = {} - (int)threadIdx.x;", threads - 1);
  const FoldNames handed = tree.declare_arrays("handed", 1);
  const FoldNames values = ScanTree::at(handed, "0");
  tree.assign_identity(values);
  out.line("if (slot < ahead_in_group) {{");
  {
    const Scope scope(out);
    emit_await(values, "of_parts + (piece - 1 - slot)", "pieces");
  }
  out.line("}} else if (slot == ahead_in_group && group > 0) {{");
  {
    const Scope scope(out);
    emit_await(values, "of_groups + (row * groups + group - 1)", groups_stride());
  }
  out.line("}}");
  const FoldNames of_warp =
      ScanTree::at(tree.emit_lanes(handed, 1, 1, 32, "e", {.ahead = false}), "0");
  const FoldNames carry = tree.emit_warps(of_warp, threads / 32, "", {.ahead = false}).all;
  out.line("if (ahead_in_group == {} && threadIdx.x == 0) {{", threads - 1);
  {
    const Scope scope(out);
    const FoldNames end = tree.declare("end", false);
    tree.emit_sum(end, carry, own);
    emit_publish(end, "of_groups + (row * groups + group)", groups_stride());
  }
  out.line("}}");
  return carry;
}

std::string ScanChain::groups_stride() const {
  return body_.text().index().emit_operand(rows_ * groups());
}

IndexExpr ScanChain::depth() const {
  return groups() +
         (ScanTree::lanes_depth(32) + ScanTree::warps_depth(body_.config().threads / 32) + 1);
}

}  // namespace sinter::codegen::cuda
