// Binding of named dimensions and the checks of views.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "runtime/bind.h"
#include "sinter/error.h"

using namespace sinter;

namespace {

ir::Graph graph_of(const std::string& x, const std::string& y) {
  return ir::parse_graph("graph g(%x: f32[" + x + "], %y: f32[" + y + "]) {\n  return %x, %y\n}\n");
}

}  // namespace

TEST_CASE("names are solved from expressions, in any order of inputs") {
  const auto sizes = runtime::bind_sizes(graph_of("2*n + m", "m"), {{11}, {3}});

  CHECK(sizes.at("m") == 3);
  CHECK(sizes.at("n") == 4);
}

TEST_CASE("extents that contradict each other are refused with the bound value") {
  CHECK_THROWS_WITH_AS(runtime::bind_sizes(graph_of("n", "n"), {{4}, {5}}),
                       "input y has shape [5]; [n] is needed, where n = 4", UserError);
  CHECK_THROWS_WITH_AS(runtime::bind_sizes(graph_of("n, 8", "n"), {{4, 7}, {4}}),
                       "input x has shape [4, 7]; [n, 8] is needed", UserError);
}

TEST_CASE("number of inputs and rank are checked") {
  CHECK_THROWS_WITH_AS(runtime::bind_sizes(graph_of("n", "n"), {{4}}),
                       "g takes 2 inputs; 1 were given", UserError);
  CHECK_THROWS_WITH_AS(runtime::bind_sizes(graph_of("n", "n"), {{4, 1}, {4}}),
                       "input x has shape [4, 1] of rank 2; [n] of rank 1 is needed", UserError);
}

TEST_CASE("a size that the inputs do not determine is named") {
  CHECK_THROWS_WITH_AS(runtime::bind_sizes(graph_of("n + m", "3"), {{4}, {3}}),
                       "dimension 'm' of g cannot be told from the shapes of the inputs (here [4] "
                       "for [m + n])",
                       UserError);
  CHECK_THROWS_WITH_AS(runtime::bind_sizes(graph_of("2*n", "3"), {{5}, {3}}),
                       "dimension 'n' of g cannot be told from the shapes of the inputs (here [5] "
                       "for [2*n])",
                       UserError);
}

TEST_CASE("extents and strides whose products leave 63 bits are refused, also beside a 0") {
  const std::int64_t huge = std::int64_t{1} << 62;
  const ir::Graph graph = graph_of("a, b, c", "3");

  CHECK_THROWS_WITH_AS(runtime::bind_sizes(graph, {{0, huge, huge}, {3}}),
                       "input x has shape [0, 4611686018427387904, 4611686018427387904]; its "
                       "extents may multiply to 2^60 at most (0 counts as 1)",
                       UserError);
  CHECK_THROWS_WITH_AS(runtime::bind_sizes(graph, {{0, -1, 1}, {3}}),
                       "input x has the negative extent -1", UserError);
  CHECK(runtime::bind_sizes(graph, {{0, std::int64_t{1} << 60, 1}, {3}}).at("a") == 0);

  float value = 0;
  TensorView view;
  view.data = &value;
  view.shape = {3, 2};
  view.strides = {huge, 1};
  CHECK_THROWS_WITH_AS(
      runtime::check_view(view, DType::F32, Device::cpu(), "input x"),
      "input x has strides [4611686018427387904, 1] for shape [3, 2]; offsets must "
      "fit 63 bits",
      UserError);
  view.strides = {INT64_MIN, 1};
  CHECK_THROWS_AS(runtime::check_view(view, DType::F32, Device::cpu(), "input x"), UserError);
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
  CHECK_THROWS_WITH_AS(runtime::check_output(view, {3, 4}, "output 0"),
                       "output 0 overlaps itself: shape [3, 4] with strides [0, 1]", UserError);
  view.strides = {-4, 1};
  CHECK_NOTHROW(runtime::check_output(view, {3, 4}, "output 0"));
}

TEST_CASE("the byte range of a view covers negative strides") {
  std::vector<float> data(12);
  TensorView view;
  view.data = data.data() + 11;
  view.shape = {12};
  view.strides = {-1};

  const runtime::ByteRange range = runtime::byte_range(view);

  CHECK(range.begin == reinterpret_cast<std::uint64_t>(data.data()));
  CHECK(range.end == reinterpret_cast<std::uint64_t>(data.data() + 12));
}
