// Printed names of modes and precisions.
#include "ir/mode.h"

#include <array>

#include "support/check.h"

namespace sinter::ir {

namespace {

constexpr std::array<Mode, 3> kModes = {Mode::Default, Mode::Strict, Mode::Fast};
constexpr std::array<Precision, 4> kPrecisions = {Precision::Split, Precision::Ieee,
                                                  Precision::SplitFast, Precision::Tf32};

template <typename Enum, std::size_t count>
std::optional<Enum> find_by_text(const std::array<Enum, count>& all, std::string_view text) {
  for (const Enum value : all) {
    if (to_string(value) == text) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::Default: return "default";
    case Mode::Strict: return "strict";
    case Mode::Fast: return "fast";
  }
  support::throw_internal("mode {} does not exist", static_cast<int>(mode));
}

std::optional<Mode> parse_mode(std::string_view text) { return find_by_text(kModes, text); }

std::string_view to_string(Precision precision) {
  switch (precision) {
    case Precision::Split: return "split";
    case Precision::Ieee: return "ieee";
    case Precision::SplitFast: return "split_fast";
    case Precision::Tf32: return "tf32";
  }
  support::throw_internal("precision {} does not exist", static_cast<int>(precision));
}

std::optional<Precision> parse_precision(std::string_view text) {
  return find_by_text(kPrecisions, text);
}

}  // namespace sinter::ir
