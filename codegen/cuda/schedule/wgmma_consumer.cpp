// The consumer warpgroups: products of a tile, then what follows them, element by element.
#include "codegen/cuda/schedule/wgmma_text.h"
#include "codegen/cuda/types.h"
#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {

using ir::DType;
using ir::NodeId;
using ir::Op;
using Scope = support::TextWriter::Scope;

namespace {

/// The addend's kept tiles are read at this step of the sum, when they have long landed.
constexpr std::int64_t kKeepStep = 8;

}  // namespace

std::string WgmmaText::descriptor(const std::string& address, bool lines_are_k) const {
  const std::uint64_t leading = lines_are_k ? 1 : kWgmmaSummed * 128 / 16;
  const std::uint64_t high = (1ull << 62) | (1024ull / 16) << 32 | leading << 16;
  return fmt::format("{:#x}ull | ({} & 0x3ffff) >> 4", high, address);
}

void WgmmaText::emit_consumer() {
  out_.line("asm volatile(\"setmaxnreg.inc.sync.aligned.u32 {};\");",
            (kWgmmaRegisters - producer_registers()) / 2);
  out_.line("u32 stage = 0;");
  out_.line("u32 parity = 0;");
  out_.line("u32 loaded_parity = {};  // one bit a slot{}", tiling_.stages_addend ? "0" : "~0u",
            tiling_.stages_addend ? "" : "; all are free");
  emit_tile_loop();
  out_.line("float sums[{}];", tiling_.columns / 2);
  if (tiling_.keeps_addend) {
    out_.line("{} kept[{}][{}];", pair_type(), tiling_.slots, pairs_of_chunk());
  }
  // The class says that there is a step: without it the sums would be read before they are written.
  out_.line("idx step = 0;");
  out_.line("#pragma unroll 1");
  out_.line("do {{");
  {
    const Scope scope(out_);
    emit_step();
  }
  out_.line("}} while (++step < steps);");
  out_.line("finish_products(sums);");
  emit_release("(stage == 0 ? " + std::to_string(tiling_.stages) + " : stage) - 1");
  out_.blank();
  emit_epilogue();
  emit_loop_end();
  out_.dedent();
  out_.line("}}");
}

void WgmmaText::emit_step() {
  out_.line("const u32 a_at = ring + stage * {} + group * 8192;", tiling_.stage_bytes);
  out_.line("const u32 b_at = ring + stage * {} + {};", tiling_.stage_bytes, tiling_.a_bytes);
  out_.line("const u64 a = {};", descriptor("a_at", a_lines_are_k()));
  out_.line("const u64 b = {};", descriptor("b_at", b_lines_are_k()));
  out_.line("wait({}, parity);", barrier("full", "stage"));
  out_.line("asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");");
  for (int part = 0; part < 4; ++part) {
    // 16 of the sum: 32 bytes along a line, or 16 lines.
    const auto offset = [&](bool lines_are_k) { return part * (lines_are_k ? 2 : 128); };
    out_.line("multiply(sums, a + {}, b + {}, {});", offset(a_lines_are_k()),
              offset(b_lines_are_k()), part == 0 ? "step != 0" : "1");
  }
  out_.line("asm volatile(\"wgmma.commit_group.sync.aligned;\" ::: \"memory\");");
  out_.line("asm volatile(\"wgmma.wait_group.sync.aligned 1;\" ::: \"memory\");");
  out_.line("if (step != 0) {{");
  {
    const Scope scope(out_);
    emit_release("(stage == 0 ? " + std::to_string(tiling_.stages) + " : stage) - 1");
  }
  out_.line("}}");
  emit_next_stage();
  if (tiling_.keeps_addend) emit_keep();
}

void WgmmaText::emit_release(const std::string& stage) {
  if (tiling_.cluster > 1) {
    out_.line("if (lane < 2) arrive_at({}, lane);", barrier("empty", "(" + stage + ")"));
  } else {
    out_.line("if (lane == 0) arrive({});", barrier("empty", "(" + stage + ")"));
  }
}

std::string WgmmaText::pair_type() const {
  return tiling_.output_bytes == 1 ? "u16" : tiling_.output_bytes == 2 ? "u32" : "u64";
}

void WgmmaText::emit_pair_place(const std::string& slot) {
  out_.line("const u32 line = warp * 16 + half * 8 + lane / 4;");
  out_.line("const u32 byte = (of_8 * 8 + lane % 4 * 2) * {};", tiling_.output_bytes);
  out_.line("const u32 place = line * 128 + ((byte / 16 ^ lane / 4) * 16 | byte % 16);");
  out_.line("{0}* const pair = ({0}*)(staging + (group * {1} + {2}) * {3} + place);", pair_type(),
            tiling_.slots, slot, kStagingBytes);
}

void WgmmaText::emit_pair_loops(std::int64_t groups) {
  out_.line("#pragma unroll");
  out_.line("for (u32 of_8 = 0; of_8 < {}; ++of_8) {{", groups);
  out_.indent();
  out_.line("#pragma unroll");
  out_.line("for (u32 half = 0; half < 2; ++half) {{");
  out_.indent();
}

void WgmmaText::emit_wait_loaded(const std::string& slot) {
  const std::string index = fmt::format("(group * {} + {})", tiling_.slots, slot);
  out_.line("wait({}, loaded_parity >> {} & 1);", barrier("loaded", index), slot);
  out_.line("loaded_parity ^= 1u << {};", slot);
}

