#include "codegen/cuda/schedule/row_renaming.h"

#include <algorithm>
#include <set>
#include <string>

namespace sinter::codegen::cuda {

using ir::DType;
using ir::NodeId;
using ir::Op;

void emit_renamed(KernelText& text, const RowKernel& rows, const RowPasses& passes,
                  std::size_t pass) {
  const ir::Kernel& kernel = text.kernel();
  support::TextWriter& out = text.body();
  std::set<ir::Value> renamed;
  for (const NodeId id : passes.nodes[pass]) {
    const auto has_it = [&](const auto& nodes) {
      return std::find(nodes.begin(), nodes.end(), id) != nodes.end();
    };
    const auto last = passes.nodes.begin() + static_cast<long>(pass);
    if (std::none_of(passes.nodes.begin(), last, has_it)) continue;
    for (const ir::Value used : kernel.node(id).operands) {
      const bool is_of_row =
          !rows.is_along(kernel, used.node) && kernel.node(used.node).op != Op::Constant;
      if (is_of_row && kernel.dtype(used) == DType::F32 && renamed.insert(used).second) {
        const std::string old = text.value(used).text;
        out.line("float {} = {};", text.name_value(used), old);
        out.line("asm volatile(\"\" : \"+f\"({}));", text.value(used).text);
      }
    }
  }
}

}  // namespace sinter::codegen::cuda
