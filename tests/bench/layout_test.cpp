// The layouts of the benchmark program: where each puts its elements.
#include "bench/layout.h"

#include <doctest/doctest.h>

#include <set>

#include "bench/measure.h"
#include "bench/summary.h"

namespace sinter::bench {

namespace {

/// Of element (row, column), from the first byte of the memory.
std::int64_t offset(const Placement& placement, std::int64_t row, std::int64_t column) {
  return placement.lead + row * placement.strides[0] + column * placement.strides[1];
}

}  // namespace

TEST_CASE("every layout stays in its span, and only the expanded one uses memory twice") {
  for (const Layout layout : all_layouts()) {
    CAPTURE(to_string(layout));
    const Placement placement = place(layout, {3, 5});

    std::set<std::int64_t> offsets;
    for (std::int64_t row = 0; row < 3; ++row) {
      for (std::int64_t column = 0; column < 5; ++column) {
        offsets.insert(offset(placement, row, column));
      }
    }

    CHECK(offsets.size() == (layout == Layout::Expanded ? 5 : 15));
    CHECK(*offsets.begin() >= 0);
    CHECK(*offsets.rbegin() == placement.span - 1);
  }
}

TEST_CASE("layouts are what their names say") {
  using Strides = std::vector<std::int64_t>;
  CHECK(place(Layout::Contiguous, {3, 5}).strides == Strides{5, 1});
  CHECK(place(Layout::Sliced, {3, 5}).strides == Strides{6, 1});
  CHECK(place(Layout::Sliced, {3, 5}).lead == 1);
  CHECK(place(Layout::Transposed, {3, 5}).strides == Strides{1, 3});
  CHECK(place(Layout::Transposed, {2, 3, 5}).strides == Strides{15, 1, 3});
  CHECK(place(Layout::Expanded, {3, 5}).strides == Strides{0, 1});
  CHECK(place(Layout::Reversed, {3, 5}).strides == Strides{5, -1});
  CHECK(place(Layout::Reversed, {3, 5}).lead == 4);
  CHECK(place(Layout::Reversed, {5}).lead == 0);
}

TEST_CASE("each layout is timed and compared with the reference, which sees the same elements") {
  const Device device = Device::cpu();
  runtime::Ceilings ceilings(device.impl());
  Session session(device, {.batch = 2, .later_warm_up_ms = 10}, ceilings);
  const Case one = {.suite = "layouts",
                    .name = "weighted",
                    .method = Method::Layouts,
                    .graph =
                        "graph g(%x: f32[9, 33], %w: f32[33]) {\n  %0: f32[9, 33] = "
                        "rms_norm(%x, %w) {axes: [1]}\n  return %0\n}\n"};

  BenchResult result;
  result.cases = {measure(one, {.budget_ms = 30}, session)};

  CHECK(result.cases[0].compared_elements == 5 * 9 * 33);
  for (const ModeResult& mode : result.cases[0].modes) {
    REQUIRE(mode.figures.size() == 5);
    for (std::size_t c = 0; c < 5; ++c) {
      CHECK(mode.figures[c].timing.name == to_string(all_layouts()[c]));
      CHECK(mode.figures[c].timing.is_verified);
      CHECK(mode.figures[c].timing.mistake == "");
      CHECK(mode.figures[c].to_sinter.median > 0);
    }
  }
  CHECK(layouts_table(result).find("weighted") != std::string::npos);
}

}  // namespace sinter::bench
