// A random generator whose numbers are the same everywhere, unlike those of std distributions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::tests {

/// SplitMix64 (Steele, Lea and Flood, 2014): one 64-bit state, every seed is a good one.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// In [0, limit); limit > 0.
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(limit));
  }
  /// In [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  /// In [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Nearly normal, within 6 of 0: twelve uniforms, so that no library function takes part.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }
  bool chance(double probability) { return uniform() < probability; }
  /// One of `list`, which is not empty.
  template <typename List>
  const auto& pick(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<std::int64_t>(list.size())))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace sinter::tests
