#include "codegen/cuda/schedule/scan_chain.h"

namespace sinter::codegen::cuda {

using ir::IndexExpr;
using Scope = support::TextWriter::Scope;

ScanChain::ScanChain(ScanBody& body, IndexExpr sequences, IndexExpr parts, std::int64_t width)
    : body_(body), sequences_(std::move(sequences)), parts_(std::move(parts)), width_(width) {
  for (std::size_t i = 0; i < body.fold().accumulators().size(); ++i) {
    word_count_ += body.fold().is_wide(i) ? 2 : 1;
  }
  const std::string type = body.text().pieces().use("u64");
  body.text().add_parameter({.kind = ArgumentKind::Workspace, .param = "state"}, type + "* state");
}

IndexExpr ScanChain::groups() const { return ir::floor_div(parts_ + (group() - 1), group()); }

LaunchRecipe ScanChain::make_launch() const {
  LaunchRecipe launch;
  launch.grid[0] = ir::min(sequences_ * parts_, body_.config().blocks);
  launch.block[0] = body_.config().threads;
  return launch;
}

Workspace ScanChain::workspace() const {
  const IndexExpr words = word_count_ * width_ * sequences_ * (parts_ + groups());
  return {"state", (words + 1) * 8, true};
}

void ScanChain::emit_parts(const std::function<void()>& body) {
  support::TextWriter& out = body_.out();
  const IndexText& index = body_.text().index();
  body_.text().pieces().use("u32");
  out.line("const u32 sequences = (u32){};", index.emit_operand(sequences_));
  out.line("const u32 parts = (u32){};", index.emit_operand(parts_));
  out.line("const u32 groups = (u32){};", index.emit_operand(groups()));
  out.line("u64* of_parts = state + 1;");
  out.line("u64* of_groups = of_parts + (idx)sequences * parts * {};", word_count_ * width_);
  out.line("__shared__ u32 drawn;");
  out.line("if (threadIdx.x == 0) drawn = atomicAdd((u32*)state, 1u);");
  out.line("__syncthreads();");
  out.line("for (u32 piece = drawn; piece < sequences * parts; piece = drawn) {{");
  {
    const Scope scope(out);
    out.line("const u32 part = piece / sequences;");
    out.line("const u32 sequence = piece % sequences;");
    body();
  }
  out.line("}}");
}

std::string ScanChain::owner() const {
  return width_ == 1 ? std::string("threadIdx.x == 0") : fmt::format("threadIdx.x < {}", width_);
}

std::string ScanChain::address(const std::string& base, const std::string& number) const {
  if (width_ == 1) return fmt::format("{} + ({})", base, number);
  return fmt::format("{} + ((idx)({}) * {} + threadIdx.x % {})", base, number, width_, width_);
}

std::string ScanChain::word(const std::string& address, const std::string& stride) {
  const std::int64_t number = next_word_++;
  if (number == 0) return address;
  return fmt::format("{} + {} * (idx)({})", address, number * width_, stride);
}

void ScanChain::emit_publish(const FoldNames& values, const std::string& address,
                             const std::string& stride) {
  const std::string publish = body_.text().pieces().use("publish_word");
  next_word_ = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string bits = body_.fold().to_carrier(i, values[i]);
    body_.out().line("{}({}, (u32){});", publish, word(address, stride), bits);
    if (!body_.fold().is_wide(i)) continue;
    body_.out().line("{}({}, (u32)((u64){} >> 32));", publish, word(address, stride), bits);
  }
}

void ScanChain::emit_await(const FoldNames& values, const std::string& address,
                           const std::string& stride) {
  const std::string await = body_.text().pieces().use("await_word");
  next_word_ = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string bits = fmt::format("{}({})", await, word(address, stride));
    if (body_.fold().is_wide(i)) {
      bits = fmt::format("((u64){}({}) << 32 | {})", await, word(address, stride), bits);
    }
    body_.out().line("{} = {};", values[i], body_.fold().from_carrier(i, bits));
  }
}

