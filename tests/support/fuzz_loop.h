// The first fuzz cases as one doctest case, in this process: what test executables run of the fuzzer.
#pragma once

#include <cstdint>
#include <string>

#include "sinter/device.h"

namespace sinter::tests {

/// Cases SINTER_FUZZ_SEED and following, SINTER_FUZZ_COUNT of them or `usual_count`: each agrees, and at
/// most a hundredth of all elements is undecided.
void check_fuzz_cases(const Device& device, bool strict, std::uint64_t usual_count);

/// The first `most` cases of a file of strict hashes (fuzz --strict --write-hashes): the same bits on this
/// device.
void check_fuzz_hashes(const Device& device, const std::string& path, std::int64_t most);

}  // namespace sinter::tests
