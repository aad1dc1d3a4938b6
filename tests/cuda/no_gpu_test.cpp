// What a machine without a usable GPU says.
#include <doctest/doctest.h>

#include <cstdlib>

#include "runtime/device_impl.h"

namespace sinter::runtime {

TEST_CASE("without a driver there are no devices, and a reason") {
  setenv("SINTER_CUDA_DRIVER", "none", 1);
  std::string why;

  const auto devices = cuda_devices(&why);

  unsetenv("SINTER_CUDA_DRIVER");
  CHECK(devices.empty());
  CHECK(why == "no usable GPU: SINTER_CUDA_DRIVER is 'none'");
}

}  // namespace sinter::runtime
