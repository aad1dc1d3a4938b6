// Device tensors from host vectors, for the examples.
#pragma once

#include <cstdint>
#include <vector>

#include "sinter/sinter.h"

namespace example {

/// A dense f32 tensor on `device`, owned, with its view.
struct DeviceTensor {
  sinter::Buffer buffer;
  sinter::TensorView view;

  DeviceTensor(const sinter::Device& device, std::vector<std::int64_t> shape,
               const std::vector<float>& values)
      : buffer(device.allocate(values.size() * sizeof(float))),
        view(buffer.view(sinter::DType::F32, std::move(shape))) {
    buffer.copy_in(values.data(), values.size() * sizeof(float));
  }

  std::vector<float> values() const {
    std::vector<float> host(buffer.size_bytes() / sizeof(float));
    buffer.copy_out(host.data(), buffer.size_bytes());
    return host;
  }
};

/// 0, 1/64, 2/64, ..., repeating from -1 to 1: exact in f32, never zero throughout.
inline std::vector<float> ramp(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(static_cast<int>((i * 37) % 129) - 64) / 64.0F;
  }
  return values;
}

}  // namespace example
