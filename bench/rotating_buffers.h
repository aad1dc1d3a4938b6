// The tensors of a graph, several times over: the cache does not hold what the next launch reads.
#pragma once

#include <string>
#include <vector>

#include "bench/layout.h"
#include "bench/tensor_pool.h"
#include "ir/graph.h"
#include "reference/host_tensor.h"
#include "sinter/device.h"
#include "sinter/tensor_view.h"

namespace sinter::bench {

/// Inputs hold random numbers of a family, the same in each set. In all more than twice the L2 cache of any GPU
/// that we know, unless the tensors are tiny.
class RotatingBuffers {
 public:
  /// `graph` has sizes that are numbers. The memory is the pool's; inputs have the layout, outputs are dense.
  RotatingBuffers(const Device& device, const ir::Graph& graph, TensorPool& pool,
                  InputFamily family, Layout layout);

  std::int64_t sets() const { return static_cast<std::int64_t>(inputs_.size()); }
  const std::vector<TensorView>& inputs(std::int64_t turn) const { return inputs_[set_of(turn)]; }
  const std::vector<TensorView>& outputs(std::int64_t turn) const { return outputs_[set_of(turn)]; }
  /// Where an input by the graph's name, an output as "out0", has its element with index 0 everywhere.
  void* at(std::int64_t turn, const std::string& name) const;
  /// What each input holds, on the host.
  const std::vector<reference::HostTensor>& host_inputs() const { return host_inputs_; }
  /// Of the tensors as if they were dense.
  double bytes_of_set() const { return bytes_of_set_; }

 private:
  void bind_input(TensorView view, const Placement& placement, const TensorPool::Input& memory);
  void bind_output(TensorPool& pool, TensorView view, std::size_t sets);
  std::size_t set_of(std::int64_t turn) const {
    return static_cast<std::size_t>(turn) % inputs_.size();
  }

  std::vector<std::string> input_names_;
  std::vector<TensorPool::Sets> buffers_;  // held while views of them exist
  std::vector<TensorPool::Bytes> host_bytes_;
  std::vector<reference::HostTensor> host_inputs_;
  std::vector<std::vector<TensorView>> inputs_, outputs_;  // by set
  double bytes_of_set_ = 0;
};

}  // namespace sinter::bench
