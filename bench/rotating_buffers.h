// The tensors of a graph, several times over: the cache does not hold what the next launch reads.
#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"
#include "sinter/device.h"
#include "sinter/tensor_view.h"

namespace sinter::bench {

/// Inputs hold random numbers in [-1, 1), the same in each set. In all more than twice the L2 cache of any GPU
/// that we know, unless the tensors are tiny.
class RotatingBuffers {
 public:
  /// `graph` has sizes that are numbers.
  RotatingBuffers(const Device& device, const ir::Graph& graph);

  std::int64_t sets() const { return static_cast<std::int64_t>(inputs_.size()); }
  const std::vector<TensorView>& inputs(std::int64_t turn) const { return inputs_[set_of(turn)]; }
  const std::vector<TensorView>& outputs(std::int64_t turn) const { return outputs_[set_of(turn)]; }
  /// An input by the graph's name, an output as "out0".
  void* at(std::int64_t turn, const std::string& name) const;
  /// What each input holds, on the host.
  const std::vector<std::vector<std::byte>>& input_bytes() const { return input_bytes_; }
  double bytes_of_set() const { return bytes_of_set_; }

 private:
  std::size_t set_of(std::int64_t turn) const {
    return static_cast<std::size_t>(turn) % inputs_.size();
  }
  std::vector<std::string> input_names_;
  std::vector<Buffer> buffers_;
  std::vector<std::vector<TensorView>> inputs_, outputs_;  // by set
  std::vector<std::vector<std::byte>> input_bytes_;
  double bytes_of_set_ = 0;
};

}  // namespace sinter::bench