void WgmmaText::emit_ready(const std::string& slot) {
  const std::string index = fmt::format("(group * {} + {})", tiling_.slots, slot);
  out_.line("asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");");
  out_.line("__syncwarp();");
  out_.line("if (lane == 0) arrive({});", barrier("ready", index));
}

void WgmmaText::emit_keep() {
  out_.line("if (step == min((idx){}, steps - 1)) {{", kKeepStep);
  out_.indent();
  out_.line("#pragma unroll");
  out_.line("for (u32 slot = 0; slot < {}; ++slot) {{", tiling_.slots);
  out_.indent();
  emit_wait_loaded("slot");
  emit_pair_loops(groups_of_chunk());
  emit_pair_place("slot");
  out_.line("kept[slot][of_8 * 2 + half] = *pair;");
  emit_loop_end();
  emit_loop_end();
  emit_ready("slot");
  emit_loop_end();
  emit_loop_end();
}

std::string WgmmaText::from_bits(const std::string& bits, DType dtype) {
  if (dtype == DType::F32) return "__uint_as_float((u32)(" + bits + "))";
  if (dtype == DType::Bool) return "((" + bits + ") & 0xff) != 0";
  return "(" + memory_type(dtype, text_.pieces()) + ")(" + bits + ")";
}

std::string WgmmaText::to_bits(const ScalarText& value) {
  if (value.dtype == DType::F32) return "__float_as_uint(" + value.text + ")";
  const std::string width = tiling_.output_bytes == 1   ? "unsigned char"
                            : tiling_.output_bytes == 2 ? "u16"
                                                        : "u32";
  return "(" + width + ")" + value.text;
}

bool WgmmaText::is_store_of(const ir::KernelNode& node, std::int64_t param) const {
  return node.op == Op::Store &&
         node.attributes.get<std::int64_t>(ir::AttributeName::Param) == param;
}

void WgmmaText::emit_element(const std::string& sum_index, const std::string& column,
                             const std::string& staged) {
  out_.line("const idx row = row0 + (group * 64 + warp * 16 + half * 8 + lane / 4);");
  out_.line("const idx column = column0 + ({});", column);
  // Elements beyond the edges are computed from the last ones, and not stored.
  out_.line("const idx row_read = min(row, rows - 1);");
  out_.line("const idx column_read = min(column, columns - 1);");
  text_.emit_axes("row_read", problem_.product.m);
  text_.emit_axes("column_read", problem_.product.n);
  text_.emit_axes("batch_index", problem_.product.batch);
  const ir::Value sum{problem_.product.contract, 0};
  out_.line("const float {} = sums[{}];", text_.name_value(sum), sum_index);
  const std::vector<NodeId> stops = {problem_.product.contract};
  for (const NodeId id : needed_nodes(kernel_, kernel_.stores(), stops)) {
    const ir::KernelNode& node = kernel_.node(id);
    if (id == problem_.product.contract) continue;
    if (!staged.empty() && id == problem_.addend->access) {
      text_.set_value({id, 0}, staged);
    } else if (is_store_of(node, problem_.output.param)) {
      out_.line("results |= ({})({}) << {} * element;", pair_type(),
                to_bits(text_.value(node.operands.front())), 8 * tiling_.output_bytes);
    } else if (node.op == Op::Store) {
      out_.line("if (row < rows && column < columns) {{");
      {
        const Scope scope(out_);
        text_.emit_node(id, {});
      }
      out_.line("}}");
    } else {
      text_.emit_node(id, {});
    }
  }
}

void WgmmaText::emit_epilogue() {
  const std::int64_t slots = tiling_.slots;
  out_.line("#pragma unroll");
  out_.line("for (u32 turn = 0; turn < {}; ++turn) {{", tiling_.chunks);
  out_.indent();
  if (tiling_.keeps_addend) {
    out_.line("const u32 chunk = (turn + {}) % {};", slots, tiling_.chunks);
  } else {
    out_.line("const u32 chunk = turn;");
  }
  out_.line("const u32 slot = chunk % {};", slots);
  emit_wait_loaded("slot");
  emit_pair_loops(groups_of_chunk());
  emit_pair_place("slot");
  std::string staged;
  if (tiling_.stages_addend) {
    const std::string kept = fmt::format("chunk < {} ? kept[slot][of_8 * 2 + half] : ", slots);
    out_.line("const {} addends = {}*pair;", pair_type(), tiling_.keeps_addend ? kept : "");
    const std::string bits = fmt::format("addends >> {} * element", 8 * tiling_.output_bytes);
    const auto param = static_cast<std::size_t>(problem_.addend->param);
    staged = "(" + from_bits(bits, kernel_.params()[param].dtype) + ")";
  }
  out_.line("{} results = 0;", pair_type());
  out_.line("#pragma unroll");
  out_.line("for (u32 element = 0; element < 2; ++element) {{");
  out_.indent();
  emit_element(
      fmt::format("(chunk * {} + of_8) * 4 + half * 2 + element", groups_of_chunk()),
      fmt::format("chunk * {} + of_8 * 8 + lane % 4 * 2 + element", tiling_.chunk_columns()),
      staged);
  emit_loop_end();
  out_.line("*pair = results;");
  emit_loop_end();
  emit_loop_end();
  emit_ready("slot");
  emit_loop_end();
}

}  // namespace sinter::codegen::cuda
