// Runs an operator's body on the CPU with numbers in and numbers out.
#pragma once

#include <functional>
#include <vector>

#include "sinter/sinter.h"

namespace sinter::tests {

/// A dense tensor in row-major order; values are rounded to the dtype.
struct HostArray {
  std::vector<std::int64_t> shape;
  std::vector<double> values;
  DType dtype = DType::F32;
};

using Body = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

/// The results of `body` on these inputs, compiled for the CPU. With `named_sizes` every dimension is
/// a name ("d<input>_<dimension>") that the call binds.
std::vector<HostArray> run_on_host(const Body& body, const std::vector<HostArray>& inputs,
                                   bool named_sizes = false);

/// 0.1, 0.2, ... in a scrambled order, both signs: no two neighbours alike.
HostArray make_array(const std::vector<std::int64_t>& shape, int salt = 0,
                     DType dtype = DType::F32);

/// Shape and values, to `tolerance` relative to 1 + |expected|; NaN equals NaN. Empty where they
/// agree, else what differs.
std::string difference(const HostArray& given, const std::vector<std::int64_t>& shape,
                       const std::vector<double>& values, double tolerance = 1e-5);

}  // namespace sinter::tests
