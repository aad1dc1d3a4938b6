// Compiling operators and running them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinter/device.h"
#include "sinter/op.h"
#include "sinter/tensor_view.h"

namespace sinter {

namespace runtime {
class ExecutableImpl;
}

/// What may be computed otherwise than written: docs/semantics.md.
enum class Mode : std::uint8_t { Default, Strict, Fast };
/// Where narrow floats round: at casts and outputs, or after every operator.
enum class Rounding : std::uint8_t { Outputs, Each };

struct CompileOptions {
  Mode mode = Mode::Default;
  Rounding rounding = Rounding::Outputs;
  /// False: every operator runs as a kernel of its own, to compare with.
  bool fuse = true;
  /// Representative values of named dimensions, for ranking; any size still runs.
  std::map<std::string, std::int64_t> sizes;
};

/// A compiled operator. Cheap to copy; may be run from several threads. Variants for layouts and
/// sizes that a call needs are compiled on first use and kept.
class Executable {
 public:
  /// Enqueues on `stream`: outputs = op(inputs). Order as in the operator. Checks dtype, rank,
  /// shape, device and layout of every view (UserError); sizes of named dimensions are bound from
  /// the inputs and must agree, and make equal what the operator needs equal. Host scalars are views
  /// of host memory (scalar_view), read before this returns. Outputs may alias inputs only where the result cannot depend on
  /// it (UserError otherwise). On the CPU the work is done on return.
  void run(const Stream& stream, std::span<const TensorView> inputs,
           std::span<const TensorView> outputs) const;
  /// Views of the outputs for inputs of these shapes, dense and without memory (data is null).
  std::vector<TensorView> output_views(std::span<const TensorView> inputs) const;
  /// Bytes of intermediates that a call with these inputs allocates.
  std::size_t workspace_bytes(std::span<const TensorView> inputs) const;
  /// Plan, boundaries with reasons, classes, and the generated sources.
  std::string explain() const;
  const Device& device() const;

  explicit Executable(std::shared_ptr<runtime::ExecutableImpl> impl) : impl_(std::move(impl)) {}
  runtime::ExecutableImpl& impl() const { return *impl_; }

 private:
  std::shared_ptr<runtime::ExecutableImpl> impl_;
};

/// Traces, normalizes, plans, generates and compiles the first variant, or takes it from the cache.
Executable compile(const Operator& op, const Device& device, const std::vector<TensorSpec>& specs,
                   const CompileOptions& options = {});
/// The same for an operator in text form (see docs/language.md).
Executable compile_text(const std::string& graph_text, const Device& device,
                        const CompileOptions& options = {});

}  // namespace sinter