FoldNames ScanChain::emit_carry(const FoldNames& own) {
  support::TextWriter& out = body_.out();
  ScanTree& tree = body_.tree();
  const std::string of_parts = "sequences * parts", of_groups = "sequences * groups";
  out.blank();
  out.line("// What the parts ahead hand on.");
  out.line("const u32 place = sequence * parts + part;");
  out.line("const u32 group = part / {};", group());
  out.line("const int ahead_in_group = part % {};", group());
  out.line("if ({}) {{", owner());
  {
    const Scope scope(out);
    emit_publish(own, address("of_parts", "place"), of_parts);
  }
  out.line("}}");
  out.line("if (threadIdx.x == 0) drawn = atomicAdd((u32*)state, 1u);");
  // The last thread has the part just ahead: nothing stands behind a value, but perhaps ahead of it.
  if (width_ == 1) {
    out.line("const int slot = {} - (int)threadIdx.x;", group() - 1);
  } else {
    out.line("const int slot = {} - (int)threadIdx.x / {};", group() - 1, width_);
  }
  const FoldNames handed = tree.declare_arrays("handed", 1);
  const FoldNames values = ScanTree::at(handed, "0");
  tree.assign_identity(values);
  out.line("if (slot < ahead_in_group) {{");
  {
    const Scope scope(out);
    emit_await(values, address("of_parts", "place - 1 - slot"), of_parts);
  }
  out.line("}} else if (slot == ahead_in_group && group > 0) {{");
  {
    const Scope scope(out);
    emit_await(values, address("of_groups", "sequence * groups + group - 1"), of_groups);
  }
  out.line("}}");
  const FoldNames carry = width_ == 1 ? emit_sum_of_threads(handed) : emit_sum_of_columns(values);
  out.line("if (ahead_in_group == {} && {}) {{", group() - 1, owner());
  {
    const Scope scope(out);
    emit_publish(tree.declare_sum("end", carry, own),
                 address("of_groups", "sequence * groups + group"), of_groups);
  }
  out.line("}}");
  return carry;
}

FoldNames ScanChain::emit_sum_of_threads(const FoldNames& handed) {
  ScanTree& tree = body_.tree();
  const FoldNames of_warp =
      ScanTree::at(tree.emit_lanes(handed, 1, 1, 32, "e", {.ahead = false}), "0");
  return tree.emit_warps(of_warp, body_.config().threads / 32, "", {.ahead = false}).all;
}

FoldNames ScanChain::emit_sum_of_columns(const FoldNames& handed) {
  support::TextWriter& out = body_.out();
  ScanTree& tree = body_.tree();
  FoldNames shared;
  for (std::size_t i = 0; i < handed.size(); ++i) {
    shared.push_back(body_.text().make_name(fmt::format("of_slots_{}", i)));
    out.line("__shared__ {} {}[{}];", body_.text().type(body_.fold().accumulators()[i].dtype),
             shared.back(), body_.config().threads);
    out.line("{}[threadIdx.x] = {};", shared.back(), handed[i]);
  }
  out.line("__syncthreads();");
  const FoldNames carry = tree.declare("carry");
  out.line("if ({}) {{", owner());
  {
    const Scope scope(out);
    out.line("#pragma unroll 8");
    out.line("for (int other = 0; other < {}; ++other) {{", group());
    {
      const Scope inner(out);
      tree.emit_sum(carry, ScanTree::at(shared, fmt::format("other * {} + threadIdx.x", width_)));
    }
    out.line("}}");
  }
  out.line("}}");
  return carry;
}

IndexExpr ScanChain::depth() const {
  if (width_ > 1) return groups() + (group() + 1);
  const std::int64_t warps = body_.config().threads / 32;
  return groups() + (ScanTree::lanes_depth(32) + ScanTree::warps_depth(warps) + 1);
}

}  // namespace sinter::codegen::cuda
