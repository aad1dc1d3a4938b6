#include "bench/sweep_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "bench/summary.h"
#include "bench/svg.h"

namespace sinter::bench {

namespace {

constexpr double kPanelHeight = 210, kLeft = 46, kRight = 12, kTop = 30, kBottom = 26;
constexpr std::size_t kColumns = 2;
constexpr double kMostShare = 1.1;  // of the axis
constexpr std::array<const char*, 4> kColours = {"#2f6f9f", "#c8642b", "#4c8c3f", "#8a5aa6"};
constexpr const char* kGrid = "#ddd";

using Curve = std::map<std::int64_t, double>;  // share by length

/// In the order in which names came up.
template <typename Value>
Value& entry(std::vector<std::pair<std::string, Value>>& entries, const std::string& name) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& each) { return each.first == name; });
  return found != entries.end() ? found->second : entries.emplace_back(name, Value{}).second;
}

using Curves = std::vector<std::pair<std::string, Curve>>;

/// By operator and dtype, the two words of a row's name.
std::vector<std::pair<std::string, Curves>> group(const BenchResult& result) {
  std::vector<std::pair<std::string, Curves>> panels;
  for (const CaseResult& one : result.cases) {
    const double share = one.point ? copy_share(one) : 0;
    if (share <= 0) continue;
    const std::size_t blank = std::min(one.point->row.find(' '), one.point->row.size());
    Curves& curves = entry(panels, one.point->row.substr(0, blank));
    entry(curves,
          one.point->row.substr(std::min(blank + 1, one.point->row.size())))[one.point->length] =
        share;
  }
  return panels;
}

/// Where lengths and shares lie in a panel.
class Axes {
 public:
  Axes(double x, double y, double width, const std::set<std::int64_t>& lengths)
      : left_(x + kLeft),
        width_(width - kLeft - kRight),
        top_(y + kTop),
        first_(std::log2(static_cast<double>(*lengths.begin()))),
        octaves_(std::max(std::log2(static_cast<double>(*lengths.rbegin())) - first_, 1.0)) {}

  double x(std::int64_t length) const {
    return left_ + width_ * (std::log2(static_cast<double>(length)) - first_) / octaves_;
  }
  double y(double share) const {
    return top_ + height() * (1 - std::min(share, kMostShare) / kMostShare);
  }
  /// Percentages, and powers of four within the lengths.
  std::string grid() const {
    std::string parts;
    for (const int percent : {0, 25, 50, 75, 85, 100}) {
      const double at = y(percent / 100.0);
      parts += svg_line(left_, at, left_ + width_, at, percent == 85 ? "#999" : kGrid);
      if (percent == 85) continue;  // what is fine, between two labels
      parts += svg_text(left_ - 6, at + 4, " text-anchor=\"end\" fill=\"#555\"",
                        fmt::format("{} %", percent));
    }
    const int last = static_cast<int>(std::floor(first_ + octaves_));
    for (int power = static_cast<int>(std::ceil(first_)); power <= last; power += 2) {
      const std::int64_t length = std::int64_t{1} << power;
      parts += svg_line(x(length), top_, x(length), top_ + height(), kGrid);
      parts +=
          svg_text(x(length), top_ + height() + 16, " text-anchor=\"middle\" fill=\"#555\"",
                   length < 1024 ? fmt::format("{}", length) : fmt::format("{} Ki", length / 1024));
    }
    return parts;
  }
  double left() const { return left_; }

 private:
  static double height() { return kPanelHeight - kTop - kBottom; }
  double left_, width_, top_, first_, octaves_;
};

std::string draw_panel(const Axes& axes, double y, const std::string& name, const Curves& curves) {
  std::string parts = svg_text(axes.left(), y + 20, " font-weight=\"bold\"", name) + axes.grid();
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const std::string colour = kColours[c % kColours.size()];
    std::vector<std::pair<double, double>> points;
    for (const auto& [length, share] : curves[c].second) {
      points.emplace_back(axes.x(length), axes.y(share));
    }
    parts += svg_curve(points, colour);
    parts += svg_text(axes.left() + 110 + 60 * static_cast<double>(c), y + 20,
                      fmt::format(" fill=\"{}\"", colour), curves[c].first);
  }
  return parts;
}

}  // namespace

Drawing draw_sweep(const BenchResult& result, double top, double width) {
  const auto panels = group(result);
  if (panels.empty()) return {};
  // The same lengths in every panel, so that they compare.
  std::set<std::int64_t> lengths;
  for (const auto& [name, curves] : panels) {
    for (const auto& [dtype, curve] : curves) {
      for (const auto& [length, share] : curve) lengths.insert(length);
    }
  }
  Drawing drawing;
  const double panel_width = width / kColumns;
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const std::size_t row = p / kColumns;
    const double x = panel_width * static_cast<double>(p % kColumns);
    const double y = top + kPanelHeight * static_cast<double>(row);
    const Axes axes(x, y, panel_width, lengths);
    drawing.parts += draw_panel(axes, y, panels[p].first, panels[p].second);
    drawing.height = kPanelHeight * static_cast<double>(row + 1);
  }
  return drawing;
}

}  // namespace sinter::bench
