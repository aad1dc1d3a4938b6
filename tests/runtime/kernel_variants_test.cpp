// Variants of a kernel under threads: who waits for whom, and what a failed compilation leaves behind.
#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <thread>

#include "ir/text.h"
#include "runtime/executable_impl.h"
#include "runtime/program_cache.h"
#include "tests/support/fake_device.h"

namespace sinter::tests {
namespace {

std::vector<ir::Facts> two_classes(const ir::Kernel&) {
  return {ir::Facts({ir::Fact::divisible(ir::IndexExpr::size("n"), 8)}), ir::Facts()};
}

std::vector<codegen::Candidate> one_candidate(const ir::Kernel&, const ir::Facts&,
                                              const codegen::Target&,
                                              const std::map<std::string, std::int64_t>&) {
  return {{{"fake", {}}, 1.0}};
}

codegen::Program emit_class_name(const ir::Kernel&, const ir::Facts& facts, const codegen::Config&,
                                 const codegen::Target&) {
  codegen::Program program;
  program.sources.push_back({facts.list().empty() ? "general" : "divisible", "none", ""});
  program.workspaces.push_back({"scratch", ir::IndexExpr::size("n") * 4, false});
  return program;
}

const codegen::Schedule kSchedule = {"fake", nullptr, two_classes, one_candidate, emit_class_name};

/// Unique to each use: a binary in the disk cache would spare the compilation that a test waits for.
std::string unique_toolchain() {
  static int count = 0;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return fmt::format("fake {} {} {}", getpid(), now, count++);
}

/// One planned kernel on a fake device whose compiler is `on_compile`.
struct Fixture {
  explicit Fixture(std::function<void(const codegen::Program&)> on_compile)
      : device(unique_toolchain(), std::move(on_compile)) {
    planned.kernel = ir::parse_kernel(
        "kernel k {\n  axis i: n\n  in x: f32[n]\n  out y: f32[n]\n"
        "  %0: f32 (i) = load() {param: x, map: [i]}\n  store(%0) {param: y, map: [i]}\n}\n");
    planned.schedule = &kSchedule;
    variants = std::make_unique<runtime::KernelVariants>(
        planned, device, std::map<std::string, std::int64_t>{}, ir::CallNames{{"n"}, {"x", "y"}});
  }
  const runtime::Variant& find(std::int64_t n) {
    const std::int64_t numbers[] = {n, 1};
    const ir::TensorLayout layout{64, std::span(numbers).first(1), std::span(numbers).last(1)};
    const ir::TensorLayout tensors[] = {layout, layout};
    return variants->find(std::span(numbers).first(1), tensors);
  }

  FakeDevice device;
  codegen::PlannedKernel planned;
  std::unique_ptr<runtime::KernelVariants> variants;
};

}  // namespace

TEST_CASE("a call does not wait for the compilation of another class") {
  std::promise<void> started;
  std::promise<void> release;
  std::future<void> released = release.get_future();
  Fixture fixture([&](const codegen::Program& program) {
    if (program.sources[0].name != "divisible") return;
    started.set_value();
    released.wait();
  });

  std::future<void> slow = std::async(std::launch::async, [&] { fixture.find(8); });
  started.get_future().wait();
  std::future<void> quick = std::async(std::launch::async, [&] { fixture.find(7); });
  const bool is_independent = quick.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
  const std::size_t compiled = fixture.variants->compiled().size();
  release.set_value();
  slow.get();
  quick.get();

  CHECK(is_independent);
  CHECK(compiled == 1);
  CHECK(fixture.variants->compiled().size() == 2);
}

TEST_CASE("trap E03: many threads that want one class compile it once and get the same variant") {
  std::atomic<int> compilations = 0;
  Fixture fixture([&](const codegen::Program&) { ++compilations; });

  std::vector<const runtime::Variant*> found(8);
  std::vector<std::thread> threads;
  for (auto& variant : found) {
    threads.emplace_back([&] { variant = &fixture.find(8); });
  }
  for (std::thread& thread : threads) thread.join();

  CHECK(compilations == 1);
  for (const runtime::Variant* variant : found) CHECK(variant == found[0]);
}

TEST_CASE("trap E12: a compilation that fails is tried again by the next call") {
  int attempts = 0;
  Fixture fixture([&](const codegen::Program&) {
    if (++attempts == 1) throw RuntimeError("the compiler is out of memory");
  });

  CHECK_THROWS_WITH_AS(fixture.find(8), "the compiler is out of memory", RuntimeError);
  CHECK(fixture.variants->compiled().empty());
  CHECK(fixture.find(8).program.sources[0].name == "divisible");
  CHECK(attempts == 2);
}

TEST_CASE("trap D08: another toolchain compiles anew, the same one takes what is there") {
  std::atomic<int> compilations = 0;
  const auto count = [&](const codegen::Program&) { ++compilations; };
  const std::string toolchain = unique_toolchain();
  FakeDevice first(toolchain, count);
  FakeDevice same(toolchain, count);
  FakeDevice newer(toolchain + ".1", count);
  const codegen::Program program = emit_class_name(ir::Kernel("k"), {}, {}, {});

  runtime::ProgramCache().load(first, program);
  runtime::ProgramCache().load(same, program);
  CHECK(compilations == 1);
  runtime::ProgramCache().load(newer, program);
  CHECK(compilations == 2);
}

TEST_CASE("trap F03: programs of another config are another entry of the cache") {
  std::atomic<int> compilations = 0;
  FakeDevice device(unique_toolchain(), [&](const codegen::Program&) { ++compilations; });
  const ir::Facts divisible({ir::Fact::divisible(ir::IndexExpr::size("n"), 8)});
  runtime::ProgramCache cache;

  const auto general = cache.load(device, emit_class_name(ir::Kernel("k"), {}, {}, {}));
  const auto other = cache.load(device, emit_class_name(ir::Kernel("k"), divisible, {}, {}));

  CHECK(compilations == 2);
  CHECK(general != other);
}

TEST_CASE("the size of workspaces comes from the compiled variant") {
  Fixture fixture([](const codegen::Program&) {});
  const std::int64_t sizes[] = {100};

  CHECK(fixture.find(7).scratch_bytes(sizes) == 512);
}

}  // namespace sinter::tests
