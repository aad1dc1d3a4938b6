// 1 / sqrt(x) by two correctly rounded operators: both are short on every device, and what their two
// roundings cost stays below 1.5 ulp.
#include "codegen/expand/functions.h"

namespace sinter::codegen {

std::shared_ptr<const ir::Graph> make_rsqrt(ir::DType dtype) {
  ScalarBuilder b("rsqrt", dtype);
  const ir::Value x = b.parameter("x");
  return b.finish(b.div(b.number(1.0), b.sqrt(x)));
}

}  // namespace sinter::codegen
