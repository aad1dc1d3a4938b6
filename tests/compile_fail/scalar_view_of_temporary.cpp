// The argument for a host scalar is a view: it outlives no temporary.
// expect: deleted function
#include "sinter/sinter.h"

namespace sn = sinter;

int main() {
  const float alpha = 0.5F;
#ifdef SINTER_EXPECT_FAILURE
  return static_cast<int>(sn::scalar_view(alpha * 2).shape.size());
#else
  return static_cast<int>(sn::scalar_view(alpha).shape.size());
#endif
}
