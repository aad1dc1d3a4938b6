// What one call costs the host, beyond the work: tiny operators of one kernel and of several.
#include "bench/suite.h"

namespace sinter::bench {

std::vector<Case> launch_suite() {
  std::vector<Case> cases;
  const auto add = [&](const char* name, const char* graph, bool fuse = true) {
    cases.push_back(
        {.suite = "launch", .name = name, .method = Method::Launch, .graph = graph, .fuse = fuse});
  };
  add("launch_numbers",
      "graph add(%x: f32[2, 8], %y: f32[2, 8]) {\n  %0: f32[2, 8] = add(%x, %y)\n  return %0\n}\n");
  add("launch_names",
      "graph add(%x: f32[m, n], %y: f32[m, n]) {\n  %0: f32[m, n] = add(%x, %y)\n  return %0\n}\n");
  add("launch_condition",
      "graph add(%x: f32[m, n], %y: f32[k, n]) {\n"
      "  %0: f32[m, n] = broadcast(%y) {shape: [m, n]}\n"
      "  %1: f32[m, n] = add(%x, %0)\n  return %1\n}\n");
  add("launch_three_kernels",
      "graph chain(%x: f32[m, n], %y: f32[m, n]) {\n  %0: f32[m, n] = add(%x, %y)\n"
      "  %1: f32[m, n] = mul(%0, %y)\n  %2: f32[m, n] = sub(%1, %x)\n  return %2\n}\n",
      false);
  return cases;
}

}  // namespace sinter::bench
