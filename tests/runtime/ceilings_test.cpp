// Ceilings are measured once and kept; a share names its limit and is refused where it cannot be.
#include "runtime/profile/ceilings.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/fake_device.h"
#include "tests/support/run_program.h"

namespace sinter::tests {

namespace {

using runtime::Arithmetic;
using runtime::Ceiling;
using runtime::Ceilings;
using runtime::Share;

/// Counts what it compiles; each launch takes 1 us.
struct CountingDevice {
  int compilations = 0;
  FakeDevice device{"counting", [this](const codegen::Program&) { ++compilations; }};
};

/// Two contenders, operator and copy, of 40 equal rounds.
runtime::TimingRun make_run(double op_us, double copy_us, double clock_mhz) {
  runtime::TimingRun run;
  for (const double time_us : {op_us, copy_us}) {
    run.samples.emplace_back(40, runtime::Sample{time_us, {.clock_mhz = clock_mhz}});
    run.timings.push_back(runtime::summarize("plain copy", run.samples.back(), {}, clock_mhz));
  }
  return run;
}

}  // namespace

TEST_CASE("a ceiling is measured once for a device, also by another process") {
  const TemporaryFolder folder;
  CountingDevice one;
  Ceilings first(one.device, false, folder.path());

  const auto measured = first.arithmetic(Arithmetic::F32);
  const int compilations = one.compilations;
  Ceilings second(one.device, false, folder.path());
  const auto found = second.arithmetic(Arithmetic::F32);

  REQUIRE(measured.has_value());
  CHECK(measured->giga_per_s > 0);
  CHECK(measured->how == "fma");
  CHECK(compilations > 0);
  CHECK(one.compilations == compilations);
  CHECK(found->giga_per_s == measured->giga_per_s);
}

TEST_CASE("fresh ceilings and damaged files are measured again") {
  const TemporaryFolder folder;
  CountingDevice one;
  Ceilings(one.device, false, folder.path()).arithmetic(Arithmetic::F64);
  const int compilations = one.compilations;

  Ceilings(one.device, true, folder.path()).arithmetic(Arithmetic::F64);
  CHECK(one.compilations == 2 * compilations);

  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (entry.is_regular_file()) std::ofstream(entry.path()) << "{\"giga_per_s\": \"no number\"}";
  }
  Ceilings(one.device, false, folder.path()).arithmetic(Arithmetic::F64);
  CHECK(one.compilations == 3 * compilations);
}

TEST_CASE("narrow products that a device has no unit for are held against f32") {
  const TemporaryFolder folder;
  CountingDevice one;
  Ceilings ceilings(one.device, false, folder.path());

  CHECK(ceilings.arithmetic(Arithmetic::ProductBf16)->giga_per_s ==
        ceilings.arithmetic(Arithmetic::ProductF32)->giga_per_s);
  CHECK_FALSE(ceilings.arithmetic(Arithmetic::ProductI8).has_value());
}

TEST_CASE("the share is that of the limit that binds, by name") {
  const TemporaryFolder folder;
  CountingDevice one;
  Ceilings ceilings(one.device, false, folder.path());
  const double rate = ceilings.arithmetic(Arithmetic::F32)->giga_per_s;
  runtime::Work work;
  work.flops_by_kind[Arithmetic::F32] = 80 * rate * 1e3;  // 80 us

  const Share bytes = find_share(make_run(100, 90, 0), 0, 1, work, ceilings);
  const Share flops = find_share(make_run(100, 50, 0), 0, 1, work, ceilings);
  const Share alone = find_share(make_run(100, 50, 0), 0, std::nullopt, work, ceilings);

  CHECK(to_string(bytes) == "90.0 % of plain copy");
  CHECK(flops.value == doctest::Approx(0.8));
  CHECK(flops.bytes_us == 50);
  CHECK(flops.binding.find("of f32 (fma)") != std::string::npos);
  CHECK(alone.value == doctest::Approx(0.8));
  CHECK(to_string(Share{}) == "not known");
}

TEST_CASE("a share above 1.02 is refused, but not where the clock or the work is unknown") {
  const TemporaryFolder folder;
  CountingDevice one;
  Ceilings ceilings(one.device, false, folder.path());
  runtime::Work work, bound;
  bound.is_upper_bound = true;

  CHECK(find_share(make_run(100, 110, 1800), 0, 1, work, ceilings).is_implausible);
  CHECK_FALSE(find_share(make_run(100, 101, 1800), 0, 1, work, ceilings).is_implausible);
  CHECK_FALSE(find_share(make_run(100, 110, 0), 0, 1, work, ceilings).is_implausible);
  CHECK_FALSE(find_share(make_run(100, 110, 1800), 0, 1, bound, ceilings).is_implausible);
}

}  // namespace sinter::tests
