// A library of operators of one's own: `sinter run task.yaml --ops lib05_operator_library.so`.
#include "sinter/sinter.h"

namespace sn = sinter;

SINTER_OP(leaky_clamp, (sn::Tensor x, sn::Tensor limit)) {
  const sn::Tensor positive = sn::select(x > 0.0, x, x * 0.125);
  return sn::minimum(positive, limit);
}
