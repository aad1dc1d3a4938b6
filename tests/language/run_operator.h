// Runs an operator on the CPU with values in vectors, so that a test reads: these in, those out.
#pragma once

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "sinter/sinter.h"

namespace sinter::tests {

/// Row-major values with their extents.
template <typename T>
struct Array {
  std::vector<std::int64_t> shape;
  std::vector<T> values;
};

template <typename T>
TensorView view_of(const Array<T>& array) {
  TensorView view;
  view.data = const_cast<T*>(array.values.data());
  view.dtype = dtype_of<T>();
  view.shape = array.shape;
  return view;
}

inline std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Output `index` of the operator for these inputs; the parameter types are `specs`.
template <typename T, typename... Inputs>
Array<T> run_operator(const Operator& op, const std::vector<TensorSpec>& specs, std::size_t index,
                      const Inputs&... inputs) {
  Executable executable = compile(op, Device::cpu(), specs);
  const std::vector<TensorView> views{view_of(inputs)...};
  std::vector<TensorView> outputs = executable.output_views(views);
  std::vector<std::vector<std::byte>> storage;
  for (TensorView& output : outputs) {
    storage.emplace_back(static_cast<std::size_t>(count_of(output.shape)) * 8 + 8);
    output.data = storage.back().data();
  }
  executable.run(executable.device().make_stream(), views, outputs);
  const T* first = reinterpret_cast<const T*>(storage.at(index).data());
  return {outputs[index].shape, {first, first + count_of(outputs[index].shape)}};
}

}  // namespace sinter::tests
