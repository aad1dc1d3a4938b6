// Makes a failing fuzz case as small as it stays failing.
#pragma once

#include <functional>

#include "tests/support/fuzz_case.h"

namespace sinter::tests {

/// Greedy: outputs and nodes go, values become inputs, inputs dense and ordinary, sizes small, named
/// dimensions numbers, for as long as `fails` and at most `most_attempts` questions to it.
FuzzCase shrink(const FuzzCase& failing, const std::function<bool(const FuzzCase&)>& fails,
                int most_attempts = 400);

}  // namespace sinter::tests
