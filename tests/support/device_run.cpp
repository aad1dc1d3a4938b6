// Differential running: guard zones, poison, comparison.
#include "tests/support/device_run.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "ir/conditions.h"
#include "ir/literal.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "reference/compare.h"
#include "runtime/check/guarded_buffer.h"
#include "runtime/executable_impl.h"
#include "support/hash.h"

namespace sinter::tests {

namespace {

constexpr std::byte kPoison{0xff};

TensorView input_view(const RandomInput& input, const Buffer& buffer, const Device& device) {
  TensorView view;
  view.data = buffer.data();
  view.device_kind = device.kind();
  view.device_index = device.index();
  view.dtype = input.tensor.dtype;
  view.shape = input.tensor.extents;
  view.strides = input.tensor.strides;
  view.byte_offset = static_cast<std::uint64_t>(input.byte_offset);
  return view;
}

TensorView host_view(const RandomInput& input) {
  TensorView view;
  view.data = const_cast<std::byte*>(input.storage.data());
  view.dtype = input.tensor.dtype;
  view.byte_offset = static_cast<std::uint64_t>(input.byte_offset);
  return view;
}

/// Strides of a tensor without gaps.
std::vector<std::int64_t> strides_in_order(const std::vector<std::int64_t>& extents,
                                           const OutputOrder& order) {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t stride = 1;
  for (std::size_t d = order.size(); d-- > 0;) {
    strides[order[d]] = stride;
    stride *= extents[order[d]];
  }
  return strides;
}

/// The view's elements, row after row.
std::vector<std::byte> row_major(const std::vector<std::byte>& bytes, const TensorView& view) {
  const std::size_t size = size_bytes(view.dtype);
  std::vector<std::byte> result(bytes.size());
  for (std::size_t flat = 0; flat < bytes.size() / size; ++flat) {
    const auto index = reference::unravel_index(view.shape, static_cast<std::int64_t>(flat));
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < index.size(); ++d) offset += index[d] * view.strides[d];
    std::memcpy(&result[flat * size], &bytes[static_cast<std::size_t>(offset) * size], size);
  }
  return result;
}

}  // namespace

Executable compile_lazily(const ir::Graph& graph, const Device& device,
                          const CompileOptions& options) {
  ir::Graph parsed = ir::parse_graph(ir::to_string(graph));
  ir::verify_graph(parsed);
  ir::check_sizes_are_known(parsed);
  return Executable(std::make_shared<runtime::ExecutableImpl>(std::move(parsed), device, options));
}

DeviceOutputs run_on_device(const ir::Graph& graph, const std::vector<RandomInput>& inputs,
                            const Device& device, const CompileOptions& options,
                            std::int64_t* longest_chain) {
  return run_executable(compile_lazily(graph, device, options), inputs, longest_chain);
}

DeviceOutputs run_executable(const Executable& op, const std::vector<RandomInput>& inputs,
                             std::int64_t* longest_chain, const std::vector<OutputOrder>& orders) {
  const ir::Graph& graph = op.impl().graph();
  const Device& device = op.device();
  std::vector<Buffer> buffers;
  std::vector<TensorView> views;
  for (const RandomInput& input : inputs) {
    if (graph.is_host_scalar(graph.parameters()[views.size()])) {
      views.push_back(host_view(input));
      continue;
    }
    Buffer& buffer = buffers.emplace_back(device.allocate(input.storage.size() + 1));
    buffer.copy_in(input.storage.data(), input.storage.size());
    views.push_back(input_view(input, buffer, device));
  }
  std::vector<TensorView> outputs = op.output_views(views);
  std::vector<runtime::GuardedBuffer> output_buffers;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    TensorView& view = outputs[o];
    if (o < orders.size()) view.strides = strides_in_order(view.shape, orders[o]);
    auto& buffer = output_buffers.emplace_back(device, runtime::dense_bytes(view));
    buffer.poison(kPoison);
    view.data = buffer.data();
  }
  const Stream stream = device.make_stream();
  op.run(stream, views, outputs);
  stream.synchronize();
  if (longest_chain) *longest_chain = op.impl().longest_chain(views);
  DeviceOutputs results;
  for (const runtime::GuardedBuffer& buffer : output_buffers) {
    runtime::GuardedBuffer::Contents contents = buffer.read();
    if (contents.bytes_before + contents.bytes_after > 0) {
      throw std::runtime_error("a kernel wrote outside of its output");
    }
    const TensorView& view = outputs[results.size()];
    results.push_back(view.strides.empty() ? std::move(contents.bytes)
                                           : row_major(contents.bytes, view));
  }
  return results;
}

std::string check_on_device(const ir::Graph& graph, const std::vector<RandomInput>& inputs,
                            const Device& device, const CompileOptions& options,
                            CheckCounts* counts) {
  try {
    return check_executable(compile_lazily(graph, device, options), inputs, options, counts);
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string check_executable(const Executable& op, const std::vector<RandomInput>& inputs,
                             const CompileOptions& options, CheckCounts* counts) {
  try {
    reference::EvaluateOptions evaluation{.round_each = options.rounding == Rounding::Each};
    const DeviceOutputs outputs = run_executable(op, inputs, &evaluation.longest_chain);
    return compare_with_reference(op.impl().graph(), inputs, outputs, counts, evaluation);
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string compare_with_reference(const ir::Graph& graph, const std::vector<RandomInput>& inputs,
                                   const DeviceOutputs& outputs, CheckCounts* counts,
                                   const reference::EvaluateOptions& options) {
  const auto expected = reference::evaluate(graph, tensors_of(inputs), options);
  std::string trouble;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const reference::ReferenceOutput& reference_output = expected.outputs[o];
    const auto verdict = reference::compare(
        reference_output,
        {reference_output.dtype, reference_output.extents, {}, outputs[o].data()});
    if (verdict.failed > 0) trouble += "output " + std::to_string(o) + ": " + verdict.text + "\n";
    counts->add({1, verdict.vacuous ? 1 : 0, verdict.compared, verdict.undecided});
  }
  return trouble;
}

std::string hash_outputs(const ir::Graph& graph, const DeviceOutputs& outputs) {
  std::string all;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const DType dtype = graph.type(graph.outputs()[o]).dtype;
    const std::size_t element = size_bytes(dtype);
    for (std::size_t at = 0; at < outputs[o].size(); at += element) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, outputs[o].data() + at, element);
      if (ir::is_float(dtype) && std::isnan(ir::as_double({dtype, bits}))) {
        bits = ir::make_literal(dtype, std::nan("")).bits;
      }
      all.append(reinterpret_cast<const char*>(&bits), element);
    }
    all += ';';
  }
  return support::hash_hex(all);
}

std::vector<RandomInput> inputs_of(const RandomGraph& random) {
  return make_inputs(random.graph, random.sizes, random.seed, Layout::Any, Values::Any);
}

}  // namespace sinter::tests
