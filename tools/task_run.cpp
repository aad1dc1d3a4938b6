// The stages of a run, each timed; the result of the last timed launch is what is checked.
#include "tools/task_run.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "ir/bind_sizes.h"
#include "ir/text.h"
#include "runtime/check/compare_outputs.h"
#include "runtime/executable_impl.h"
#include "runtime/profile/work.h"
#include "support/check.h"
#include "tools/fusion_claim.h"
#include "tools/inputs.h"
#include "tools/task_operator.h"
#include "tools/task_share.h"

namespace sinter::tools {

namespace {

constexpr std::int64_t kCheckedElements = 1024;

class StageClock {
 public:
  explicit StageClock(std::vector<StageTime>& stages) : stages_(stages) {}
  void end(const char* name) {
    const auto now = std::chrono::steady_clock::now();
    stages_.push_back({name, std::chrono::duration<double, std::milli>(now - begin_).count()});
    begin_ = now;
  }

 private:
  std::vector<StageTime>& stages_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::vector<std::string> parameter_names(const ir::Graph& graph) {
  std::vector<std::string> names;
  for (const ir::NodeId id : graph.parameters()) names.push_back(graph.parameter_name(id));
  return names;
}

// A view without memory: shape and dtype of an input. Host scalars stay in host memory.
TensorView describe(const TaskInput& input, bool is_host, const Device& device) {
  TensorView view;
  view.device_kind = is_host ? DeviceKind::Cpu : device.kind();
  view.device_index = is_host ? 0 : device.index();
  view.dtype = input.dtype;
  view.shape = input.shape;
  return view;
}

double view_bytes(const TensorView& view) {
  return std::accumulate(
      view.shape.begin(), view.shape.end(), static_cast<double>(size_bytes(view.dtype)),
      [](double bytes, std::int64_t extent) { return bytes * static_cast<double>(extent); });
}

class TaskRun {
 public:
  TaskRun(const Task& task, const Device& device)
      : task_(task), device_(device), stream_(device.make_stream()), clock_(report_.stages) {}

  TaskResult run() {
    const CompiledTask compiled = compile_task(task_, device_);
    const runtime::ExecutableImpl& impl = compiled.executable.impl();
    if (!task_.fused_ops.empty()) {
      report_.fusion = check_fusion_claim(task_.fused_ops, impl).text;
    }
    clock_.end("compile");
    reserve(compiled);
    load(compiled);
    clock_.end("load");
    for (std::int64_t i = 0; i < task_.warmup_iterations; ++i) launch(compiled);
    stream_.synchronize();
    clock_.end("warm_up");
    execute(compiled);
    clock_.end("execute");
    describe_run(impl);
    // Before the check, so that it sees these launches too.
    report_.share = measure_share(
        device_.impl(),
        [&](runtime::StreamHandle native) {
          compiled.executable.run(Stream::wrap(device_, native), inputs_, outputs_);
        },
        work_);
    clock_.end("share");
    collect(impl);
    clock_.end("collect");
    return {std::move(report_), std::move(host_outputs_)};
  }

 private:
  void reserve(const CompiledTask& compiled) {
    const ir::Graph& graph = compiled.executable.impl().graph();
    for (std::size_t i = 0; i < compiled.inputs.size(); ++i) {
      is_host_.push_back(graph.is_host_scalar(graph.parameters()[i]));
      inputs_.push_back(describe(compiled.inputs[i], is_host_.back(), device_));
    }
    outputs_ = compiled.executable.output_views(inputs_);
    double needed = static_cast<double>(compiled.executable.workspace_bytes(inputs_));
    for (const TensorView& view : inputs_) needed += view_bytes(view);
    for (const TensorView& view : outputs_) needed += view_bytes(view);
    report_.memory_bytes = needed;
    const auto free = static_cast<double>(device_.free_bytes());
    // On the CPU the generated inputs and the collected outputs are held twice.
    const double wanted = device_.kind() == DeviceKind::Cpu ? 2 * needed : needed;
    if (wanted > free) {
      support::throw_environment("{} needs {:.1f} MB on {}; {:.1f} MB are free", task_.name,
                                 wanted * 1e-6, device_.id(), free * 1e-6);
    }
  }

  void load(const CompiledTask& compiled) {
    for (std::size_t i = 0; i < compiled.inputs.size(); ++i) {
      host_inputs_.push_back(make_input(compiled.inputs[i], task_.seed + i));
      std::vector<std::byte>& data = host_inputs_.back();
      if (is_host_[i]) {
        inputs_[i].data = data.data();
        continue;
      }
      Buffer& buffer = buffers_.emplace_back(device_.allocate(data.size()));
      buffer.copy_in(data.data(), data.size());
      inputs_[i].data = buffer.data();
    }
    for (TensorView& view : outputs_) {
      const auto bytes = static_cast<std::size_t>(view_bytes(view));
      Buffer& buffer = buffers_.emplace_back(device_.allocate(bytes));
      view.data = buffer.data();
      // All bits set: NaN for floats, so an element that nobody writes is seen.
      device_.impl().fill_bytes(stream_.native(), view.data, 0xff, bytes);
    }
    stream_.synchronize();
  }

