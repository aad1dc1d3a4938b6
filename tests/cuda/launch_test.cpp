// Launch recipes evaluated for calls.
#include <doctest/doctest.h>

#include "runtime/cuda/launch.h"
#include "sinter/error.h"

namespace sinter::runtime {
namespace {

codegen::Entry make_entry() {
  codegen::Entry entry;
  entry.symbol = "sinter_k";
  const ir::IndexExpr n = ir::IndexExpr::size("n");
  entry.launch.grid[0] = ir::floor_div(n + 255, 256);
  entry.launch.block[0] = 256;
  entry.launch.shared_bytes = n * 4;
  using codegen::ArgumentKind;
  entry.arguments = {{.kind = ArgumentKind::Pointer, .param = "x"},
                     {.kind = ArgumentKind::Size, .expr = n * 2},
                     {.kind = ArgumentKind::Stride, .param = "x", .dimension = 1},
                     {.kind = ArgumentKind::Workspace, .param = "scratch"}};
  return entry;
}

const std::vector<codegen::Workspace> kWorkspaces = {{"scratch", 16, false}};
const ir::CallNames kNames = {{"n"}, {"x"}};

PreparedLaunch launch_of(const codegen::Entry& entry, std::int64_t n) {
  const LaunchStep step = make_launch_step(entry, SlotFinder(kWorkspaces, kNames));
  const std::int64_t sizes[] = {n};
  const std::int64_t extents[] = {n, 3};
  const std::int64_t strides[] = {3, -1};
  const ir::TensorLayout tensors[] = {{0x1000, extents, strides}};
  void* const workspaces[] = {reinterpret_cast<void*>(0x2000)};
  return prepare_launch(step, {sizes, tensors, workspaces});
}

std::vector<CudaLaunchAttribute> attributes_of(const codegen::Entry& entry) {
  return make_launch_step(entry, SlotFinder(kWorkspaces, kNames)).attributes;
}

}  // namespace

TEST_CASE("grid, shared memory and arguments follow the call's sizes") {
  const PreparedLaunch launch = launch_of(make_entry(), 1000);

  CHECK(!launch.is_empty);
  CHECK(launch.config.grid[0] == 4);
  CHECK(launch.config.block[0] == 256);
  CHECK(launch.config.shared_bytes == 4000);
  const std::vector<std::uint64_t> arguments(launch.arguments.begin(), launch.arguments.end());
  CHECK(arguments ==
        std::vector<std::uint64_t>{0x1000, 2000, static_cast<std::uint64_t>(-1), 0x2000});
  CHECK(attributes_of(make_entry()).empty());
}

TEST_CASE("host scalars are read from host memory into the low bytes of their slot") {
  codegen::Entry entry = make_entry();
  using codegen::ArgumentKind;
  entry.arguments = {{.kind = ArgumentKind::Scalar, .param = "alpha", .dtype = DType::F32},
                     {.kind = ArgumentKind::Scalar, .param = "count", .dtype = DType::I8},
                     {.kind = ArgumentKind::Scalar, .param = "big", .dtype = DType::U64}};
  const float alpha = 1.5F;
  const std::int8_t count = -1;
  const std::uint64_t big = ~std::uint64_t{1};
  const ir::CallNames names = {{"n"}, {"alpha", "count", "big"}};
  const std::int64_t sizes[] = {1};
  const ir::TensorLayout tensors[] = {{reinterpret_cast<std::uint64_t>(&alpha), {}, {}},
                                      {reinterpret_cast<std::uint64_t>(&count), {}, {}},
                                      {reinterpret_cast<std::uint64_t>(&big), {}, {}}};

  const LaunchStep step = make_launch_step(entry, SlotFinder(kWorkspaces, names));
  const PreparedLaunch launch = prepare_launch(step, {sizes, tensors, {}});

  const std::vector<std::uint64_t> arguments(launch.arguments.begin(), launch.arguments.end());
  CHECK(arguments == std::vector<std::uint64_t>{0x3fc00000, 0xff, ~std::uint64_t{1}});
}

TEST_CASE("an empty grid launches nothing") { CHECK(launch_of(make_entry(), 0).is_empty); }

TEST_CASE("clusters and dependent launches become attributes") {
  codegen::Entry entry = make_entry();
  entry.launch.cluster[0] = 2;
  entry.launch.dependent_launch = true;

  const auto attributes = attributes_of(entry);

  REQUIRE(attributes.size() == 2);
  CHECK(attributes[0].id == cu::kLaunchClusterDimension);
  CHECK(attributes[0].value[0] == 2);
  CHECK(attributes[0].value[1] == 1);
  CHECK(attributes[1].id == cu::kLaunchProgrammaticSerialization);
  CHECK(sizeof(CudaLaunchAttribute) == 72);
}

TEST_CASE("a grid beyond the hardware's is refused before the driver sees it") {
  codegen::Entry entry = make_entry();
  entry.launch.grid[1] = 70000;

  CHECK_THROWS_WITH_AS(launch_of(entry, 1),
                       "sinter_k: a grid of 70000 blocks in dimension 1, 65535 are possible",
                       RuntimeError);
}

TEST_CASE("an argument that no call binds is refused when the entry is bound") {
  const auto bind = [](const codegen::Argument& argument) {
    codegen::Entry entry = make_entry();
    entry.arguments = {argument};
    make_launch_step(entry, SlotFinder(kWorkspaces, kNames));
  };
  using codegen::ArgumentKind;

  CHECK_THROWS_WITH_AS(bind({.kind = ArgumentKind::Pointer, .param = "z"}),
                       "sinter_k: no tensor is bound to 'z'", InternalError);
  CHECK_THROWS_WITH_AS(bind({.kind = ArgumentKind::Workspace, .param = "x"}),
                       "sinter_k: workspace 'x' is not bound", InternalError);
  CHECK_THROWS_WITH_AS(bind({.kind = ArgumentKind::Size, .expr = ir::IndexExpr::size("k")}),
                       "the size 'k' has no value", UserError);
}

}  // namespace sinter::runtime
