// Dimensions that only a call can show to be equal, and slices that only a call can show to fit.
#include <doctest/doctest.h>

#include <numeric>

#include "sinter/sinter.h"

namespace sn = sinter;

SINTER_OP(checked_sum, (sn::Tensor x, sn::Tensor y)) { return x + y; }
SINTER_OP(checked_product, (sn::Tensor a, sn::Tensor b)) { return sn::matmul(a, b); }
SINTER_OP(checked_slice, (sn::Tensor x)) { return sn::slice(x, 0, 0, 4) * 2; }
SINTER_OP(checked_tail, (sn::Tensor x)) { return sn::slice(x, 0, sn::Dim("n") - 3, 3, 1); }
SINTER_OP(checked_rest, (sn::Tensor x)) { return sn::sum(sn::slice(x, 0, 3, sn::Dim("n") - 3)); }
SINTER_OP(checked_reshape, (sn::Tensor x, sn::Tensor y)) {
  return sn::reshape(x, {sn::Dim("c")}) + y;
}
SINTER_OP(checked_stretch, (sn::Tensor x)) {
  return sn::broadcast_to(sn::broadcast_to(x, {1}), {3});
}

namespace {

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

/// The first output for inputs 1, 2, 3, ... of these shapes.
std::vector<float> run(const sn::Executable& op,
                       const std::vector<std::vector<std::int64_t>>& shapes) {
  std::vector<std::vector<float>> memory;
  std::vector<sn::TensorView> inputs;
  const auto add = [&memory](sn::TensorView view) {
    const auto count = std::accumulate(
        view.shape.begin(), view.shape.end(), std::size_t{1},
        [](std::size_t n, std::int64_t extent) { return n * static_cast<std::size_t>(extent); });
    view.data = memory.emplace_back(counted(count)).data();
    return view;
  };
  for (const auto& shape : shapes) {
    sn::TensorView view;
    view.shape = shape;
    inputs.push_back(add(view));
  }
  const std::vector<sn::TensorView> outputs = {add(op.output_views(inputs).at(0))};
  op.run(op.device().make_stream(), inputs, outputs);
  return memory.back();
}

std::string message_of(const sn::Operator& op, const sn::Executable& compiled,
                       const std::vector<std::vector<std::int64_t>>& shapes) {
  try {
    run(compiled, shapes);
  } catch (const sn::UserError& error) {
    const std::string place = op.location.file + ":" + std::to_string(op.location.line) + ": ";
    const std::string text = error.what();
    return text.starts_with(place) ? text.substr(place.size()) : text;
  }
  return "no error";
}

using Floats = std::vector<float>;

}  // namespace

TEST_CASE("named dimensions are equal in a call, or the call is refused") {
  const auto op = sn::compile(checked_sum, sn::Device::cpu(), {sn::f32("n"), sn::f32("m")});

  CHECK(run(op, {{3}, {3}}) == Floats{2, 4, 6});
  CHECK(run(op, {{0}, {0}}).empty());
  CHECK(message_of(checked_sum, op, {{3}, {4}}) ==
        "checked_sum: add needs m = n; given m = 4, n = 3");
  CHECK(message_of(checked_sum, op, {{1}, {5}}) ==
        "checked_sum: add needs m = n; given m = 5, n = 1");
  CHECK(op.explain().find("each call needs m = n\n") != std::string::npos);
}

TEST_CASE("a named dimension equals a number, and only the number 1 stretches") {
  const auto four = sn::compile(checked_sum, sn::Device::cpu(), {sn::f32("n"), sn::f32(4)});
  const auto one = sn::compile(checked_sum, sn::Device::cpu(), {sn::f32("n"), sn::f32(1)});

  CHECK(run(four, {{4}, {4}}) == Floats{2, 4, 6, 8});
  CHECK(message_of(checked_sum, four, {{1}, {4}}) == "checked_sum: add needs n = 4; given n = 1");
  CHECK(run(one, {{3}, {1}}) == Floats{2, 3, 4});
  CHECK(run(one, {{0}, {1}}).empty());
}

TEST_CASE("products contract dimensions of different names") {
  const auto op =
      sn::compile(checked_product, sn::Device::cpu(), {sn::f32("m", "k"), sn::f32("2*n", 2)});

  CHECK(run(op, {{1, 4}, {4, 2}}) == Floats{50, 60});
  CHECK(run(op, {{2, 2}, {2, 2}}) == Floats{7, 10, 15, 22});
  CHECK(run(op, {{1, 0}, {0, 2}}) == Floats{0, 0});
  CHECK(message_of(checked_product, op, {{1, 3}, {4, 2}}) ==
        "checked_product: matmul needs 2*n = k; given 2*n = 4, k = 3");
}

TEST_CASE("slices stay inside of what a call gives") {
  const auto head = sn::compile(checked_slice, sn::Device::cpu(), {sn::f32("n")});
  const auto tail = sn::compile(checked_tail, sn::Device::cpu(), {sn::f32("n")});
  const auto rest = sn::compile(checked_rest, sn::Device::cpu(), {sn::f32("n")});

  CHECK(run(head, {{6}}) == Floats{2, 4, 6, 8});
  CHECK(message_of(checked_slice, head, {{3}}) == "checked_slice: slice needs 4 <= n; given n = 3");
  CHECK(run(tail, {{5}}) == Floats{3, 4, 5});
  CHECK(message_of(checked_tail, tail, {{2}}) == "checked_tail: slice needs 3 <= n; given n = 2");
  CHECK(run(rest, {{5}}) == Floats{9});
  CHECK(run(rest, {{3}}) == Floats{0});
  CHECK(message_of(checked_rest, rest, {{2}}) == "checked_rest: slice needs 3 <= n; given n = 2");
}

TEST_CASE("reshapes keep the number of elements in every call") {
  const auto op = sn::compile(checked_reshape, sn::Device::cpu(), {sn::f32("b", 2), sn::f32("c")});

  CHECK(run(op, {{2, 2}, {4}}) == Floats{2, 4, 6, 8});
  const std::string message = message_of(checked_reshape, op, {{2, 2}, {5}});
  CHECK(message.ends_with("checked_reshape: reshape needs 2*b = c; given 2*b = 4, c = 5"));
}

TEST_CASE("a dimension that has to be 1 stretches only as the number that it became") {
  const auto op = sn::compile(checked_stretch, sn::Device::cpu(), {sn::f32("n")});

  CHECK(run(op, {{1}}) == Floats{1, 1, 1});
  CHECK(message_of(checked_stretch, op, {{3}}).ends_with("needs n = 1; given n = 3"));
}
