#include "bench/rotating_buffers.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/check/families.h"
#include "runtime/check/guarded_buffer.h"
#include "support/check.h"

namespace sinter::bench {

namespace {

constexpr double kRotatedBytes = 160.0 * 1024 * 1024;
constexpr double kMostSets = 1024;

TensorView describe(const Device& device, const ir::Type& type) {
  TensorView view;
  view.device_kind = device.kind();
  view.device_index = device.index();
  view.dtype = type.dtype;
  for (const ir::Dim& dim : type.shape) {
    support::check(dim.as_constant().has_value(), "a case of bench has the size {}, not a number",
                   ir::to_string(dim, {}));
    view.shape.push_back(*dim.as_constant());
  }
  return view;
}

}  // namespace

RotatingBuffers::RotatingBuffers(const Device& device, const ir::Graph& graph) {
  std::vector<TensorView> inputs, outputs;
  for (const ir::NodeId id : graph.parameters()) {
    input_names_.push_back(graph.parameter_name(id));
    inputs.push_back(describe(device, graph.type({id, 0})));
    std::vector<std::byte>& bytes = input_bytes_.emplace_back(runtime::dense_bytes(inputs.back()));
    runtime::fill_family(InputFamily::Uniform, inputs.back().dtype, inputs.size(), 0, bytes);
    bytes_of_set_ += static_cast<double>(bytes.size());
  }
  for (const ir::Value output : graph.outputs()) {
    outputs.push_back(describe(device, graph.type(output)));
    bytes_of_set_ += static_cast<double>(runtime::dense_bytes(outputs.back()));
  }
  const double sets = std::min(std::floor(kRotatedBytes / bytes_of_set_) + 2, kMostSets);
  for (int set = 0; set < static_cast<int>(sets); ++set) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      Buffer& buffer = buffers_.emplace_back(device.allocate(input_bytes_[i].size()));
      buffer.copy_in(input_bytes_[i].data(), input_bytes_[i].size());
      inputs[i].data = buffer.data();
    }
    for (TensorView& view : outputs) {
      view.data = buffers_.emplace_back(device.allocate(runtime::dense_bytes(view))).data();
    }
    inputs_.push_back(inputs);
    outputs_.push_back(outputs);
  }
}

void* RotatingBuffers::at(std::int64_t turn, const std::string& name) const {
  for (std::size_t i = 0; i < input_names_.size(); ++i) {
    if (input_names_[i] == name) return inputs(turn)[i].data;
  }
  for (std::size_t o = 0; o < outputs(turn).size(); ++o) {
    if (fmt::format("out{}", o) == name) return outputs(turn)[o].data;
  }
  support::throw_internal("bench: there is no tensor '{}'", name);
}

}  // namespace sinter::bench
