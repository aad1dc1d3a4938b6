// Small graphs in text form, evaluated on numbers written in the test.
#pragma once

#include <string>
#include <vector>

#include "reference/evaluate.h"

namespace sinter::tests {

/// A dense input; values are converted to dtype (floats rounded, integers truncated).
struct CaseInput {
  ir::DType dtype;
  std::vector<std::int64_t> extents;
  std::vector<double> values;
};

/// The bytes of `input`, row-major.
std::vector<std::byte> bytes_of(const CaseInput& input);
/// A dense view of `bytes`.
reference::HostTensor view_of(const CaseInput& input, const std::vector<std::byte>& bytes);

/// Evaluates "(%x: f32[2]) { ... }"; the graph's name is added.
reference::ReferenceResult evaluate_text(const std::string& text,
                                         const std::vector<CaseInput>& inputs,
                                         const reference::EvaluateOptions& options = {});

/// The values of an output as f64, integers included.
std::vector<double> values_of(const reference::ReferenceOutput& output);
/// The same, of the first output of evaluate_text.
std::vector<double> first_values(const std::string& text, const std::vector<CaseInput>& inputs);
/// How many elements are undecided.
int count_undecided(const reference::ReferenceOutput& output);

}  // namespace sinter::tests
