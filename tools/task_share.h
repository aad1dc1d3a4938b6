// What share of the device's measured limits an operator reaches.
#pragma once

#include <functional>

#include "runtime/profile/ceilings.h"

namespace sinter::tools {

/// Times `launch`, which enqueues on the stream, against a plain copy of as many bytes, interleaved, on the same
/// memory each time; ceilings that no earlier run measured are measured now. Without a copy where memory for
/// it is short.
runtime::Share measure_share(runtime::DeviceImpl& device,
                             const std::function<void(runtime::StreamHandle)>& launch,
                             const runtime::Work& work);

}  // namespace sinter::tools
