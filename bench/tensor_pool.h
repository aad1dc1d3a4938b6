// Device memory that the cases of a suite use one after the other.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "sinter/check.h"
#include "sinter/device.h"

namespace sinter::bench {

/// Buffers grow and are kept: who took smaller ones before keeps those as long as it holds them.
class TensorPool {
 public:
  using Bytes = std::shared_ptr<const std::vector<std::byte>>;
  using Sets = std::vector<std::shared_ptr<const Buffer>>;

  explicit TensorPool(const Device& device) : device_(device) {}

  struct Input {
    Bytes host;  // what every set begins with
    Sets sets;
  };
  /// `sets` buffers of at least `size_bytes`, all filled with the same random numbers, which depend on `family`,
  /// `dtype` and `ordinal` alone.
  Input input(InputFamily family, DType dtype, std::size_t ordinal, std::size_t size_bytes,
              std::size_t sets);
  /// `sets` buffers of at least `size_bytes`; what they hold is not known.
  Sets output(std::size_t ordinal, std::size_t size_bytes, std::size_t sets);
  /// At least `size_bytes` on the host, valid until it is asked for again with the same ordinal.
  std::byte* staging(std::size_t ordinal, std::size_t size_bytes);

 private:
  Device device_;
  std::map<std::tuple<InputFamily, DType, std::size_t>, Input> inputs_;
  std::map<std::size_t, Sets> outputs_;
  std::map<std::size_t, std::vector<std::byte>> staging_;
};

}  // namespace sinter::bench