  void launch(const CompiledTask& compiled) { compiled.executable.run(stream_, inputs_, outputs_); }

  void execute(const CompiledTask& compiled) {
    std::vector<double> times;
    for (std::int64_t i = 0; i < task_.benchmark_iterations; ++i) {
      times.push_back(device_.impl().time_us(stream_.native(), [&] { launch(compiled); }));
    }
    report_.iterations = task_.benchmark_iterations;
    report_.mean_us =
        std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    std::sort(times.begin(), times.end());
    const std::size_t half = times.size() / 2;
    report_.median_us = times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
    report_.min_us = times.front();
  }

  void collect(const runtime::ExecutableImpl& impl) {
    std::vector<reference::HostTensor> given;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      given.push_back({inputs_[i].dtype, inputs_[i].shape, {}, host_inputs_[i].data()});
    }
    std::vector<reference::HostTensor> computed;
    for (const TensorView& output : outputs_) {
      std::vector<std::byte> host(static_cast<std::size_t>(view_bytes(output)));
      device_.impl().copy_out(host.data(), output.data, host.size());
      computed.push_back({output.dtype, output.shape, {}, host.data()});
      host_outputs_.push_back({output.dtype, output.shape, std::move(host)});
    }
    const reference::EvaluateOptions options{.longest_chain = impl.longest_chain(inputs_),
                                             .round_each = task_.rounding == Rounding::Each};
    report_.is_right = true;
    for (const reference::Comparison& comparison :
         runtime::compare_outputs(impl.graph(), given, computed, options, kCheckedElements)) {
      report_.is_right = report_.is_right && comparison.passed;
      if (!report_.check.empty()) report_.check += "\n";
      report_.check += comparison.text;
    }
  }

  void describe_run(const runtime::ExecutableImpl& impl) {
    report_.task = task_.name;
    report_.device = device_.id();
    report_.device_description = device_.description();
    report_.fuse = task_.fuse;
    report_.kernels = impl.plan().kernels.size();
    std::vector<std::vector<std::int64_t>> extents;
    for (const TensorView& view : inputs_) extents.push_back(view.shape);
    work_ = runtime::count_work(impl.graph(), ir::bind_sizes(impl.graph(), extents));
    report_.flops = work_.flops;
    report_.ideal_bytes = work_.ideal_bytes;
    describe_peak(impl.graph());
    report_.peak_gb_per_s = device_.impl().target().memory_gb_per_s;
  }

  /// Products of 16-bit floats run in tensor cores, where the device has them.
  void describe_peak(const ir::Graph& graph) {
    const codegen::Target& target = device_.impl().target();
    report_.peak_gflop_per_s = target.fma_gflop_per_s;
    report_.peak_kind = "f32";
    for (const ir::Node& node : graph.nodes()) {
      if (node.op != ir::Op::Matmul && node.op != ir::Op::Einsum) continue;
      const DType dtype = graph.type(node.operands.front()).dtype;
      const bool is_16_bit = dtype == DType::BF16 || dtype == DType::F16;
      if (!is_16_bit || target.product_gflop_per_s <= 0) continue;
      report_.peak_gflop_per_s = target.product_gflop_per_s;
      report_.peak_kind = std::string(to_string(dtype)) + " products";
    }
  }

  const Task& task_;
  Device device_;
  Stream stream_;
  RunReport report_;
  StageClock clock_;
  runtime::Work work_;
  std::vector<TensorView> inputs_;
  std::vector<bool> is_host_;  // of each input, whether it is a host scalar
  std::vector<TensorView> outputs_;
  std::vector<std::vector<std::byte>> host_inputs_;
  std::vector<TaskOutput> host_outputs_;
  std::vector<Buffer> buffers_;
};

}  // namespace

CompiledTask compile_task(const Task& task, const Device& device) {
  std::vector<TaskInput> inputs = order_inputs(task, parameter_names(graph_of(task)));
  const CompileOptions options = compile_options_of(task);
  if (!task.graph.empty()) return {compile_text(task.graph, device, options), std::move(inputs)};
  Executable executable = compile(find_operator(task.name), device, specs_of(inputs), options);
  return {std::move(executable), std::move(inputs)};
}

TaskResult run_task(const Task& task, const Device& device) { return TaskRun(task, device).run(); }

}  // namespace sinter::tools
