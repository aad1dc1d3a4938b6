// The parameters of an operator are Tensors.
#include "sinter/sinter.h"

namespace sn = sinter;

#ifdef SINTER_EXPECT_FAILURE
SINTER_OP(scaled, (sn::Tensor x, float factor)) { return x; }
#else
SINTER_OP(scaled, (sn::Tensor x, sn::Tensor factor)) { return x * factor; }
#endif

int main() {}
