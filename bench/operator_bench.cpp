#include "bench/operator_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "codegen/schedule.h"
#include "reference/compare.h"
#include "runtime/check/compare_outputs.h"
#include "runtime/check/guarded_buffer.h"
#include "runtime/executable_impl.h"

namespace sinter::bench {

namespace {

constexpr std::int64_t kComparedElements = 1024;
constexpr double kPeerTolerance = 0.01;  // of the root mean square

/// A loaded program with what it refers to.
struct LoadedConfig {
  codegen::Program program;
  std::shared_ptr<runtime::LoadedProgram> loaded;
  std::unique_ptr<runtime::BoundProgram> bound;
  std::vector<Buffer> buffers;  // its workspaces

  /// As the runtime does: workspaces to be zeroed are, ahead of each launch.
  void launch(runtime::DeviceImpl& device, runtime::StreamHandle stream,
              const std::vector<ir::TensorLayout>& tensors) const {
    std::vector<void*> workspaces;
    for (std::size_t w = 0; w < buffers.size(); ++w) {
      workspaces.push_back(buffers[w].data());
      if (!program.workspaces[w].zeroed) continue;
      device.fill_bytes(stream, buffers[w].data(), 0, buffers[w].size_bytes());
    }
    bound->launch(stream, {{}, tensors, workspaces});
  }
};

}  // namespace

OperatorBench::OperatorBench(const Executable& executable, TensorPool& pool, const Options& options)
    : device_(executable.device()),
      executable_(executable),
      pool_(pool),
      buffers_(device_, executable_.impl().graph(), pool, options.family, options.layout),
      work_(runtime::count_work(executable_.impl().graph(), {})),
      most_visits_(options.most_visits) {}

std::string OperatorBench::description() const {
  const codegen::Plan& plan = executable_.impl().plan();
  return fmt::format("{} kernel(s), schedule {}, {} sets of buffers, {:.1f} MB a launch",
                     plan.kernels.size(), plan.kernels.front().schedule->name, buffers_.sets(),
                     buffers_.bytes_of_set() * 1e-6);
}

void OperatorBench::poison(runtime::StreamHandle stream, std::int64_t turn) const {
  for (const TensorView& view : buffers_.outputs(turn)) {
    // All bits set: NaN for floats.
    device_.impl().fill_bytes(stream, view.data, 0xff, runtime::dense_bytes(view));
  }
}

std::vector<std::byte> OperatorBench::read_output(std::int64_t turn, std::size_t output) const {
  const TensorView& view = buffers_.outputs(turn).at(output);
  std::vector<std::byte> bytes(runtime::dense_bytes(view));
  device_.impl().copy_out(bytes.data(), view.data, bytes.size());
  return bytes;
}

const std::vector<reference::ReferenceOutput>& OperatorBench::expected() const {
  if (!expected_.empty()) return expected_;
  const reference::EvaluateOptions options{
      .longest_chain = executable_.impl().longest_chain(buffers_.inputs(0))};
  const runtime::SampleOptions sample{.elements = kComparedElements, .most_visits = most_visits_};
  for (std::size_t o = 0; o < buffers_.outputs(0).size(); ++o) {
    expected_.push_back(runtime::evaluate_sample(executable_.impl().graph(), buffers_.host_inputs(),
                                                 o, options, sample));
  }
  return expected_;
}

std::int64_t OperatorBench::compared_elements() const {
  std::size_t count = 0;
  for (const reference::ReferenceOutput& output : expected_) count += output.indices.size();
  return static_cast<std::int64_t>(count);
}

std::string OperatorBench::find_mistake(std::int64_t turn) const {
  for (std::size_t o = 0; o < expected().size(); ++o) {
    const TensorView& view = buffers_.outputs(turn)[o];
    const std::size_t bytes = runtime::dense_bytes(view);
    std::byte* host = pool_.staging(o, bytes);
    device_.impl().copy_out(host, view.data, bytes);
    const auto comparison = reference::compare(expected()[o], {view.dtype, view.shape, {}, host});
    if (!comparison.passed) return comparison.text;
  }
  return {};
}

std::string OperatorBench::find_difference(std::int64_t turn) const {
  const std::vector<std::byte> theirs = read_output(turn, 0);
  const Stream stream = device_.make_stream();
  executable_.run(stream, buffers_.inputs(turn), buffers_.outputs(turn));
  stream.synchronize();
  const std::vector<std::byte> ours = read_output(turn, 0);
  const TensorView& view = buffers_.outputs(turn)[0];
  const std::size_t width = size_bytes(view.dtype);
  double squares = 0, largest = 0;
  const auto indices =
      runtime::sample_indices(static_cast<std::int64_t>(ours.size() / width), kComparedElements);
  for (const std::int64_t index : indices) {
    const std::size_t at = static_cast<std::size_t>(index) * width;
    const auto mine = static_cast<double>(reference::decode_element(view.dtype, &ours[at]).real);
    const auto other = static_cast<double>(reference::decode_element(view.dtype, &theirs[at]).real);
    squares += mine * mine;
    // A NaN is the largest difference.
    const double distance = std::abs(other - mine);
    largest = distance <= largest ? largest : distance;
  }
  const double mean = std::sqrt(squares / static_cast<double>(indices.size()));
  if (largest <= kPeerTolerance * mean) return {};
  return fmt::format(
      "it differs from Sinter's output by up to {:.3g}, whose root mean square is {:.3g}", largest,
      mean);
}

runtime::Contender OperatorBench::whole() const {
  runtime::Contender contender;
  contender.name = "sinter";
  contender.launch = [this](runtime::StreamHandle stream, std::int64_t turn) {
    executable_.run(Stream::wrap(device_, stream), buffers_.inputs(turn), buffers_.outputs(turn));
  };
  contender.rotation = buffers_.sets();
  contender.verification = {[this](auto stream, auto turn) { poison(stream, turn); },
                            [this](std::int64_t turn) { return find_mistake(turn); }};
  return contender;
}

runtime::Verification OperatorBench::verify_peer() const {
  return {[this](auto stream, auto turn) { poison(stream, turn); },
          [this](std::int64_t turn) { return find_difference(turn); }};
}

std::vector<runtime::Contender> OperatorBench::configs(std::size_t most) const {
  const codegen::Plan& plan = executable_.impl().plan();
  if (plan.kernels.size() != 1) return {};
  runtime::DeviceImpl& device = device_.impl();
  const ir::Kernel& kernel = plan.kernels.front().kernel;
  const codegen::Schedule& schedule = *plan.kernels.front().schedule;
  const ir::Facts facts = schedule.classes(kernel).front();
  const auto candidates = schedule.candidates(kernel, facts, device.target(), {});
  ir::CallNames names;
  std::vector<std::vector<std::int64_t>> extents, strides;
  for (const ir::KernelParam& param : kernel.params()) {
    names.tensors.push_back(param.name);
    auto& shape = extents.emplace_back();
    for (const ir::IndexExpr& extent : param.shape) shape.push_back(extent.constant());
    strides.push_back(ir::contiguous_strides(shape));
  }
  std::vector<runtime::Contender> contenders;
  for (std::size_t c = 0; c < std::min(most, candidates.size()); ++c) {
    const auto config = std::make_shared<LoadedConfig>();
    config->program = schedule.emit(kernel, facts, candidates[c].config, device.target());
    config->loaded = device.load(config->program, device.compile(config->program));
    for (const codegen::Workspace& workspace : config->program.workspaces) {
      const auto bytes = static_cast<std::size_t>(workspace.size_bytes.constant());
      config->buffers.push_back(device_.allocate(bytes));
    }
    config->bound = config->loaded->bind(names);
    runtime::Contender contender = whole();
    contender.name =
        fmt::format("{} ({:.0f} us predicted)", codegen::to_string(candidates[c].config),
                    candidates[c].predicted_us);
    contender.launch = [this, config, names, extents, strides](auto stream, std::int64_t turn) {
      std::vector<ir::TensorLayout> tensors;
      for (std::size_t p = 0; p < names.tensors.size(); ++p) {
        const void* memory = buffers_.at(turn, names.tensors[p]);
        tensors.push_back({reinterpret_cast<std::uint64_t>(memory), extents[p], strides[p]});
      }
      config->launch(device_.impl(), stream, tensors);
    };
    contenders.push_back(std::move(contender));
  }
  return contenders;
}

}  // namespace sinter::bench
