// Squares within parts of 16 bytes first, by interleaving, then those parts among each other: each shuffle is
// one instruction of SSE and AVX.
#include "codegen/llvm/transposes.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::codegen::llvm {

namespace {

constexpr int kPartBytes = 16;

/// Lanes of a and b (numbered after those of a) picked by number.
Register shuffle(const LaneWriter& lanes, const Register& a, const Register& b,
                 const std::vector<int>& picked) {
  std::string mask;
  for (const int lane : picked) {
    mask += fmt::format("{}i32 {}", mask.empty() ? "" : ", ", lane);
  }
  const std::string type = type_of(a);
  const std::string text = fmt::format("shufflevector {} {}, {} {}, ", type, a.text, type, b.text) +
                           fmt::format("<{} x i32> <{}>", lanes.width(), mask);
  return lanes.assign("turned", text, a.dtype);
}

/// Within each part, the lower (or upper) halves of a and b, interleaved.
Register interleave(const LaneWriter& lanes, const Register& a, const Register& b, int part,
                    bool is_upper) {
  std::vector<int> picked;
  for (int first = 0; first < lanes.width(); first += part) {
    for (int i = 0; i < part / 2; ++i) {
      const int lane = first + (is_upper ? part / 2 : 0) + i;
      picked.push_back(lane);
      picked.push_back(lanes.width() + lane);
    }
  }
  return shuffle(lanes, a, b, picked);
}

/// Transposes the squares of `part` rows within each part.
void turn_within_parts(const LaneWriter& lanes, std::vector<Register>& rows, int part) {
  for (int stage = 1; stage < part; stage *= 2) {
    std::vector<Register> next;
    for (int group = 0; group < lanes.width(); group += part) {
      for (int r = group; r < group + part / 2; ++r) {
        for (const bool is_upper : {false, true}) {
          next.push_back(interleave(lanes, rows[r], rows[r + part / 2], part, is_upper));
        }
      }
    }
    rows = std::move(next);
  }
}

/// Swaps, for rows and lanes `distance` apart, what lies off the diagonal.
void swap_off_diagonal(const LaneWriter& lanes, std::vector<Register>& rows, int distance) {
  for (int r = 0; r < lanes.width(); ++r) {
    if ((r & distance) != 0) continue;
    std::vector<int> upper, lower;
    for (int c = 0; c < lanes.width(); ++c) {
      const bool is_far = (c & distance) != 0;
      upper.push_back(is_far ? lanes.width() + c - distance : c);
      lower.push_back(is_far ? lanes.width() + c : c + distance);
    }
    const Register first = rows[r], second = rows[r + distance];
    rows[r] = shuffle(lanes, first, second, upper);
    rows[r + distance] = shuffle(lanes, first, second, lower);
  }
}

}  // namespace

std::vector<Register> emit_transpose(const LaneWriter& lanes, const std::vector<Register>& rows) {
  std::vector<Register> turned = rows;
  const int element_bytes = static_cast<int>(size_bytes(rows[0].dtype));
  const int part = std::min(kPartBytes / element_bytes, lanes.width());
  turn_within_parts(lanes, turned, part);
  for (int distance = part; distance < lanes.width(); distance *= 2) {
    swap_off_diagonal(lanes, turned, distance);
  }
  return turned;
}

}  // namespace sinter::codegen::llvm
