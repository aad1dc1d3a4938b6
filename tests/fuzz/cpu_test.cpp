// The first fuzz cases on the CPU; the program fuzz runs as many as one likes.
#include <doctest/doctest.h>

#include "tests/support/fuzz_loop.h"

using namespace sinter;

TEST_CASE("graphs agree with the reference on the CPU, fused and unfused") {
  tests::check_fuzz_cases(Device::cpu(), false, 200);
}

TEST_CASE("strict mode gives the same bits fused and unfused") {
  tests::check_fuzz_cases(Device::cpu(), true, 60);
}
