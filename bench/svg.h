// Pieces of SVG text.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sinter::bench {

/// `attributes` with a blank in front: " fill=\"#555\"". The text is escaped.
std::string svg_text(double x, double y, const std::string& attributes, const std::string& text);
std::string svg_line(double x1, double y1, double x2, double y2, const std::string& colour);
/// With a dot at each point.
std::string svg_curve(const std::vector<std::pair<double, double>>& points,
                      const std::string& colour);
/// `parts` on white.
std::string svg_document(double width, double height, const std::string& parts);

}  // namespace sinter::bench
