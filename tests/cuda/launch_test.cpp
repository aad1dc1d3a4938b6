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

CallBindings make_call(std::int64_t n) {
  CallBindings call;
  call.facts.sizes = {{"n", n}};
  call.facts.tensors = {{"x", 0x1000, {n, 3}, {3, -1}}};
  call.workspaces["scratch"] = reinterpret_cast<void*>(0x2000);
  return call;
}

}  // namespace

TEST_CASE("grid, shared memory and arguments follow the call's sizes") {
  const PreparedLaunch launch = prepare_launch(make_entry(), make_call(1000));

  CHECK(!launch.is_empty);
  CHECK(launch.config.grid[0] == 4);
  CHECK(launch.config.block[0] == 256);
  CHECK(launch.config.shared_bytes == 4000);
  CHECK(launch.arguments ==
        std::vector<std::uint64_t>{0x1000, 2000, static_cast<std::uint64_t>(-1), 0x2000});
  CHECK(launch.attributes.empty());
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
  CallBindings call = make_call(1);
  call.facts.tensors = {{"alpha", reinterpret_cast<std::uint64_t>(&alpha), {}, {}},
                        {"count", reinterpret_cast<std::uint64_t>(&count), {}, {}},
                        {"big", reinterpret_cast<std::uint64_t>(&big), {}, {}}};

  CHECK(prepare_launch(entry, call).arguments ==
        std::vector<std::uint64_t>{0x3fc00000, 0xff, ~std::uint64_t{1}});
}

TEST_CASE("an empty grid launches nothing") {
  CHECK(prepare_launch(make_entry(), make_call(0)).is_empty);
}

TEST_CASE("clusters and dependent launches become attributes") {
  codegen::Entry entry = make_entry();
  entry.launch.cluster[0] = 2;
  entry.launch.dependent_launch = true;

  const PreparedLaunch launch = prepare_launch(entry, make_call(1000));

  REQUIRE(launch.attributes.size() == 2);
  CHECK(launch.attributes[0].id == cu::kLaunchClusterDimension);
  CHECK(launch.attributes[0].value[0] == 2);
  CHECK(launch.attributes[0].value[1] == 1);
  CHECK(launch.attributes[1].id == cu::kLaunchProgrammaticSerialization);
  CHECK(sizeof(CudaLaunchAttribute) == 72);
}

TEST_CASE("a grid beyond the hardware's is refused before the driver sees it") {
  codegen::Entry entry = make_entry();
  entry.launch.grid[1] = 70000;

  CHECK_THROWS_WITH_AS(prepare_launch(entry, make_call(1)),
                       "sinter_k: a grid of 70000 blocks in dimension 1, 65535 are possible",
                       RuntimeError);
}

}  // namespace sinter::runtime
