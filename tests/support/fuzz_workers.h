// Fuzz cases in worker processes: one that crashes or hangs is a failure like any other, and what a
// compiler leaves in memory goes with its process.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/support/fuzz_check.h"
#include "tests/support/fuzz_coverage.h"

namespace sinter::tests {

struct FuzzRun {
  std::string device = "cpu";
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool strict = false;
  int workers = 1;
  /// Bits to expect in strict mode, by number of the case.
  std::map<std::uint64_t, std::string> expected_hashes;
};

struct FuzzFailure {
  std::uint64_t number = 0;
  std::string trouble;
};

struct FuzzReport {
  CheckCounts counts;
  FuzzCoverage coverage;
  std::uint64_t done = 0;
  std::vector<FuzzFailure> failures;
  /// Undecided elements and the case that has them, most first.
  std::vector<std::pair<std::int64_t, std::uint64_t>> undecided;
  /// Of strict runs, in order of the cases.
  std::map<std::uint64_t, std::string> hashes;
};

/// Runs the cases first to first + count - 1. The calling process must not have used a device yet.
FuzzReport run_fuzz(const FuzzRun& run);

/// Whether the case fails in the same way as one with this trouble (a crash, a wrong result, an error),
/// found out in a process of its own.
bool fails_alike(const FuzzCase& fuzz, const FuzzRun& run, const std::string& trouble);
/// Its trouble, found out in a process of its own.
std::string trouble_of(const FuzzCase& fuzz, const FuzzRun& run);

}  // namespace sinter::tests
