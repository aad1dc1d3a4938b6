// The sums and products of pairs.
#include "codegen/expand/pair.h"

namespace sinter::codegen {

using ir::Value;

Pair add_exactly(ScalarBuilder& b, Value x, Value y) {
  const Value high = b.add(x, y);
  return {.high = high, .low = b.add(b.sub(x, high), y)};
}

Pair multiply_exactly(ScalarBuilder& b, Value x, Value y) {
  const Value high = b.mul(x, y);
  return {.high = high, .low = b.fma(x, y, b.neg(high))};
}

Pair add(ScalarBuilder& b, const Pair& x, const Pair& y) {
  const Pair sum = add_exactly(b, x.high, y.high);
  return {.high = sum.high, .low = b.add(sum.low, b.add(x.low, y.low))};
}

Pair multiply(ScalarBuilder& b, const Pair& x, const Pair& y) {
  const Pair product = multiply_exactly(b, x.high, y.high);
  const Value low = b.fma(x.high, y.low, product.low);
  return {.high = product.high, .low = b.fma(x.low, y.high, low)};
}

}  // namespace sinter::codegen
