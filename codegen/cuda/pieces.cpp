// Texts of the device-side pieces. Narrow floats are carried as their bits and converted exactly:
// round to nearest even, subnormals kept, NaN stays NaN, f8 saturates to its largest finite value.
#include "codegen/cuda/pieces.h"

#include <algorithm>

#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

constexpr Piece kPieces[] = {
    {"i8", "", "typedef signed char i8;"},
    {"i16", "", "typedef short i16;"},
    {"i32", "", "typedef int i32;"},
    {"i64", "", "typedef long long i64;"},
    {"u8", "", "typedef unsigned char u8;"},
    {"u16", "", "typedef unsigned short u16;"},
    {"u32", "", "typedef unsigned int u32;"},
    {"u64", "", "typedef unsigned long long u64;"},
    {"f8e4m3", "", "typedef unsigned char f8e4m3;  // bits"},
    {"f8e5m2", "", "typedef unsigned char f8e5m2;  // bits"},
    {"f16", "", "typedef unsigned short f16;  // bits"},
    {"bf16", "", "typedef unsigned short bf16;  // bits"},

    // Narrow floats to f32: exact.
    {"bf16_to_f32", "bf16 u32", R"(
inline float bf16_to_f32(bf16 x) { return __uint_as_float((u32)x << 16); })"},
    {"f16_to_f32", "f16", R"(
inline float f16_to_f32(f16 x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x));
  return result;
})"},
    {"f8e4m3_to_f32", "f8e4m3 u32", R"(
inline float f8e4m3_to_f32(f8e4m3 x) {
  const u32 sign = (x & 0x80u) << 24;
  const u32 magnitude = x & 0x7fu;
  if (magnitude == 0x7fu) return __uint_as_float(sign | 0x7fc00000u);
  // Placed at the top of the significand, the exponent is too low by 127 - 7; so are subnormals.
  const float value = __uint_as_float(magnitude << 20) * 0x1p120f;
  return __uint_as_float(sign | __float_as_uint(value));
})"},
    {"f8e5m2_to_f32", "f8e5m2 f16_to_f32", R"(
inline float f8e5m2_to_f32(f8e5m2 x) { return f16_to_f32((f16)((f16)x << 8)); })"},

    // f32 to narrow floats: nearest even.
    {"f32_to_bf16", "bf16", R"(
inline bf16 f32_to_bf16(float x) {
  bf16 result;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(x));
  return result;
})"},
    {"f32_to_f16", "f16", R"(
inline f16 f32_to_f16(float x) {
  f16 result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(x));
  return result;
})"},
    {"f32_to_f8e4m3", "f8e4m3 u32", R"(
inline f8e4m3 f32_to_f8e4m3(float x) {
  const u32 bits = __float_as_uint(x);
  const u32 sign = bits >> 24 & 0x80u;
  const u32 magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return (f8e4m3)(sign | 0x7fu);   // NaN
  if (magnitude >= 0x43e00000u) return (f8e4m3)(sign | 0x7eu);  // 448 and above
  if (magnitude < 0x3c800000u) {
    // Below 2^-6: adding 2^14, whose last place is 2^-9, rounds to a subnormal.
    const float shifted = __uint_as_float(magnitude) + 0x1p14f;
    return (f8e4m3)(sign | (__float_as_uint(shifted) - 0x46800000u));
  }
  const u32 rounded = magnitude + 0x7ffffu + (magnitude >> 20 & 1u);
  return (f8e4m3)(sign | (rounded - (120u << 23)) >> 20);
})"},
    {"f32_to_f8e5m2", "f8e5m2 u32", R"(
inline f8e5m2 f32_to_f8e5m2(float x) {
  const u32 bits = __float_as_uint(x);
  const u32 sign = bits >> 24 & 0x80u;
  const u32 magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return (f8e5m2)(sign | 0x7fu);   // NaN
  if (magnitude >= 0x47600000u) return (f8e5m2)(sign | 0x7bu);  // 57344 and above
  if (magnitude < 0x38800000u) {
    // Below 2^-14: adding 2^7, whose last place is 2^-16, rounds to a subnormal.
    const float shifted = __uint_as_float(magnitude) + 0x1p7f;
    return (f8e5m2)(sign | (__float_as_uint(shifted) - 0x43000000u));
  }
  const u32 rounded = magnitude + 0xfffffu + (magnitude >> 21 & 1u);
  return (f8e5m2)(sign | (rounded - (112u << 23)) >> 21);
})"},

    // Wide to narrow must round once: go through f32 rounded to odd, which has bits to spare.
    {"f64_to_f32_odd", "u32", R"(
inline float f64_to_f32_odd(double x) {
  const float toward_zero = __double2float_rz(x);
  const bool inexact = x == x && (double)toward_zero != x;
  return __uint_as_float(__float_as_uint(toward_zero) | (u32)inexact);
})"},
    {"i64_to_f32_odd", "i64 f64_to_f32_odd", R"(
inline float i64_to_f32_odd(i64 x) {
  const double toward_zero = __ll2double_rz(x);
  const i64 inexact = (i64)toward_zero != x;
  return f64_to_f32_odd(__longlong_as_double(__double_as_longlong(toward_zero) | inexact));
})"},
    {"u64_to_f32_odd", "i64 u64 f64_to_f32_odd", R"(
inline float u64_to_f32_odd(u64 x) {
  const double toward_zero = __ull2double_rz(x);
  const i64 inexact = (u64)toward_zero != x;
  return f64_to_f32_odd(__longlong_as_double(__double_as_longlong(toward_zero) | inexact));
})"},

    // Float to integer: truncates and saturates, NaN becomes 0. below and above are the powers of
    // two from which lowest and highest are the result.
    {"saturate", "", R"(
template <typename Integer, typename Float>
inline Integer saturate(Float x, Float below, Integer lowest, Float above, Integer highest) {
  if (x != x) return 0;
  if (x <= below) return lowest;
  if (x >= above) return highest;
  return (Integer)x;
})"},

    // NaN wins, -0.0 is below +0.0.
    {"minimum_f32", "", R"(
inline float minimum_f32(float a, float b) {
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
})"},
    {"maximum_f32", "", R"(
inline float maximum_f32(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
})"},
    {"minimum_f64", "i64", R"(
inline double minimum_f64(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return __double_as_longlong(a) < 0 ? a : b;
  return a < b ? a : b;
})"},
    {"maximum_f64", "i64", R"(
inline double maximum_f64(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return __double_as_longlong(a) < 0 ? b : a;
  return a > b ? a : b;
})"},

    // Integer division: floor, x // 0 = 0, x % 0 = x, INT_MIN // -1 wraps.
    {"floor_div_signed", "u64", R"(
template <typename Integer>
inline Integer floor_div_signed(Integer a, Integer b) {
  if (b == 0) return 0;
  if (b == -1) return (Integer)(0 - (u64)a);
  const Integer quotient = a / b;
  return quotient - (Integer)(a % b != 0 && (a < 0) != (b < 0));
})"},
    {"floor_mod_signed", "", R"(
template <typename Integer>
inline Integer floor_mod_signed(Integer a, Integer b) {
  if (b == 0) return a;
  if (b == -1) return 0;
  const Integer remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
})"},
    {"div_or_zero", "", R"(
template <typename Integer>
inline Integer div_or_zero(Integer a, Integer b) { return b == 0 ? 0 : a / b; })"},
    {"mod_or_self", "", R"(
template <typename Integer>
inline Integer mod_or_self(Integer a, Integer b) { return b == 0 ? a : a % b; })"},

    // Shifts: a negative distance counts as one beyond the width.
    {"shift_left", "u64", R"(
template <typename Integer>
inline Integer shift_left(Integer a, Integer b) {
  return (u64)b < 8 * sizeof(Integer) ? (Integer)((u64)a << (u64)b) : (Integer)0;
})"},
    {"shift_right", "u64", R"(
template <typename Integer>
inline Integer shift_right(Integer a, Integer b) {
  const u64 last = 8 * sizeof(Integer) - 1;
  if ((u64)b <= last) return (Integer)(a >> (u64)b);
  return a < 0 ? (Integer)-1 : (Integer)0;
})"},

    // Index arithmetic with divisors that are not negative; x / 0 = 0, mod(x, 0) = x.
    {"index_div", "", R"(
template <typename Index>
inline Index index_div(Index a, Index b) {
  if (b == 0) return 0;
  const Index quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
})"},
    {"index_mod", "", R"(
template <typename Index>
inline Index index_mod(Index a, Index b) {
  if (b == 0) return a;
  const Index remainder = a % b;
  return remainder < 0 ? remainder + b : remainder;
})"},
    {"index_min", "", R"(
template <typename Index>
inline Index index_min(Index a, Index b) { return a < b ? a : b; })"},
    {"index_max", "", R"(
template <typename Index>
inline Index index_max(Index a, Index b) { return a > b ? a : b; })"},

    // 2^2n 2^y with n = x log2(e) / 2 rounded: y lies within +-1, where ex2.approx errs by 2^-22.5 at most.
    // The sum with 1.5 * 2^23 + 127 leaves n and the exponent's bias in its last bits.
    {"exp_f32", "u32 minimum_f32 maximum_f32", R"(
inline float exp_f32(float x) {
  x = minimum_f32(maximum_f32(x, -104.0f), 89.0f);
  const float n = __fmaf_rn(x, 0x1.715476p-1f, 12583039.0f);
  float y = __fmaf_rn(x, 0x1.715476p+0f, __fmaf_rn(n, -2.0f, 25166078.0f));
  y = __fmaf_rn(x, 0x1.4ae0c0p-26f, y);
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(y));
  const float scale = __uint_as_float(__float_as_uint(n) << 23);
  return power * scale * scale;
})"},
    // |x| + |x|^3 P(x^2) below 5/8 (the polynomial of codegen/expand/tanh.cpp), above it 1 - 2 / (1 + e^2|x|), with
    // a step of Newton's for the quotient: what ex2.approx misses is less than half as much of the result.
    {"tanh_f32", "minimum_f32", R"(
inline float tanh_f32(float x) {
  const float y = fabsf(x);
  float power, quotient;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(minimum_f32(y, 10.0f) * 0x1.715476p+1f));
  const float sum = power + 1.0f;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(quotient) : "f"(sum));
  quotient = __fmaf_rn(quotient, __fmaf_rn(-sum, quotient, 1.0f), quotient);
  const float large = __fmaf_rn(quotient, -2.0f, 1.0f);
  const float square = x * x;
  float tail = __fmaf_rn(square, -0x1.758facp-8f, 0x1.5211c4p-6f);
  tail = __fmaf_rn(tail, square, -0x1.b838a0p-5f);
  tail = __fmaf_rn(tail, square, 0x1.110704p-3f);
  tail = __fmaf_rn(tail, square, -0x1.555532p-2f);
  const float small = __fmaf_rn(square * tail, y, y);
  return copysignf(y < 0x1.4p-1f ? small : large, x);
})"},

    // The square of 2^t with t = x log2(e) / 2, as ex2.approx.ftz loses what is below 2^-126. t is rounded, so the
    // relative error is up to |x| 2^-23.5, less than 2^-16.
    {"exp_rounded", "", R"(
inline float exp_rounded(float x) {
  float root;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x * 0x1.715476p-1f));
  return root * root;
})"},

    // One store of so many words to global memory: the compiler may take one apart that it sees beside single
    // ones.
    {"store_words_1", "u32", R"(
inline void store_words_1(void* to, const u32* w) { *(u32*)to = w[0]; })"},
    {"store_words_2", "u32", R"(
inline void store_words_2(void* to, const u32* w) {
  asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(w[0]), "r"(w[1]) : "memory");
})"},
    {"store_words_4", "u32", R"(
inline void store_words_4(void* to, const u32* w) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
               ::"l"(to), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]) : "memory");
})"},

    // Squares of narrow elements: word r has those of row r, then those of column r.
    {"transpose_2", "u32", R"(
inline void transpose_2(u32 (&w)[2]) {
  const u32 first = __byte_perm(w[0], w[1], 0x5410);
  w[1] = __byte_perm(w[0], w[1], 0x7632);
  w[0] = first;
})"},
    {"transpose_4", "u32", R"(
inline void transpose_4(u32 (&w)[4]) {
  const u32 low_01 = __byte_perm(w[0], w[1], 0x5140);
  const u32 high_01 = __byte_perm(w[0], w[1], 0x7362);
  const u32 low_23 = __byte_perm(w[2], w[3], 0x5140);
  const u32 high_23 = __byte_perm(w[2], w[3], 0x7362);
  w[0] = __byte_perm(low_01, low_23, 0x5410);
  w[1] = __byte_perm(low_01, low_23, 0x7632);
  w[2] = __byte_perm(high_01, high_23, 0x5410);
  w[3] = __byte_perm(high_01, high_23, 0x7632);
})"},

    // Barriers of shared memory, by address: they count arrivals and bytes. Waiting for a phase's parity.
    {"init_barrier", "u32", R"(
inline void init_barrier(u32 barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
})"},
    {"expect_bytes", "u32", R"(
inline void expect_bytes(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               ::"r"(barrier), "r"(bytes) : "memory");
})"},
    {"wait", "u32", R"(
inline void wait(u32 barrier, u32 parity) {
  asm volatile(
      "{\n"
      ".reg .pred is_done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 is_done, [%0], %1;\n"
      "@!is_done bra again;\n"
      "}" ::"r"(barrier), "r"(parity) : "memory");
})"},
    {"shared_address", "u32", R"(
inline u32 shared_address(const void* x) { return (u32)__cvta_generic_to_shared(x); })"},

    // Blocks of a cluster: arrive, with the barriers that this block has initialized, and wait until all have;
    // a store into the shared memory of the block of that rank, which counts at its barrier.
    {"arrive_blocks", "", R"(
inline void arrive_blocks() {
  asm volatile(
      "fence.mbarrier_init.release.cluster;\n"
      "barrier.cluster.arrive.relaxed;" ::: "memory");
})"},
    {"wait_blocks", "", R"(
inline void wait_blocks() {
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
})"},
    {"send_4", "u32", R"(
inline void send_4(u32 own, u32 barrier, u32 rank, u32 value) {
  asm volatile(
      "{\n"
      ".reg .b32 remote, remote_barrier;\n"
      "mapa.shared::cluster.u32 remote, %0, %2;\n"
      "mapa.shared::cluster.u32 remote_barrier, %1, %2;\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [remote], %3, [remote_barrier];\n"
      "}" ::"r"(own), "r"(barrier), "r"(rank), "r"(value) : "memory");
})"},
    {"send_8", "u32 u64", R"(
inline void send_8(u32 own, u32 barrier, u32 rank, u64 value) {
  asm volatile(
      "{\n"
      ".reg .b32 remote, remote_barrier;\n"
      "mapa.shared::cluster.u32 remote, %0, %2;\n"
      "mapa.shared::cluster.u32 remote_barrier, %1, %2;\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.u64 [remote], %3, [remote_barrier];\n"
      "}" ::"r"(own), "r"(barrier), "r"(rank), "l"(value) : "memory");
})"},

    // The value of the lane `distance` above, for any type of at most 8 bytes.
    {"shuffle_down_4", "u32", R"(
inline u32 shuffle_down_4(u32 x, int distance) {
  return __shfl_down_sync(0xffffffffu, x, distance);
})"},
    {"shuffle_xor_4", "u32", R"(
inline u32 shuffle_xor_4(u32 x, int distance) {
  return __shfl_xor_sync(0xffffffffu, x, distance);
})"},
    {"shuffle_xor_8", "u32 u64", R"(
inline u64 shuffle_xor_8(u64 x, int distance) {
  const u32 low = __shfl_xor_sync(0xffffffffu, (u32)x, distance);
  const u32 high = __shfl_xor_sync(0xffffffffu, (u32)(x >> 32), distance);
  return (u64)high << 32 | low;
})"},
    {"shuffle_down_8", "u32 u64", R"(
inline u64 shuffle_down_8(u64 x, int distance) {
  const u32 low = __shfl_down_sync(0xffffffffu, (u32)x, distance);
  const u32 high = __shfl_down_sync(0xffffffffu, (u32)(x >> 32), distance);
  return (u64)high << 32 | low;
})"},
    // The same of the lane `distance` below, and of lane `lane`.
    {"shuffle_up_4", "u32", R"(
inline u32 shuffle_up_4(u32 x, int distance) { return __shfl_up_sync(0xffffffffu, x, distance); })"},
    {"shuffle_up_8", "u32 u64", R"(
inline u64 shuffle_up_8(u64 x, int distance) {
  const u32 low = __shfl_up_sync(0xffffffffu, (u32)x, distance);
  const u32 high = __shfl_up_sync(0xffffffffu, (u32)(x >> 32), distance);
  return (u64)high << 32 | low;
})"},
    {"shuffle_4", "u32", R"(
inline u32 shuffle_4(u32 x, int lane) { return __shfl_sync(0xffffffffu, x, lane); })"},
    {"shuffle_8", "u32 u64", R"(
inline u64 shuffle_8(u64 x, int lane) {
  const u32 low = __shfl_sync(0xffffffffu, (u32)x, lane);
  const u32 high = __shfl_sync(0xffffffffu, (u32)(x >> 32), lane);
  return (u64)high << 32 | low;
})"},

    // A word handed from one block to others: 1 in its upper half says that the lower half is there, and both
    // are written and read at once, so that nothing else has to be ordered.
    {"publish_word", "u32 u64", R"(
inline void publish_word(u64* to, u32 bits) { *(volatile u64*)to = (u64)1 << 32 | bits; })"},
    {"await_word", "u32 u64", R"(
inline u32 await_word(const u64* from) {
  u64 word = *(const volatile u64*)from;
  while (word >> 32 == 0) word = *(const volatile u64*)from;
  return (u32)word;
})"},
};

const Piece* find_piece(std::string_view name) {
  const auto found = std::find_if(std::begin(kPieces), std::end(kPieces),
                                  [&](const Piece& piece) { return piece.name == name; });
  return found == std::end(kPieces) ? nullptr : found;
}

}  // namespace

std::span<const Piece> all_pieces() { return kPieces; }

std::string PieceSet::use(std::string_view name) {
  const Piece* piece = find_piece(name);
  support::check(piece != nullptr, "no device piece is named '{}'", name);
  if (used_.insert(piece->name).second) {
    std::string_view rest = piece->needs;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      use(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return std::string(name);
}

void PieceSet::emit(support::TextWriter& out) const {
  for (const Piece& piece : kPieces) {
    if (!used_.contains(piece.name)) continue;
    const bool is_function = piece.text.front() == '\n';
    if (is_function) out.blank();
    out.append(std::string(is_function ? piece.text.substr(1) : piece.text));
  }
}

}  // namespace sinter::codegen::cuda
