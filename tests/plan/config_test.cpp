// Configs and targets: text and look-up.
#include "codegen/config.h"

#include <doctest/doctest.h>

#include "codegen/target.h"
#include "sinter/error.h"

using namespace sinter;
using namespace sinter::codegen;

TEST_CASE("a config prints its values by name") {
  const Config config{"generic", {{"threads", 256}, {"elements", 4}}};

  CHECK(to_string(config) == "generic{elements: 4, threads: 256}");
  CHECK(to_string(Config{"row", {}}) == "row{}");
}

TEST_CASE("a value that the schedule did not set is an internal error") {
  const Config config{"generic", {{"threads", 256}}};

  CHECK(config.at("threads") == 256);
  CHECK_THROWS_WITH_AS(config.at("stages"), "config generic{threads: 256} has no value stages",
                       InternalError);
}

TEST_CASE("known devices have the figures of their capability") {
  const Target target = make_cuda_target("sm_90a");

  CHECK(target.backend == Backend::Cuda);
  CHECK(target.units == 132);
  CHECK(target.shared_bytes == 227 * 1024);
  CHECK(make_cuda_target("sm_80").shared_bytes == 163 * 1024);
}

TEST_CASE("an unknown device is a user error that lists the known ones") {
  CHECK_THROWS_WITH_AS(make_cuda_target("sm_35"),
                       "found the CUDA target 'sm_35', one of sm_70, sm_75, sm_80, sm_86, sm_87, "
                       "sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_120, sm_120a is needed",
                       UserError);
}

TEST_CASE("a target's text shows everything that tells it from another") {
  Target target = make_cpu_target();
  const std::string text = to_string(target);

  CHECK(text ==
        "cpu{arch: x86-64-v3, features: \"+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+popcnt,"
        "+sse4.2\", units: 8, vector_bytes: 32, shared_bytes: 0, memory_gb_per_s: 40, "
        "fma_gflop_per_s: 768, product_gflop_per_s: 0, launch_us: 5}");
  target.launch_us = 5.5;
  CHECK(to_string(target) != text);
}
