// The parameters of an operator are Tensors and Scalars.
// expect: the parameters of a SINTER_OP are sinter::Tensor or sinter::Scalar
#include "sinter/sinter.h"

namespace sn = sinter;

#ifdef SINTER_EXPECT_FAILURE
SINTER_OP(scaled, (sn::Tensor x, float factor)) { return x; }
#else
SINTER_OP(scaled, (sn::Tensor x, sn::Scalar factor)) { return x * factor; }
#endif

int main() {}
