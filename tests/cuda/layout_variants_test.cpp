// What calls with tensors in other layouts launch on an H200, without one: schedules, classes, and that the
// kernels compile.
#include <doctest/doctest.h>

#include "codegen/normalize/normalize.h"
#include "ir/text.h"
#include "runtime/kernel_layouts.h"
#include "tests/support/compiled_config.h"
#include "tests/support/fake_device.h"
#include "tests/support/kernel_files.h"
#include "tests/support/layout_graphs.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

const codegen::Target kHopper = codegen::make_cuda_target("sm_90a");

/// Tensors of one kernel, with strides of their own.
struct LaidOut {
  std::vector<std::int64_t> extents, strides;
};

/// The one kernel of a graph on a device that compiles nothing, and what calls launch of it.
class Launcher {
 public:
  explicit Launcher(const std::string& graph)
      : device_(
            "layouts", [](const codegen::Program&) {}, kHopper),
        plan_(codegen::make_plan(codegen::normalize(ir::parse_graph(graph)), kHopper,
                                 codegen::cuda_schedules())) {
    REQUIRE(plan_.kernels.size() == 1);
    ir::CallNames names;
    for (const ir::KernelParam& param : plan_.kernels[0].kernel.params()) {
      names.tensors.push_back(param.name);
    }
    layouts_ = std::make_unique<runtime::KernelLayouts>(
        plan_.kernels[0], device_, std::map<std::string, std::int64_t>{}, names);
  }

  std::vector<const runtime::Variant*> launches(const std::vector<LaidOut>& tensors) {
    runtime::CallFrame frame;
    for (const LaidOut& tensor : tensors) {
      frame.tensors.push_back({4096, tensor.extents, tensor.strides});
    }
    scratch_bytes_ = layouts_->find(frame);
    std::vector<const runtime::Variant*> variants;
    for (const runtime::Launch& launch : frame.launches) variants.push_back(launch.variant);
    return variants;
  }

  std::vector<std::string> schedules(const std::vector<LaidOut>& tensors) {
    std::vector<std::string> names;
    for (const auto* variant : launches(tensors)) names.push_back(variant->config.schedule);
    return names;
  }

  /// Of the last launches.
  std::size_t scratch_bytes() const { return scratch_bytes_; }
  const runtime::KernelLayouts& layouts() const { return *layouts_; }

 private:
  FakeDevice device_;
  codegen::Plan plan_;
  std::unique_ptr<runtime::KernelLayouts> layouts_;
  std::size_t scratch_bytes_ = 0;
};

const std::string kTanhMul = R"(graph tanh_mul(%a: f32[4096, 2048], %b: f32[4096, 2048]) {
  %0: f32[4096, 2048] = tanh(%a)
  %1: f32[4096, 2048] = mul(%0, %b)
  return %1
})";
const LaidOut kRows = {{4096, 2048}, {2048, 1}};
const LaidOut kColumns = {{4096, 2048}, {1, 4096}};

using Schedules = std::vector<std::string>;

}  // namespace

TEST_CASE("operands that lie across are transposed in tiles, in vectors on both sides") {
  Launcher launcher(kTanhMul);

  const auto both = launcher.launches({kColumns, kColumns, kRows});
  const auto one = launcher.launches({kRows, kColumns, kRows});
  const auto result = launcher.launches({kRows, kRows, kColumns});

  for (const auto& launches : {both, one, result}) {
    REQUIRE(launches.size() == 1);
    CHECK(launches[0]->config.schedule == "transpose");
    CHECK(launches[0]->config.at("vector_a") == 4);
    CHECK(launches[0]->config.at("vector_b") == 4);
  }
  CHECK(both[0] != one[0]);
}

TEST_CASE("tensors that all lie alike are walked as they lie, also those with gaps between rows") {
  Launcher launcher(kTanhMul);
  const LaidOut gaps = {{4096, 2048}, {1, 4100}};

  CHECK(launcher.launches({kColumns, kColumns, kColumns})[0]->config.at("vector") == 4);
  CHECK(launcher.schedules({kColumns, kColumns, kColumns}) == Schedules{"pointwise"});
  CHECK(launcher.schedules({gaps, gaps, kRows}) == Schedules{"transpose"});
}

