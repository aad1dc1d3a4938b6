// log2(x) = (k + f) + f T(f) for x = 2^k (1 + f), f in [-1/3, 1/3): k + f is exact for the k where the
// result could cancel, and f = 0 for powers of two. log10(x) = k log10(2) + f C + f U(f) with log10(2)
// and C = log10(e) in two parts. The polynomials are our own (scripts/coefficients/log2.sollya).
#include "codegen/expand/coefficients/log2.h"

#include "codegen/expand/functions.h"

namespace sinter::codegen {

using ir::Value;

namespace c = coefficients;

std::shared_ptr<const ir::Graph> make_log2(ir::DType dtype) {
  ScalarBuilder b("log2", dtype);
  const Value x = b.parameter("x");
  const auto [k, f] = split_log(b, x);
  const Value tail = b.polynomial(c::kLog2F32, c::kLog2F64, f);
  return b.finish(finish_log(b, x, b.fma(f, tail, b.add(k, f))));
}

std::shared_ptr<const ir::Graph> make_log10(ir::DType dtype) {
  ScalarBuilder b("log10", dtype);
  const Value x = b.parameter("x");
  const auto [k, f] = split_log(b, x);
  const Value tail = b.mul(f, b.polynomial(c::kLog10F32, c::kLog10F64, f));
  const Value small = b.fma(k, b.number(c::kLog10Of2LowF32, c::kLog10Of2LowF64), tail);
  const Value sum = b.fma(f, b.number(c::kLog10EF32, c::kLog10EF64), small);
  const Value finite = b.fma(k, b.number(c::kLog10Of2HighF32, c::kLog10Of2HighF64), sum);
  return b.finish(finish_log(b, x, finite));
}

}  // namespace sinter::codegen
