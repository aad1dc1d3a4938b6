// Prints Kernels: the text form in kernel.h. Beside it: a mode other than the default is the first
// line ("mode strict"), and several results print as "%2.0: f32, %2.1: i64 (i) = reduce(...)".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/text.h"
#include "ir/text_attributes.h"
#include "support/text_writer.h"

namespace sinter::ir {

namespace {

/// "%3", or "%3.1" for one of several results.
std::string value_name(const Kernel& kernel, Value value) {
  const bool is_one_of_several =
      value.node < kernel.nodes().size() && kernel.node(value).results.size() > 1;
  return is_one_of_several ? fmt::format("%{}.{}", value.node, value.result)
                           : fmt::format("%{}", value.node);
}

/// Axes and parameters by name; numbers where there is no such axis or parameter, so that broken
/// kernels print too.
AttributeNames names_of(const Kernel& kernel) {
  const auto axis = [&kernel](std::int64_t id) {
    const bool known = id >= 0 && static_cast<std::size_t>(id) < kernel.axes().size();
    return known ? kernel.axes()[static_cast<std::size_t>(id)].name : fmt::format("i{}", id);
  };
  const auto param = [&kernel](std::int64_t id) {
    const bool known = id >= 0 && static_cast<std::size_t>(id) < kernel.params().size();
    return known ? kernel.params()[static_cast<std::size_t>(id)].name : fmt::format("{}", id);
  };
  const IndexNames index{.axis = [axis](AxisId id) { return axis(id); },
                         .value = [&](Value value) { return value_name(kernel, value); }};
  return {.index = index, .axis = axis, .param = param};
}

std::string print_operation(const Kernel& kernel, const KernelNode& node,
                            const AttributeNames& names) {
  std::vector<std::string> operands;
  for (const Value operand : node.operands) operands.push_back(value_name(kernel, operand));
  const std::string attributes = to_string(node.attributes, names);
  return fmt::format("{}({}){}{}", to_string(node.op), fmt::join(operands, ", "),
                     attributes.empty() ? "" : " ", attributes);
}

/// "%3: f32 (i, j) = "; empty for stores.
std::string print_results(const Kernel& kernel, NodeId id, const AttributeNames& names) {
  const KernelNode& node = kernel.node(id);
  if (node.results.empty()) return "";
  std::vector<std::string> results;
  for (std::uint32_t i = 0; i < node.results.size(); ++i) {
    results.push_back(
        fmt::format("{}: {}", value_name(kernel, {id, i}), to_string(node.results[i])));
  }
  std::vector<std::string> axes;
  for (const AxisId axis : node.domain) axes.push_back(names.axis(axis));
  return fmt::format("{}{} = ", fmt::join(results, ", "),
                     axes.empty() ? "" : fmt::format(" ({})", fmt::join(axes, ", ")));
}

}  // namespace

std::string to_string(const Kernel& kernel, PrintOptions options) {
  support::TextWriter writer;
  const AttributeNames names = names_of(kernel);
  writer.line("kernel {} {{", kernel.name());
  writer.indent();
  if (kernel.mode() != Mode::Default) writer.line("mode {}", to_string(kernel.mode()));
  for (const Axis& axis : kernel.axes())
    writer.line("axis {}: {}", axis.name, to_string(axis.extent));
  for (const KernelParam& param : kernel.params()) {
    const char* input = param.is_host ? "host" : "in";
    writer.line("{} {}: {}", param.role == ParamRole::In ? input : "out", param.name,
                to_string(Type{param.dtype, param.shape}));
  }
  for (NodeId id = 0; id < kernel.nodes().size(); ++id) {
    const KernelNode& node = kernel.node(id);
    const bool has_location = options.locations && node.location.line > 0;
    writer.line(
        "{}{}{}", print_results(kernel, id, names), print_operation(kernel, node, names),
        has_location ? fmt::format("  // {}:{}", node.location.file, node.location.line) : "");
  }
  writer.dedent();
  writer.line("}}");
  return writer.text();
}

}  // namespace sinter::ir
