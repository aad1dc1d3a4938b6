// The checks of views.
#include <doctest/doctest.h>

#include "runtime/bind.h"
#include "sinter/error.h"

using namespace sinter;

TEST_CASE("strides whose offsets leave 63 bits are refused") {
  const std::int64_t huge = std::int64_t{1} << 62;
  const runtime::DevicePlace cpu{.kind = DeviceKind::Cpu, .index = 0, .id = "cpu"};
  float value = 0;
  TensorView view;
  view.data = &value;
  view.shape = {3, 2};

  view.strides = {huge, 1};
  CHECK_THROWS_WITH_AS(
      runtime::check_view(view, DType::F32, cpu, "input x"),
      "input x has strides [4611686018427387904, 1] for shape [3, 2]; offsets must "
      "fit 63 bits",
      UserError);
  view.strides = {INT64_MIN, 1};
  CHECK_THROWS_AS(runtime::check_view(view, DType::F32, cpu, "input x"), UserError);
}

TEST_CASE("a host scalar lies in host memory") {
  float value = 0;
  TensorView view;
  view.data = &value;
  CHECK_NOTHROW(runtime::check_host_scalar(view, DType::F32, "input alpha"));

  view.device_kind = DeviceKind::Cuda;
  view.device_index = 1;

  CHECK_THROWS_WITH_AS(runtime::check_host_scalar(view, DType::F32, "input alpha"),
                       "input alpha lies on cuda:1; a host scalar lies in host memory", UserError);
}

TEST_CASE("a view over a buffer cannot wrap around") {
  const Buffer buffer = Device::cpu().allocate(16);
  const std::int64_t half = std::int64_t{1} << 32;

  CHECK_THROWS_WITH_AS(buffer.view(DType::F32, {half, half}),
                       "view of shape [4294967296, 4294967296]; its bytes do not fit 64 bits",
                       UserError);
  CHECK_NOTHROW(buffer.view(DType::F32, {2, 2}));
}

TEST_CASE("an output that overlaps itself is refused, a reversed one is not") {
  TensorView view;
  view.shape = {3, 4};
  view.strides = {0, 1};
  CHECK_THROWS_WITH_AS(runtime::check_output(view, view.shape, "output 0"),
                       "output 0 overlaps itself: shape [3, 4] with strides [0, 1]", UserError);
  view.strides = {-4, 1};
  CHECK_NOTHROW(runtime::check_output(view, view.shape, "output 0"));
}

TEST_CASE("the byte range of a view covers negative strides") {
  std::vector<float> data(12);
  const std::int64_t extents[] = {12};
  const std::int64_t strides[] = {-1};
  const auto last = reinterpret_cast<std::uint64_t>(data.data() + 11);

  const runtime::ByteRange range = runtime::byte_range({last, extents, strides}, DType::F32);

  CHECK(range.begin == reinterpret_cast<std::uint64_t>(data.data()));
  CHECK(range.end == reinterpret_cast<std::uint64_t>(data.data() + 12));
}
