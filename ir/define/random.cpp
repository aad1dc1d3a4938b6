// Counter-based random numbers: any element can be made anywhere, in any order, always the same.
// J. Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011), whose constants these are.
#include <array>
#include <cmath>
#include <numbers>

#include "ir/define/composite.h"

namespace sinter::ir {

namespace {

constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint64_t kWeyl0 = 0x9E3779B9;
constexpr std::uint64_t kWeyl1 = 0xBB67AE85;
constexpr std::uint64_t kMask = 0xFFFFFFFF;
constexpr int kRounds = 10;

Expr low_word(const Expr& a) { return a & static_cast<double>(kMask); }
Expr high_word(const Expr& a) { return a >> 32; }

/// The words are u64 below 2^32.
std::array<Expr, 4> philox(const Expr& low, const Expr& high, const Expr& key) {
  std::array<Expr, 4> c{low_word(low), high_word(low), low_word(high), high_word(high)};
  Expr key0 = low_word(key);
  Expr key1 = high_word(key);
  for (int round = 0; round < kRounds; ++round) {
    const Expr product0 = c[0] * static_cast<double>(kMultiplier0);
    const Expr product1 = c[2] * static_cast<double>(kMultiplier1);
    c = {high_word(product1) ^ c[1] ^ key0, low_word(product1), high_word(product0) ^ c[3] ^ key1,
         low_word(product0)};
    key0 = low_word(key0 + static_cast<double>(kWeyl0));
    key1 = low_word(key1 + static_cast<double>(kWeyl1));
  }
  return c;
}

/// Operand `index` as u64 of rank 0; 0 where it is not given.
Expr key_of(const Call& call, std::size_t index) {
  if (index >= call.size()) return constant(call[0], make_integer_literal(DType::U64, 0));
  const Expr& key = call[index];
  if (key.rank() != 0 || !is_integer(key.dtype())) {
    call.fail("operand {} must be an integer of rank 0; given {}", index,
              to_string(call.given(index)));
  }
  return cast(key, DType::U64);
}

/// Four random words for each element of this shape, in row-major order.
std::array<Expr, 4> draw_words(const Expr& seed, const Expr& stream, const Shape& shape) {
  Expr index = constant(seed, make_integer_literal(DType::I64, 0));
  for (std::size_t d = 0; d < shape.size(); ++d) {
    Shape along(shape.size(), Dim(1));
    along[d] = shape[d];
    index =
        index * size(seed, shape[d], DType::I64) + iota(seed, along, static_cast<std::int64_t>(d));
  }
  return philox(cast(index, DType::U64), stream, seed);
}

/// The top 24 bits, as i32.
Expr top_bits(const Expr& word) { return cast(word >> 8, DType::I32); }

}  // namespace

template <>
Exprs define<Op::Philox>(const Call& call) {
  Exprs words;
  for (std::size_t i = 1; i < 3; ++i) {
    if (is_integer(call[i].dtype())) continue;
    call.fail("counter and key must be integers; given {}", to_string(call.given(i)));
  }
  for (const Expr& word :
       philox(cast(call[0], DType::U64), cast(call[1], DType::U64), cast(call[2], DType::U64))) {
    words.push_back(cast(word, DType::U32));
  }
  return words;
}

template <>
Exprs define<Op::RandomUniform>(const Call& call) {
  call.need_operands(1, 2);
  const auto& shape = call.attributes().get<Shape>(AttributeName::Shape);
  const Expr word = draw_words(key_of(call, 0), key_of(call, 1), shape)[0];
  return {cast(top_bits(word), DType::F32) * 0x1p-24};
}

/// G. Box and M. Muller, A Note on the Generation of Random Normal Deviates (1958). The logarithm's
/// argument is in (0, 1]: nothing is infinite, and the largest result is about 6.8.
template <>
Exprs define<Op::RandomNormal>(const Call& call) {
  call.need_operands(1, 2);
  const auto& shape = call.attributes().get<Shape>(AttributeName::Shape);
  const auto words = draw_words(key_of(call, 0), key_of(call, 1), shape);
  const Expr whole = cast(cast(words[0], DType::U32), DType::F32);
  const Expr radius = sqrt(log(whole * 0x1p-32 + 0x1p-33) * -2);
  const Expr turn = cast(top_bits(words[1]), DType::F32) * 0x1p-24;
  return {radius * make_node(Op::Cos, {turn * (2 * std::numbers::pi)})};
}

/// N. Srivastava et al., Dropout (2014), scaled so that the mean stays.
template <>
Exprs define<Op::Dropout>(const Call& call) {
  call.need_operands(2, 3);
  const double rate = call.attributes().get<double>(AttributeName::Alpha);
  if (!(rate >= 0 && rate <= 1)) call.fail("the rate {} is not in [0, 1]", rate);
  const Expr& a = call[0];
  const Expr seed = key_of(call, 1);
  const Expr stream = key_of(call, 2);
  if (rate == 0) return {a};
  const Expr nothing = broadcast_to(number(a, 0), a.shape());
  if (rate == 1) return {nothing};
  // Compared as integers: no rounding decides.
  const Expr is_kept = top_bits(draw_words(seed, stream, a.shape())[0]) >= std::ceil(rate * 0x1p24);
  return {select(is_kept, a * (1 / (1 - rate)), nothing)};
}

}  // namespace sinter::ir
