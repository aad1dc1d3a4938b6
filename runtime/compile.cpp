// The public entry: from an operator to an Executable.
#include "sinter/compile.h"

#include "ir/conditions.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "runtime/executable_impl.h"
#include "runtime/named_sizes.h"

namespace sinter {

namespace {

Executable compile_graph(ir::Graph graph, const Device& device, const CompileOptions& options) {
  ir::verify_graph(graph);
  ir::check_sizes_are_known(graph);
  runtime::check_named_sizes(graph, options.sizes, "CompileOptions::sizes");
  auto impl = std::make_shared<runtime::ExecutableImpl>(std::move(graph), device, options);
  impl->compile_first_variants();
  return Executable(std::move(impl));
}

}  // namespace

void Executable::run(const Stream& stream, std::span<const TensorView> inputs,
                     std::span<const TensorView> outputs) const {
  impl_->run(stream, inputs, outputs);
}

std::vector<TensorView> Executable::output_views(std::span<const TensorView> inputs) const {
  return impl_->output_views(inputs);
}

std::size_t Executable::workspace_bytes(std::span<const TensorView> inputs) const {
  return impl_->workspace_bytes(inputs);
}

std::string Executable::explain() const { return impl_->explain(); }
const Device& Executable::device() const { return impl_->device(); }

Executable compile(const Operator& op, const Device& device, const std::vector<TensorSpec>& specs,
                   const CompileOptions& options) {
  return compile_graph(op.trace(specs), device, options);
}

Executable compile_text(const std::string& graph_text, const Device& device,
                        const CompileOptions& options) {
  return compile_graph(ir::parse_graph(graph_text), device, options);
}

}  // namespace sinter
