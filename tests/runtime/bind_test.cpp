// The checks of views.
#include <doctest/doctest.h>

#include "runtime/bind.h"
#include "sinter/error.h"

using namespace sinter;

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
