#include "bench/svg.h"

#include <fmt/format.h>

namespace sinter::bench {

namespace {

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

}  // namespace

std::string svg_text(double x, double y, const std::string& attributes, const std::string& text) {
  return fmt::format("  <text x=\"{:.0f}\" y=\"{:.0f}\"{}>{}</text>\n", x, y, attributes,
                     escape(text));
}

std::string svg_line(double x1, double y1, double x2, double y2, const std::string& colour) {
  return fmt::format(
      "  <line x1=\"{:.0f}\" y1=\"{:.0f}\" x2=\"{:.0f}\" y2=\"{:.0f}\" stroke=\"{}\"/>\n", x1, y1,
      x2, y2, colour);
}

std::string svg_curve(const std::vector<std::pair<double, double>>& points,
                      const std::string& colour) {
  std::string places, dots;
  for (const auto& [x, y] : points) {
    places += fmt::format("{}{:.1f},{:.1f}", places.empty() ? "" : " ", x, y);
    dots += fmt::format("  <circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", x, y,
                        colour);
  }
  return fmt::format(
             "  <polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n",
             places, colour) +
         dots;
}

std::string svg_document(double width, double height, const std::string& parts) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
             "  <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
             width, height) +
         parts + "</svg>\n";
}

}  // namespace sinter::bench
