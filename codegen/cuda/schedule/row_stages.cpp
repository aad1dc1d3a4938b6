#include "codegen/cuda/schedule/row_stages.h"

#include <algorithm>

#include "codegen/kernel_queries.h"

namespace sinter::codegen::cuda {
namespace {

using ir::Kernel;
using ir::NodeId;
using Scope = support::TextWriter::Scope;

bool is_vector_load(const Kernel& kernel, const RowKernel& rows, NodeId id,
                    const LineVectors& vectors) {
  return kernel.node(id).op == ir::Op::Load && is_vector_access(kernel, id, rows.line, vectors);
}

bool differs_by_row(const Kernel& kernel, const RowKernel& rows, NodeId id) {
  return std::any_of(rows.rows.begin(), rows.rows.end(),
                     [&](const ir::AxisId axis) { return has_axis(kernel.node(id).domain, axis); });
}

}  // namespace

std::vector<NodeId> staged_loads(const Kernel& kernel, const RowKernel& rows,
                                 const RowPasses& passes, const LineVectors& vectors) {
  std::vector<NodeId> loads;
  for (const NodeId id : passes.nodes.front()) {
    // A copy moves at least 4 bytes.
    if (is_vector_load(kernel, rows, id, vectors) && differs_by_row(kernel, rows, id) &&
        vectors.length * size_bytes(tensor_of(kernel, kernel.node(id)).dtype) >= 4) {
      loads.push_back(id);
    }
  }
  return loads;
}

std::vector<NodeId> resident_loads(const Kernel& kernel, const RowKernel& rows,
                                   const LineVectors& vectors, std::int64_t items) {
  std::vector<NodeId> loads;
  for (const NodeId id : rows.accesses) {
    if (is_vector_load(kernel, rows, id, vectors) && !differs_by_row(kernel, rows, id)) {
      loads.push_back(id);
    }
  }
  const bool fits = items * vectors.length * loaded_bytes(kernel, loads) <= kMostResidentBytes;
  return fits ? loads : std::vector<NodeId>();
}

std::int64_t loaded_bytes(const Kernel& kernel, const std::vector<NodeId>& loads) {
  std::int64_t bytes = 0;
  for (const NodeId id : loads) {
    bytes += static_cast<std::int64_t>(size_bytes(tensor_of(kernel, kernel.node(id)).dtype));
  }
  return bytes;
}

bool RowStages::has(NodeId id) const {
  return std::find(loads_.begin(), loads_.end(), id) != loads_.end();
}

std::int64_t RowStages::load_bytes(NodeId id) const {
  return config_.items * config_.threads * config_.vector() * loaded_bytes(text_.kernel(), {id});
}

std::int64_t RowStages::shared_bytes() const {
  std::int64_t bytes = 0;
  for (const NodeId id : loads_) bytes += load_bytes(id);
  return bytes * config_.stages;
}

std::string RowStages::place(NodeId id) const {
  std::int64_t before = 0;
  for (const NodeId other : loads_) {
    if (other == id) break;
    before += load_bytes(other);
  }
  return fmt::format("slots + slot * {} + {} + (item * {} + threadIdx.x) * {}",
                     shared_bytes() / config_.stages, before, config_.threads,
                     load_bytes(id) / (config_.items * config_.threads));
}

void RowStages::emit_items(const std::function<void()>& body) {
  support::TextWriter& out = text_.body();
  out.line("#pragma unroll");
  out.line("for (int item = 0; item < {}; ++item) {{", config_.items);
  {
    const Scope scope(out);
    body();
  }
  out.line("}}");
}

void RowStages::emit_begin() {
  support::TextWriter& out = text_.body();
  out.line("extern __shared__ __align__(16) {} slots[];", text_.pieces().use("u8"));
  out.line("const auto prefetch = [&](idx row, int slot) {{");
  {
    const Scope scope(out);
    out.line("if (row < rows_total) {{");
    {
      const Scope inner(out);
      text_.emit_axes("row", rows_.rows);
      vectors_.emit_shift();
      for (const NodeId id : loads_) vectors_.emit_base(id);
      emit_items([&] {
        vectors_.emit_first();
        out.line("if (first < length) {{");
        {
          const Scope innermost(out);
          for (const NodeId id : loads_) vectors_.emit_copy(id, place(id));
        }
        out.line("}}");
      });
    }
    out.line("}}");
    out.line("{}();", text_.pieces().use("end_copies"));
  }
  out.line("}};");
  out.line("for (int slot = 0; slot < {}; ++slot) prefetch(row_first + slot * row_step, slot);",
           config_.stages);
}

void RowStages::emit_next() {
  support::TextWriter& out = text_.body();
  out.line("const int slot = turn % {};", config_.stages);
  out.line("{}<{}>();", text_.pieces().use("wait_copies"), config_.stages - 1);
  for (const NodeId id : loads_) vectors_.declare_loads(id, true);
  emit_items([&] {
    for (const NodeId id : loads_) vectors_.emit_read(id, place(id));
  });
  out.line("prefetch(row + {} * row_step, slot);", config_.stages);
}

}  // namespace sinter::codegen::cuda
