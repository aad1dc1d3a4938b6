// What inference cannot decide is checked at each call, before a kernel could read what is not there.
#include "runtime/size_checks.h"

#include <doctest/doctest.h>

#include "sinter/sinter.h"

namespace sinter::runtime {

namespace {

std::string message(const std::string& text, const std::map<std::string, std::int64_t>& sizes) {
  const ir::Graph graph = ir::parse_graph(text);
  try {
    SizeChecks(graph).check(graph, sizes);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

const char* const kFour = R"(graph g(%x: f32[n]) {
  %0: f32[4] = slice(%x) {shape: [4], begin: [2], step: [1]}  // model.cpp:7
  %1: f32 = sum(%0) {axes: [0]}
  return %1
})";

const char* const kReversed = R"(graph g(%x: f32[n]) {
  %0: f32[n] = slice(%x) {shape: [n], begin: [n - 1], step: [-1]}
  return %0
})";

}  // namespace

TEST_CASE("a slice that leaves its operand is refused at the user's line") {
  CHECK(message(kFour, {{"n", 6}}) == "no error");
  CHECK(
      message(kFour, {{"n", 5}}) ==
      "model.cpp:7: slice of dimension 0 takes 4 elements from 2 in steps of 1; they leave [0, 5)");
  CHECK(message(kFour, {{"n", 0}}).find("leave [0, 0)") != std::string::npos);
}

TEST_CASE("reversed and empty slices are fine") {
  for (const std::int64_t n : {0, 1, 5}) CHECK(message(kReversed, {{"n", n}}) == "no error");
}

TEST_CASE("a step that would overflow is refused") {
  CHECK(message(R"(graph g(%x: f32[n]) {
  %0: f32[n] = slice(%x) {shape: [n], begin: [0], step: [4611686018427387904]}
  return %0
})",
                {{"n", 4}})
            .find("in steps of 4611686018427387904; they leave [0, 4)") != std::string::npos);
}

TEST_CASE("a negative dimension is refused, also of a value that is never stored") {
  CHECK(message(R"(graph g(%x: f32[n]) {
  %0: f32[n - 4] = slice(%x) {shape: [n - 4], begin: [0], step: [1]}  // model.cpp:9
  %1: f32 = sum(%0) {axes: [0]}
  return %1
})",
                {{"n", 3}}) == "model.cpp:9: dimension n - 4 of slice is -1; a size is at least 0");
}

TEST_CASE("an operator refuses such a call and stays usable") {
  const Device device = Device::cpu();
  const Executable op = compile_text(kFour, device);
  std::vector<float> data(6, 1.0F);
  float sum = 0;
  const auto run = [&](std::int64_t n) {
    TensorView x;
    x.data = data.data();
    x.shape = {n};
    TensorView y;
    y.data = &sum;
    const TensorView inputs[] = {x};
    const TensorView outputs[] = {y};
    op.run(device.make_stream(), inputs, outputs);
  };

  CHECK_THROWS_AS(run(5), UserError);
  run(6);
  CHECK(sum == 4.0F);
}

}  // namespace sinter::runtime
