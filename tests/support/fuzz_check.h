// Checks one fuzz case on a device: fused and unfused, against the reference or bit for bit.
#pragma once

#include "sinter/device.h"
#include "tests/support/check_counts.h"
#include "tests/support/fuzz_case.h"

namespace sinter::tests {

struct FuzzVerdict {
  /// What is wrong; empty where nothing is.
  std::string trouble;
  /// False where the case itself makes no sense, which only a shrunk one may.
  bool is_valid = true;
  CheckCounts counts;
  /// In strict mode, of all outputs' bits.
  std::string hash;
};

/// Fused, and every third case unfused too. Default mode: within the reference's bounds; every tenth case
/// rounds each operator, another tenth contracts (mode fast). Strict: both give the same bits, which are
/// within the bounds too, and the bits of `expected_hash` where there is one.
FuzzVerdict check_fuzz_case(const FuzzCase& fuzz, const Device& device, bool strict,
                            const std::string& expected_hash = {});

}  // namespace sinter::tests
