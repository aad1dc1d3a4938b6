#include "bench/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/report.h"
#include "support/text_writer.h"

namespace sinter::bench {

namespace {

/// The smallest over all states of the cache; 0 where one of them has none.
template <typename RatioOf>
double least_ratio(const CaseResult& result, const RatioOf& ratio_of) {
  double least = 0;
  for (const ModeResult& mode : result.modes) {
    const double ratio = ratio_of(mode);
    if (ratio <= 0) return 0;
    least = least == 0 ? ratio : std::min(least, ratio);
  }
  return least;
}

/// "!" and "?" as the table explains them.
std::string mark_of(const CaseResult& result) {
  switch (exit_code_of(BenchResult{{}, {result}})) {
    case tools::ExitCode::Ok: return "";
    case tools::ExitCode::Inconclusive: return "?";
    default: return "!";
  }
}

/// Text cells under headings, the first column to the left and the others to the right.
std::string grid_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  support::TextWriter out;
  for (const auto& row : rows) {
    std::string line = fmt::format("{:<{}}", row.front(), widths.front());
    for (std::size_t c = 1; c < row.size(); ++c) line += fmt::format(" {:>{}}", row[c], widths[c]);
    out.line("{}", line);
  }
  return out.text();
}

const CaseResult* find_point(const BenchResult& result, const std::string& row,
                             std::int64_t length) {
  for (const CaseResult& one : result.cases) {
    if (one.point && one.point->row == row && one.point->length == length) return &one;
  }
  return nullptr;
}

std::string share_cell(const CaseResult* one) {
  if (one == nullptr) return "-";
  const double share = copy_share(*one);
  return (share > 0 ? fmt::format("{:.0f}", 100 * share) : "-") + mark_of(*one);
}

/// Of contender `c`: contiguous inputs' time over its own.
double layout_ratio(const CaseResult& result, std::size_t c) {
  return least_ratio(result, [&](const ModeResult& mode) {
    const double times = c < mode.figures.size() ? mode.figures[c].to_sinter.median : 0;
    return times > 0 ? 1 / times : 0;
  });
}

}  // namespace

double copy_share(const CaseResult& result) {
  return least_ratio(result, [](const ModeResult& mode) {
    const auto is_copy = [](const Figure& one) { return one.is_peer && !one.is_foreign; };
    const auto copy = std::find_if(mode.figures.begin(), mode.figures.end(), is_copy);
    return copy == mode.figures.end() ? 0 : copy->to_sinter.median;
  });
}

std::optional<SweepSummary> summarize_sweep(const BenchResult& result) {
  SweepSummary summary;
  double logarithms = 0;
  for (const CaseResult& one : result.cases) {
    const double share = one.point ? copy_share(one) : 0;
    if (share <= 0) continue;
    ++summary.points;
    logarithms += std::log(share);
    if (share < kFineShare) ++summary.below;
    if (summary.least > 0 && share >= summary.least) continue;
    summary.least = share;
    summary.least_name = one.name;
  }
  if (summary.points == 0) return std::nullopt;
  summary.geometric_mean = std::exp(logarithms / static_cast<double>(summary.points));
  return summary;
}

std::string sweep_table(const BenchResult& result) {
  std::vector<std::string> names;
  std::set<std::int64_t> lengths;
  for (const CaseResult& one : result.cases) {
    if (!one.point) continue;
    lengths.insert(one.point->length);
    if (std::find(names.begin(), names.end(), one.point->row) == names.end()) {
      names.push_back(one.point->row);
    }
  }
  if (names.empty()) return {};
  std::vector<std::vector<std::string>> rows = {{"% of a plain copy"}};
  for (const std::int64_t length : lengths) rows.front().push_back(fmt::format("{}", length));
  for (const std::string& name : names) {
    auto& row = rows.emplace_back(std::vector<std::string>{name});
    for (const std::int64_t length : lengths) {
      row.push_back(share_cell(find_point(result, name, length)));
    }
  }
  std::string text = grid_text(rows);
  if (const auto summary = summarize_sweep(result)) {
    text += fmt::format(
        "geometric mean {:.1f} % over {} points; least {:.1f} %: {}; {} below {:.0f} %\n",
        100 * summary->geometric_mean, summary->points, 100 * summary->least, summary->least_name,
        summary->below, 100 * kFineShare);
  }
  return text;
}

std::string layouts_table(const BenchResult& result) {
  std::vector<std::vector<std::string>> rows = {{"speed to contiguous"}};
  std::string slow;
  for (const CaseResult& one : result.cases) {
    if (!one.compares_layouts || one.modes.empty()) continue;
    auto& row = rows.emplace_back(std::vector<std::string>{one.name + mark_of(one)});
    const std::vector<Figure>& figures = one.modes.front().figures;
    for (std::size_t c = 0; c < figures.size(); ++c) {
      const std::string& layout = figures[c].timing.name;
      if (rows.size() == 2) rows.front().push_back(layout);
      const double ratio = layout_ratio(one, c);
      row.push_back(ratio > 0 ? fmt::format("{:.2f}", ratio) : "-");
      if (ratio > 0 && ratio < kSlowLayout) {
        slow += fmt::format("  {} {}: {:.2f}\n", one.name, layout, ratio);
      }
    }
  }
  if (rows.size() == 1) return {};
  if (slow.empty()) return grid_text(rows) + "none below one half\n";
  return grid_text(rows) + "below one half:\n" + slow;
}

}  // namespace sinter::bench
