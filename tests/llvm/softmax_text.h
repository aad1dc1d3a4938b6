// A kernel whose reductions feed back into the rows they reduce.
#pragma once

#include <string>

namespace sinter::tests {

inline const std::string kSoftmax = R"(kernel softmax {
  axis i: m
  axis j: n
  in x: f32[m, n]
  out y: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i) = reduce(%0) {axes: [j], reducer: maximum}
  %2: f32 (i, j) = sub(%0, %1)
  %3: f32 (i, j) = exp(%2)
  %4: f32 (i) = reduce(%3) {axes: [j], reducer: add}
  %5: f32 (i, j) = div(%3, %4)
  store(%5) {param: y, map: [i, j]}
})";

}  // namespace sinter::tests
