#include "bench/rotating_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/facts.h"
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

RotatingBuffers::RotatingBuffers(const Device& device, const ir::Graph& graph, TensorPool& pool,
                                 InputFamily family, Layout layout) {
  std::vector<TensorView> inputs, outputs;
  for (const ir::NodeId id : graph.parameters()) {
    input_names_.push_back(graph.parameter_name(id));
    inputs.push_back(describe(device, graph.type({id, 0})));
    bytes_of_set_ += static_cast<double>(runtime::dense_bytes(inputs.back()));
  }
  for (const ir::Value output : graph.outputs()) {
    outputs.push_back(describe(device, graph.type(output)));
    bytes_of_set_ += static_cast<double>(runtime::dense_bytes(outputs.back()));
  }
  const auto sets =
      static_cast<std::size_t>(std::min(std::floor(kRotatedBytes / bytes_of_set_) + 2, kMostSets));
  inputs_.resize(sets);
  outputs_.resize(sets);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Placement placement = place(layout, inputs[i].shape);
    const std::size_t bytes =
        static_cast<std::size_t>(placement.span) * size_bytes(inputs[i].dtype);
    bind_input(inputs[i], placement, pool.input(family, inputs[i].dtype, i, bytes, sets));
  }
  for (const TensorView& view : outputs) bind_output(pool, view, sets);
}

void RotatingBuffers::bind_input(TensorView view, const Placement& placement,
                                 const TensorPool::Input& memory) {
  if (placement.strides != ir::contiguous_strides(view.shape)) view.strides = placement.strides;
  view.byte_offset = static_cast<std::uint64_t>(placement.lead) * size_bytes(view.dtype);
  host_inputs_.push_back(
      {view.dtype, view.shape, view.strides, memory.host->data() + view.byte_offset});
  for (std::size_t set = 0; set < inputs_.size(); ++set) {
    view.data = memory.sets[set]->data();
    inputs_[set].push_back(view);
  }
  host_bytes_.push_back(memory.host);
  buffers_.push_back(memory.sets);
}

void RotatingBuffers::bind_output(TensorPool& pool, TensorView view, std::size_t sets) {
  buffers_.push_back(pool.output(outputs_[0].size(), runtime::dense_bytes(view), sets));
  for (std::size_t set = 0; set < sets; ++set) {
    view.data = buffers_.back()[set]->data();
    outputs_[set].push_back(view);
  }
}

void* RotatingBuffers::at(std::int64_t turn, const std::string& name) const {
  for (std::size_t i = 0; i < input_names_.size(); ++i) {
    if (input_names_[i] != name) continue;
    const TensorView& view = inputs(turn)[i];
    return static_cast<std::byte*>(view.data) + view.byte_offset;
  }
  for (std::size_t o = 0; o < outputs(turn).size(); ++o) {
    if (fmt::format("out{}", o) == name) return outputs(turn)[o].data;
  }
  support::throw_internal("bench: there is no tensor '{}'", name);
}

}  // namespace sinter::bench
