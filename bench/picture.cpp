#include "bench/picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::bench {

namespace {

constexpr double kLabelWidth = 230, kBarWidth = 420, kNoteWidth = 330;
constexpr double kBarHeight = 14, kRowHeight = 2 * kBarHeight + 14, kTop = 56;
constexpr double kWidth = kLabelWidth + kBarWidth + kNoteWidth;

std::string escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string text_at(double x, double y, const std::string& attributes, const std::string& text) {
  return fmt::format("  <text x=\"{:.0f}\" y=\"{:.0f}\"{}>{}</text>\n", x, y, attributes,
                     escape(text));
}

std::string bar(double y, const ModeResult& mode, const runtime::Share& share) {
  const bool is_cold = mode.cache == runtime::Cache::Cold;
  const double width = kBarWidth * std::min(share.value, 1.1);
  return fmt::format(
             "  <rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"{}\"/>\n",
             kLabelWidth, y, width, kBarHeight - 2, is_cold ? "#2f6f9f" : "#7fb2d6") +
         text_at(kLabelWidth + width + 6, y + kBarHeight - 4, "",
                 fmt::format("{:.1f} % of {}, {}", 100 * share.value, share.binding,
                             is_cold ? "cold" : "back to back"));
}

std::string grid(double height) {
  std::string lines;
  for (const int percent : {0, 25, 50, 75, 100}) {
    const double x = kLabelWidth + kBarWidth * percent / 100;
    lines += fmt::format(
        "  <line x1=\"{0:.0f}\" y1=\"{1:.0f}\" x2=\"{0:.0f}\" y2=\"{2:.0f}\" stroke=\"#bbb\"/>\n",
        x, kTop - 6, height - 8);
    lines += text_at(x, kTop - 10, " text-anchor=\"middle\" fill=\"#555\"",
                     fmt::format("{} %", percent));
  }
  return lines;
}

}  // namespace

std::string shares_picture(const BenchResult& result) {
  std::string rows;
  double y = kTop;
  for (const CaseResult& one : result.cases) {
    std::string bars;
    double at = y;
    for (const ModeResult& mode : one.modes) {
      if (mode.figures.empty() || mode.figures.front().share.value <= 0) continue;
      bars += bar(at, mode, mode.figures.front().share);
      at += kBarHeight;
    }
    if (bars.empty()) continue;
    rows += text_at(kLabelWidth - 8, y + kBarHeight, " text-anchor=\"end\"", one.name) + bars;
    y += kRowHeight;
  }
  const double height = y + 4;
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
             "  <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
             kWidth, height) +
         text_at(8, 20, " font-size=\"14\"",
                 fmt::format("Share of the measured limit: {}", result.fingerprint.device)) +
         grid(height) + rows + "</svg>\n";
}

}  // namespace sinter::bench
