// Converts numbers to bytes, and elements to numbers.
#include "tests/support/graph_case.h"

#include <algorithm>
#include <cstring>

#include "ir/text.h"
#include "ir/verify.h"
#include "reference/rounding.h"

namespace sinter::tests {

std::vector<std::byte> bytes_of(const CaseInput& input) {
  const std::size_t width = size_bytes(input.dtype);
  std::vector<std::byte> bytes(input.values.size() * width + 1);
  for (std::size_t i = 0; i < input.values.size(); ++i) {
    const std::uint64_t bits = ir::make_literal(input.dtype, input.values[i]).bits;
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return bytes;
}

reference::HostTensor view_of(const CaseInput& input, const std::vector<std::byte>& bytes) {
  return {input.dtype, input.extents, {}, bytes.data()};
}

reference::ReferenceResult evaluate_text(const std::string& text,
                                         const std::vector<CaseInput>& inputs,
                                         const reference::EvaluateOptions& options) {
  const ir::Graph graph = ir::parse_graph("graph test_case" + text);
  ir::verify_graph(graph);
  std::vector<std::vector<std::byte>> bytes;
  std::vector<reference::HostTensor> tensors;
  for (const CaseInput& input : inputs) bytes.push_back(bytes_of(input));
  for (std::size_t i = 0; i < inputs.size(); ++i) tensors.push_back(view_of(inputs[i], bytes[i]));
  return reference::evaluate(graph, tensors, options);
}

std::vector<double> values_of(const reference::ReferenceOutput& output) {
  std::vector<double> values;
  for (const reference::Element& element : output.elements) {
    values.push_back(ir::is_float(output.dtype) ? static_cast<double>(element.real)
                                                : static_cast<double>(reference::integer_value(
                                                      output.dtype, element.bits)));
  }
  return values;
}

std::vector<double> first_values(const std::string& text, const std::vector<CaseInput>& inputs) {
  return values_of(evaluate_text(text, inputs).outputs[0]);
}

int count_undecided(const reference::ReferenceOutput& output) {
  return static_cast<int>(
      std::count_if(output.elements.begin(), output.elements.end(),
                    [](const reference::Element& element) { return element.is_undecided(); }));
}

}  // namespace sinter::tests
