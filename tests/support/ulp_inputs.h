// The inputs on which the error of an elementary function is measured.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "tests/support/function_table.h"
#include "tests/support/random.h"

namespace sinter::tests {

/// Numbers of one floating dtype, packed as a device reads them.
class Numbers {
 public:
  Numbers(ir::DType dtype, std::size_t count)
      : dtype_(dtype), width_(size_bytes(dtype)), bytes_(count * width_) {}
  std::size_t size() const { return bytes_.size() / width_; }
  void* data() { return bytes_.data(); }
  std::size_t size_bytes_of(std::size_t count) const { return count * width_; }
  double at(std::size_t i) const { return ir::decode_float(dtype_, bits_at(i)); }
  std::uint64_t bits_at(std::size_t i) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &bytes_[i * width_], width_);
    return bits;
  }
  void set_bits(std::size_t i, std::uint64_t bits) {
    std::memcpy(&bytes_[i * width_], &bits, width_);
  }

 private:
  ir::DType dtype_;
  std::size_t width_;
  std::vector<std::byte> bytes_;
};

/// A row of inputs. Narrow types: every number, and for functions of two every pair of f8. All others are
/// random: half of each operand are random bits (all exponents), a quarter lies evenly in the function's
/// range, three sixteenths have an even exponent from -12 to 7, one sixteenth are zeros, small whole numbers,
/// infinities, NaN and the ends of the type. f64 are a hundredth, pairs of 16-bit numbers a tenth as many as
/// f32.
class UlpInputs {
 public:
  /// `f32_count`: inputs of f32.
  UlpInputs(const FunctionCase& c, ir::DType dtype, std::uint64_t f32_count, std::uint64_t seed);
  std::uint64_t size() const { return size_; }
  /// The next inputs, one list an operand; the last ones stay what they were where fewer are left.
  /// Returns how many are new.
  std::size_t fill(std::vector<Numbers>& operands);

 private:
  std::uint64_t next_bits();

  ir::DType dtype_;
  Range range_;
  std::vector<std::uint64_t> special_bits_;
  bool is_exhaustive_ = false;
  std::uint64_t size_ = 0;
  std::uint64_t done_ = 0;
  Random random_;
};

}  // namespace sinter::tests
