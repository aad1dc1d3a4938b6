// One family of inputs after the other: run, look at every byte, compare a sample with the reference.
#include "sinter/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/bind_sizes.h"
#include "runtime/check/compare_outputs.h"
#include "runtime/check/families.h"
#include "runtime/check/guarded_buffer.h"
#include "runtime/executable_impl.h"
#include "runtime/named_sizes.h"
#include "support/check.h"

namespace sinter {

namespace {

using runtime::dense_bytes;
using runtime::GuardedBuffer;

/// A dense tensor: its bytes on the host, and where the device has it.
struct Operand {
  std::string name;
  std::vector<std::byte> bytes;
  std::optional<GuardedBuffer> buffer;  // none of a host scalar
  TensorView view;

  reference::HostTensor on_host() const { return {view.dtype, view.shape, {}, bytes.data()}; }
};

class Checker {
 public:
  Checker(const Executable& op, const CheckOptions& options)
      : op_(op), options_(options), stream_(op.device().make_stream()) {
    if (options.runs < 2) {
      support::throw_user("check: runs is {}; at least 2 are needed to compare", options.runs);
    }
    if (options.elements < 0) {
      support::throw_user("check: elements is {}; 0 (all) or more are needed", options.elements);
    }
    check_sizes();
    make_inputs();
    make_outputs();
  }

  CheckReport run() {
    CheckReport report{true, {}, {}};
    is_proved_.assign(outputs_.size(), false);
    const auto& given = options_.families;
    const auto families = given.empty() ? all_input_families() : std::span(given);
    for (const InputFamily family : families) {
      report.cases.push_back(check_family(family));
      report.passed = report.passed && report.cases.back().passed;
    }
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      if (is_proved_[o]) continue;
      report.passed = false;
      report.trouble += fmt::format(
          "{}: the bounds are too wide to prove anything, whatever the inputs (vacuous)\n",
          outputs_[o].name);
    }
    return report;
  }

 private:
  const ir::Graph& graph() const { return op_.impl().graph(); }

  void check_sizes() const {
    runtime::check_named_sizes(graph(), options_.sizes, "check: CheckOptions::sizes");
    for (const ir::SizeStep& step : ir::size_steps(graph())) {
      if (options_.sizes.contains(step.name)) continue;
      support::throw_user("check: the dimension '{}' has no value in CheckOptions::sizes",
                          step.name);
    }
  }

  void make_inputs() {
    for (const ir::NodeId id : graph().parameters()) {
      const ir::Type& type = graph().node(id).results[0];
      Operand input;
      input.name = fmt::format("input {}", graph().parameter_name(id));
      input.view.dtype = type.dtype;
      input.view.shape = ir::evaluate_shape(type.shape, options_.sizes);
      input.bytes.resize(dense_bytes(input.view));
      if (graph().is_host_scalar(id)) {
        input.view.data = input.bytes.data();
      } else {
        place(input);
      }
      inputs_.push_back(std::move(input));
    }
  }

  void make_outputs() {
    const std::vector<TensorView> views = op_.output_views(views_of(inputs_));
    for (std::size_t o = 0; o < views.size(); ++o) {
      Operand output;
      output.name = fmt::format("output {}", o);
      output.view = views[o];
      place(output);
      outputs_.push_back(std::move(output));
    }
  }

  void place(Operand& operand) {
    operand.buffer.emplace(op_.device(), dense_bytes(operand.view));
    operand.view.device_kind = op_.device().kind();
    operand.view.device_index = op_.device().index();
    operand.view.data = operand.buffer->data();
  }

  static std::vector<TensorView> views_of(const std::vector<Operand>& operands) {
    std::vector<TensorView> views;
    for (const Operand& operand : operands) views.push_back(operand.view);
    return views;
  }

  static std::vector<reference::HostTensor> tensors_of(const std::vector<Operand>& operands) {
    std::vector<reference::HostTensor> tensors;
    for (const Operand& operand : operands) tensors.push_back(operand.on_host());
    return tensors;
  }

  CheckCase check_family(InputFamily family) {
    CheckCase result;
    result.family = family;
    result.proves = true;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      Operand& input = inputs_[i];
      runtime::fill_family(family, input.view.dtype, options_.seed, i, input.bytes);
      if (input.buffer) input.buffer->fill(input.bytes);
    }
    for (int run = 0; run < options_.runs; ++run) launch(run, result);
    for (const Operand& input : inputs_) {
      if (input.buffer) compare_bytes(input, input.buffer->read(), "was written to", result);
    }
    compare_with_reference(result);
    result.passed = result.trouble.empty();
    return result;
  }