TEST_CASE("a layout has the same variant whatever was called before") {
  const std::vector<LaidOut> across = {kColumns, kRows, kRows}, along = {kRows, kRows, kRows};
  Launcher first(kTanhMul), second(kTanhMul);

  const auto across_first = first.launches(across), along_second = first.launches(along);
  const auto along_first = second.launches(along), across_second = second.launches(across);

  CHECK(codegen::to_string(across_first[0]->program) ==
        codegen::to_string(across_second[0]->program));
  CHECK(codegen::to_string(along_first[0]->program) ==
        codegen::to_string(along_second[0]->program));
  CHECK(first.launches(across) == across_first);
}

TEST_CASE("steps that nothing takes, and tensors without elements, change no order") {
  Launcher launcher(kTanhMul);
  const LaidOut expanded = {{4096, 2048}, {0, 1}}, down = {{4096, 2048}, {1, 0}};
  const LaidOut reversed = {{4096, 2048}, {-2048, -1}};

  const auto plain = launcher.launches({expanded, kRows, kRows});
  CHECK(launcher.launches({down, kRows, kRows}) == plain);
  CHECK(launcher.launches({reversed, kRows, kRows}) == plain);
  CHECK(
      launcher.launches({{{0, 2048}, {1, 7}}, {{0, 2048}, {1, 7}}, {{0, 2048}, {2048, 1}}}) ==
      launcher.launches({{{0, 2048}, {2048, 1}}, {{0, 2048}, {2048, 1}}, {{0, 2048}, {2048, 1}}}));
}

TEST_CASE("sums go down the columns, a softmax has its operand put in order first") {
  Launcher sum(R"(graph row_sum(%x: f32[16384, 8192]) {
  %0: f32[16384] = sum(%x) {axes: [1]}
  return %0
})");
  CHECK(sum.schedules({{{16384, 8192}, {1, 16384}}, {{16384}, {1}}}) == Schedules{"split_reduce"});
  Launcher softmax(R"(graph softmax(%x: bf16[8192, 4096]) {
  %0: bf16[8192, 4096] = softmax(%x) {axis: 1}
  return %0
})");
  const LaidOut rows = {{8192, 4096}, {4096, 1}}, columns = {{8192, 4096}, {1, 8192}};
  CHECK(softmax.layouts().scratch_bytes({}) == 0);
  CHECK(softmax.schedules({columns, rows}) == Schedules{"transpose", "rows"});
  CHECK(softmax.scratch_bytes() == 2 * 8192 * 4096);
  CHECK(softmax.layouts().scratch_bytes({}) == 2 * 8192 * 4096);
  CHECK(softmax.schedules({rows, columns}) == Schedules{"rows", "transpose"});
  CHECK(softmax.schedules({rows, rows}) == Schedules{"rows"});
}

TEST_CASE("kernels of other layouts compile without local memory") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  for (const std::string& graph : layout_graphs()) {
    const codegen::Plan plan = codegen::make_plan(codegen::normalize(ir::parse_graph(graph)),
                                                  kHopper, codegen::cuda_schedules());
    for (const codegen::PlannedKernel& planned : plan.kernels) {
      codegen::DimensionOrders orders;
      for (const ir::KernelParam& param : planned.kernel.params()) {
        for (std::size_t d = param.shape.size(); d-- > 0;) {
          orders.push_back(static_cast<std::uint8_t>(d));
        }
      }
      const codegen::LayoutPlan layout =
          codegen::plan_layout(planned.kernel, orders, kHopper, codegen::cuda_schedules(), {});
      REQUIRE(!layout.kernels.empty());
      for (const codegen::PlannedKernel& part : layout.kernels) {
        for (const ir::Facts& facts : {part.schedule->classes(part.kernel).front(), ir::Facts()}) {
          const auto config =
              part.schedule->candidates(part.kernel, facts, kHopper, {}).front().config;
          check_config_compiles(*part.schedule, part.kernel, facts, config, "sm_90a");
        }
      }
    }
  }
}

}  // namespace sinter::tests
