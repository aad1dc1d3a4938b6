#include "bench/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/svg.h"
#include "bench/sweep_picture.h"

namespace sinter::bench {

namespace {

constexpr double kLabelWidth = 230, kBarWidth = 420, kNoteWidth = 330;
constexpr double kBarHeight = 14, kRowHeight = 2 * kBarHeight + 14, kTop = 56;
constexpr double kTitleHeight = 28;
constexpr double kWidth = kLabelWidth + kBarWidth + kNoteWidth;

std::string bar(double y, const ModeResult& mode, const runtime::Share& share) {
  const bool is_cold = mode.cache == runtime::Cache::Cold;
  const double width = kBarWidth * std::min(share.value, 1.1);
  return fmt::format(
             "  <rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"{}\"/>\n",
             kLabelWidth, y, width, kBarHeight - 2, is_cold ? "#2f6f9f" : "#7fb2d6") +
         svg_text(kLabelWidth + width + 6, y + kBarHeight - 4, "",
                  fmt::format("{:.1f} % of {}, {}", 100 * share.value, share.binding,
                              is_cold ? "cold" : "back to back"));
}

std::string grid(double height) {
  std::string lines;
  for (const int percent : {0, 25, 50, 75, 100}) {
    const double x = kLabelWidth + kBarWidth * percent / 100;
    lines += svg_line(x, kTop - 6, x, height - 8, "#bbb");
    lines += svg_text(x, kTop - 10, " text-anchor=\"middle\" fill=\"#555\"",
                      fmt::format("{} %", percent));
  }
  return lines;
}

/// Cases that are no points of a sweep. Nothing where none has a share.
Drawing draw_bars(const BenchResult& result) {
  Drawing drawing;
  double y = kTop;
  for (const CaseResult& one : result.cases) {
    if (one.point) continue;
    std::string bars;
    double at = y;
    for (const ModeResult& mode : one.modes) {
      if (mode.figures.empty() || mode.figures.front().share.value <= 0) continue;
      bars += bar(at, mode, mode.figures.front().share);
      at += kBarHeight;
    }
    if (bars.empty()) continue;
    drawing.parts +=
        svg_text(kLabelWidth - 8, y + kBarHeight, " text-anchor=\"end\"", one.name) + bars;
    y += kRowHeight;
  }
  if (drawing.parts.empty()) return {};
  drawing.parts = grid(y + 4) + drawing.parts;
  drawing.height = y + 4;
  return drawing;
}

}  // namespace

std::string shares_picture(const BenchResult& result) {
  const Drawing bars = draw_bars(result);
  const Drawing sweep = draw_sweep(result, std::max(bars.height, kTitleHeight), kWidth);
  const std::string title =
      fmt::format("Share of the measured limit: {}", result.fingerprint.device);
  return svg_document(kWidth, std::max(bars.height, kTitleHeight) + sweep.height,
                      svg_text(8, 20, " font-size=\"14\"", title) + bars.parts + sweep.parts);
}

}  // namespace sinter::bench