  /// Keeps the outputs of the first run; later ones, poisoned differently before, have to give the same.
  void launch(int run, CheckCase& result) {
    for (Operand& output : outputs_) {
      output.buffer->poison(run % 2 == 0 ? std::byte{0xff} : std::byte{0x5a});
    }
    op_.run(stream_, views_of(inputs_), views_of(outputs_));
    stream_.synchronize();
    for (Operand& output : outputs_) {
      GuardedBuffer::Contents contents = output.buffer->read();
      if (run == 0) output.bytes = contents.bytes;
      compare_bytes(output, contents,
                    fmt::format("differs between run 0 and run {}: never written, or no two runs "
                                "are alike",
                                run),
                    result);
    }
  }

  static void compare_bytes(const Operand& operand, const GuardedBuffer::Contents& contents,
                            std::string_view what, CheckCase& result) {
    if (contents.bytes_before + contents.bytes_after > 0) {
      result.trouble += fmt::format("{}: {} bytes before and {} after it were written to\n",
                                    operand.name, contents.bytes_before, contents.bytes_after);
    }
    const auto differing =
        std::mismatch(contents.bytes.begin(), contents.bytes.end(), operand.bytes.begin()).first;
    if (differing == contents.bytes.end()) return;
    const auto element = static_cast<std::size_t>(differing - contents.bytes.begin()) /
                         size_bytes(operand.view.dtype);
    const auto index =
        reference::unravel_index(operand.view.shape, static_cast<std::int64_t>(element));
    result.trouble +=
        fmt::format("{}: element [{}] {}\n", operand.name, fmt::join(index, ", "), what);
  }

  void compare_with_reference(CheckCase& result) {
    const reference::EvaluateOptions evaluation{
        .longest_chain = op_.impl().longest_chain(views_of(inputs_)),
        .round_each = op_.impl().options().rounding == Rounding::Each};
    const auto verdicts =
        runtime::compare_outputs(graph(), tensors_of(inputs_), tensors_of(outputs_), evaluation,
                                 options_.elements, options_.seed);
    for (std::size_t o = 0; o < verdicts.size(); ++o) {
      const reference::Comparison& verdict = verdicts[o];
      result.compared += verdict.compared;
      result.undecided += verdict.undecided;
      result.max_ratio = std::max(result.max_ratio, verdict.max_ratio);
      result.proves = result.proves && !verdict.vacuous;
      if (!verdict.vacuous) is_proved_[o] = true;
      if (verdict.failed > 0) {
        result.trouble += fmt::format("{}: {}\n", outputs_[o].name, verdict.text);
      }
    }
  }

  const Executable& op_;
  const CheckOptions& options_;
  Stream stream_;
  std::vector<Operand> inputs_;
  std::vector<Operand> outputs_;
  std::vector<bool> is_proved_;  // by some family, of each output
};

/// The outputs have no element.
bool is_empty(const CheckCase& one) { return one.compared + one.undecided == 0; }

std::string_view verdict_of(const CheckCase& one) {
  if (!one.passed) return "FAILED";
  if (is_empty(one)) return "nothing to compare";
  return one.proves ? "passed" : "proves nothing";
}

}  // namespace

CheckReport check(const Executable& op, const CheckOptions& options) {
  return Checker(op, options).run();
}

std::string to_string(const CheckReport& report) {
  std::string text = fmt::format("{:<11} {:>8} {:>9} {:>9}  {}\n", "inputs", "compared",
                                 "undecided", "error", "verdict");
  for (const CheckCase& one : report.cases) {
    text += fmt::format("{:<11} {:>8} {:>9} {:>9.3g}  {}\n", to_string(one.family), one.compared,
                        one.undecided, one.max_ratio, verdict_of(one));
  }
  for (const CheckCase& one : report.cases) {
    if (!one.passed) text += fmt::format("{}: {}", to_string(one.family), one.trouble);
  }
  text += report.trouble;
  if (!report.passed) return text + "FAILED\n";
  return text + (std::ranges::all_of(report.cases, is_empty)
                     ? "passed, but nothing was compared: the outputs have no element\n"
                     : "passed\n");
}

}  // namespace sinter
