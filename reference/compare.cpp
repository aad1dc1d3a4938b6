// One pass over the elements; the verdict's text is made at the end.
#include "reference/compare.h"

#include <algorithm>

#include "reference/rounding.h"
#include "support/check.h"
#include "support/special_values.h"

namespace sinter::reference {

namespace {

/// Bounds above this share of the output's root mean square say nothing (notes/measuring.md, P3).
constexpr double kVacuousShare = 0.25;

/// |given - expected| / bound; 0 where the two agree exactly.
double error_ratio(bool real, const Element& expected, const Element& given) {
  if (!real) return expected.bits == given.bits ? 0 : support::kInfinity;
  if (std::isnan(expected.real) || std::isnan(given.real)) {
    return std::isnan(expected.real) && std::isnan(given.real) ? 0 : support::kInfinity;
  }
  if (expected.is_exact()) {
    const bool same_sign = std::signbit(expected.real) == std::signbit(given.real);
    return expected.real == given.real && same_sign ? 0 : support::kInfinity;
  }
  const Wide error = std::abs(given.real - expected.real);
  return static_cast<double>(error / static_cast<Wide>(expected.bound));
}

/// Root mean square of the finite elements.
Wide root_mean_square(const std::vector<Element>& elements) {
  Wide sum = 0;
  std::int64_t count = 0;
  for (const Element& element : elements) {
    if (!std::isfinite(element.real)) continue;
    sum += element.real * element.real;
    ++count;
  }
  return count > 0 ? std::sqrt(sum / static_cast<Wide>(count)) : 0;
}

/// Bounds of a few subnormals are as tight as can be, even about an output of zeros.
bool is_vacuous(const ReferenceOutput& expected) {
  const bool real = ir::is_float(expected.dtype);
  const Wide least = real ? 4 * smallest_positive(expected.dtype) : 0;
  const Wide limit = std::max(kVacuousShare * root_mean_square(expected.elements), least);
  const auto loose = std::count_if(
      expected.elements.begin(), expected.elements.end(),
      [&](const Element& element) { return static_cast<Wide>(element.bound) > limit; });
  return 2 * static_cast<std::size_t>(loose) > expected.elements.size();
}

std::string element_text(ir::DType dtype, const Element& element) {
  if (ir::is_float(dtype)) return fmt::format("{}", static_cast<double>(element.real));
  return fmt::format("{:.0f}", integer_value(dtype, element.bits));
}

std::string verdict_text(const Comparison& comparison) {
  if (comparison.compared + comparison.undecided == 0)
    return "nothing was compared: it has no element";
  std::string text = comparison.passed ? "passed" : "failed";
  if (comparison.vacuous) text += " (vacuous: most bounds exceed a quarter of the output's RMS)";
  return text + fmt::format(
                    ": {} compared, {} failed, {} undecided, worst error is {:.3g} of its "
                    "bound",
                    comparison.compared, comparison.failed, comparison.undecided,
                    comparison.max_ratio);
}

}  // namespace

Comparison compare(const ReferenceOutput& expected, const HostTensor& given) {
  if (given.dtype != expected.dtype || given.extents != expected.extents) {
    support::throw_user("compare: given {}{}, expected {}{}", to_string(given.dtype),
                        extents_text(given.extents), to_string(expected.dtype),
                        extents_text(expected.extents));
  }
  Comparison result;
  const bool real = ir::is_float(expected.dtype);
  Element worst_given;
  Element worst_expected;
  for (std::size_t i = 0; i < expected.elements.size(); ++i) {
    const Element& element = expected.elements[i];
    if (element.is_undecided()) {
      ++result.undecided;
      continue;
    }
    const Element actual = load_element(given, expected.indices[i]);
    const double ratio = error_ratio(real, element, actual);
    ++result.compared;
    if (ratio > 1) ++result.failed;
    if (result.worst_index >= 0 && ratio <= result.max_ratio) continue;
    result.max_ratio = ratio;
    result.worst_index = expected.indices[i];
    worst_given = actual;
    worst_expected = element;
  }
  result.vacuous = is_vacuous(expected);
  result.passed = result.failed == 0 && !result.vacuous;
  result.text = verdict_text(result);
  if (result.worst_index >= 0) {
    result.text += fmt::format("\nworst: element {} given {}, expected {} within {:.3g}",
                               extents_text(unravel_index(expected.extents, result.worst_index)),
                               element_text(expected.dtype, worst_given),
                               element_text(expected.dtype, worst_expected), worst_expected.bound);
  }
  return result;
}

}  // namespace sinter::reference
