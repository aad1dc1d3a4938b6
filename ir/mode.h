// What a compilation may do with floating point; part of every key. DESIGN section 3.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter::ir {

/// Default: subnormals kept, no contraction of a*b+c, reductions in any deterministic order.
/// Strict: reductions and contractions in ascending order of the reduced axes (the last fastest),
/// contractions by fma from +0, so that all backends agree bit for bit. Fast: contraction,
/// approximate functions and flushing allowed.
enum class Mode : std::uint8_t { Default, Strict, Fast };

std::string_view to_string(Mode mode);
std::optional<Mode> parse_mode(std::string_view text);

/// Precision of a contraction. Ieee: f32 multiply-adds. Split: as accurate as f32, may use tensor
/// cores. SplitFast, Tf32: see docs/semantics.md. Types other than f32 ignore it.
enum class Precision : std::uint8_t { Split, Ieee, SplitFast, Tf32 };

std::string_view to_string(Precision precision);
std::optional<Precision> parse_precision(std::string_view text);

}  // namespace sinter::ir
