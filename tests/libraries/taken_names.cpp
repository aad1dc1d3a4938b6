// An operator library whose one name is a built-in's.
#include "sinter/sinter.h"

SINTER_OP(softmax, (sinter::Tensor x)) { return sinter::exp(x); }
