// One way of compiling after the other.
#include "tests/support/fuzz_check.h"

#include "tests/support/device_run.h"

namespace sinter::tests {

namespace {

/// Unfused a graph has twice the kernels or more, each of them compiled.
constexpr std::uint64_t kUnfusedEvery = 3;

CompileOptions options_of(const FuzzCase& fuzz, bool strict, bool fuse) {
  CompileOptions options;
  options.fuse = fuse;
  if (strict) {
    options.mode = Mode::Strict;
  } else if (fuzz.seed % 10 == 6) {
    options.rounding = Rounding::Each;
  } else if (fuzz.seed % 10 == 7) {
    options.mode = Mode::Fast;
  }
  return options;
}

/// Empty where the reference takes the case.
std::string why_invalid(const FuzzCase& fuzz, const std::vector<RandomInput>& inputs) {
  try {
    reference::evaluate(fuzz.graph, tensors_of(inputs));
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

FuzzVerdict check_fuzz_case(const FuzzCase& fuzz, const Device& device, bool strict,
                            const std::string& expected_hash) {
  FuzzVerdict verdict;
  const std::vector<RandomInput> inputs = inputs_of(fuzz);
  for (const bool fuse : {true, false}) {
    if (!fuse && fuzz.seed % kUnfusedEvery != 0) break;
    const std::string way = fuse ? "fused: " : "unfused: ";
    try {
      const CompileOptions options = options_of(fuzz, strict, fuse);
      reference::EvaluateOptions evaluation{.round_each = options.rounding == Rounding::Each};
      const DeviceOutputs outputs =
          run_on_device(fuzz.graph, inputs, device, options, &evaluation.longest_chain);
      const std::string difference =
          compare_with_reference(fuzz.graph, inputs, outputs, &verdict.counts, evaluation);
      if (!difference.empty()) verdict.trouble += way + difference;
      if (!strict) continue;
      const std::string hash = hash_outputs(fuzz.graph, outputs);
      if (!fuse && hash != verdict.hash)
        verdict.trouble += "strict: unfused bits differ from fused\n";
      if (!expected_hash.empty() && hash != expected_hash) {
        verdict.trouble += way + "strict: bits differ from those expected\n";
      }
      if (fuse) verdict.hash = hash;
    } catch (const std::exception& error) {
      verdict.trouble += way + error.what() + "\n";
    }
  }
  if (verdict.trouble.empty()) return verdict;
  if (const std::string why = why_invalid(fuzz, inputs); !why.empty()) {
    verdict.is_valid = false;
    verdict.trouble = "invalid: " + why;
  }
  return verdict;
}

}  // namespace sinter::tests
