// Gradients of operators on the CPU, with numbers worked out by hand.
#include "sinter/gradient.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "ir/text.h"
#include "tests/language/host_run.h"

namespace sn = sinter;

SINTER_OP(graded_loss, (sn::Tensor x, sn::Tensor labels)) {
  return sn::cross_entropy(x, labels, {.axis = 1});
}
SINTER_OP(graded_product, (sn::Tensor a, sn::Tensor b)) { return sn::matmul(a, b); }
SINTER_OP(graded_bits, (sn::Tensor a)) {
  return sn::bitcast(sn::bitcast(a, sn::DType::U32), sn::DType::F32);
}
SINTER_OP(graded_scale, (sn::Tensor a, sn::Scalar by)) { return a * by; }

namespace sinter::tests {

namespace {

HostArray numbers(std::vector<std::int64_t> shape, std::vector<double> values,
                  DType dtype = DType::F32) {
  return {std::move(shape), std::move(values), dtype};
}

/// The gradient of sum(body(x)) at x.
std::vector<double> slopes(const std::function<Tensor(const Tensor&)>& body, const HostArray& x) {
  const auto results = run_on_host(
      [&](const std::vector<Tensor>& in) {
        const Tensor y = body(in[0]);
        return gradients({y.rank() == 0 ? y : sum(y)}, {in[0]});
      },
      {x});
  return results[0].values;
}

std::vector<double> slopes(const std::function<Tensor(const Tensor&)>& body,
                           const std::vector<double>& x) {
  return slopes(body, numbers({static_cast<std::int64_t>(x.size())}, x));
}

}  // namespace

TEST_CASE("the gradient of logcumsumexp does not overflow, whatever the size of the elements") {
  const auto running = [](const Tensor& x) { return logcumsumexp(x, 0); };
  const double e = std::exp(-1.0);

  // Element j gets the sum over i >= j of e^x[j] / (e^x[0] + ... + e^x[i]).
  const HostArray given = numbers({2}, slopes(running, {1000, 1001}));
  CHECK(difference(given, {2}, {1 + e / (e + 1), 1 / (e + 1)}) == "");
  // One far above the others takes all from there on; far below them it counts for itself alone.
  CHECK(slopes(running, {-2e38, 3e38, -3e38}) == std::vector<double>{1, 2, 0});
  CHECK(slopes(running, {3e38, -3e38, 1}) == std::vector<double>{3, 0, 0});
}

TEST_CASE("the gradient of logcumsumexp by elements that are -inf is 0; inf takes all") {
  const auto running = [](const Tensor& x) { return logcumsumexp(x, 0); };
  const auto exclusive = [](const Tensor& x) { return logcumsumexp(x, 0, true); };
  const double inf = std::numeric_limits<double>::infinity();

  CHECK(slopes(running, {-inf, -inf, -inf}) == std::vector<double>{0, 0, 0});
  CHECK(slopes(running, {-inf, 0, -inf}) == std::vector<double>{0, 2, 0});
  CHECK(slopes(exclusive, {-inf, 0, -inf}) == std::vector<double>{0, 1, 0});
  CHECK(slopes(running, {0, inf, 0}) == std::vector<double>{1, 2, 0});
  CHECK(slopes(running, {inf, inf}) == std::vector<double>{1.5, 0.5});
  const std::vector<double> mixed = slopes(running, {0, std::nan(""), 0});
  CHECK(std::isnan(mixed[1]));
}

TEST_CASE("the gradient of a cross entropy is softmax less the label, by the number of rows") {
  const HostArray x = make_array({3, 4});
  const HostArray labels = numbers({3}, {2, 0, 3}, DType::I64);
  std::vector<double> expected;
  for (std::size_t r = 0; r < 3; ++r) {
    double total = 0;
    for (std::size_t c = 0; c < 4; ++c) total += std::exp(x.values[r * 4 + c]);
    for (std::size_t c = 0; c < 4; ++c) {
      const double is_label = labels.values[r] == static_cast<double>(c) ? 1 : 0;
      expected.push_back((std::exp(x.values[r * 4 + c]) / total - is_label) / 3);
    }
  }

  const auto results = run_on_host(
      [](const std::vector<Tensor>& in) {
        return gradients({cross_entropy(in[0], in[1], {.axis = 1})}, {in[0]});
      },
      {x, labels});

  CHECK(difference(results[0], {3, 4}, expected) == "");
}

TEST_CASE("the gradient operator of a product takes its cotangent, for named sizes") {
  const Operator op = gradient(graded_product);

  const ir::Graph graph = op.trace({f32("m", "k"), f32("k", 2)});

  CHECK(op.name == "graded_product_gradient");
  CHECK(
      ir::to_string(graph, {false})
          .starts_with(
              "graph graded_product_gradient(%a: f32[m, k], %b: f32[k, 2], %grad_0: f32[m, 2]) {"));
  CHECK(graph == op.trace({f32("m", "k"), f32("k", 2), f32("m", 2)}));
  CHECK_THROWS_WITH_AS(op.trace({f32("m", "k"), f32("k", 2), f32("m", 3)}),
                       doctest::Contains("parameter grad_0 of graded_product_gradient is "
                                         "f32[m, 2]; f32[m, 3] was given"),
                       UserError);
  CHECK_THROWS_WITH_AS(op.trace({f32("m", "k")}),
                       doctest::Contains("2 parameters (a, b); given 1 type"), UserError);
}

TEST_CASE("it is compiled and run like others") {
  const Executable executable =
      compile(gradient(graded_product), Device::cpu(), {f32("m", "k"), f32("k", "n")});
  std::vector<float> a{1, 2, 3, 4, 5, 6};
  std::vector<float> b{1, -1, 2, 0, 0.5, 3};
  std::vector<float> g{1, 2, -1, 4};
  std::vector<float> to_a(6);
  std::vector<float> to_b(6);
  const auto view = [](std::vector<float>& values, std::vector<std::int64_t> shape) {
    TensorView result;
    result.data = values.data();
    result.shape = std::move(shape);
    return result;
  };

  executable.run(executable.device().make_stream(),
                 std::vector{view(a, {2, 3}), view(b, {3, 2}), view(g, {2, 2})},
                 std::vector{view(to_a, {2, 3}), view(to_b, {3, 2})});

  CHECK(to_a == std::vector<float>{-1, 2, 6.5, -5, -2, 11.5});
  CHECK(to_b == std::vector<float>{-3, 18, -3, 24, -3, 30});
  CHECK(executable.explain().find("graded_product_gradient") != std::string::npos);
}

TEST_CASE("a registered gradient is found by its name, and differentiated again") {
  register_operator(gradient(graded_loss, {"x"}));

  const Operator& first = find_operator("graded_loss_gradient");
  const ir::Graph graph = gradient(first, {"x"}).trace({f32(3, 4), i64(3)});

  CHECK(graph.name() == "graded_loss_gradient_gradient");
  CHECK(graph.parameters().size() == 3);  // x, labels and the cotangent of the first gradient
}

TEST_CASE("with results, those of the operator come first") {
  const Operator op = gradient(graded_loss, {.wrt = {"x"}, .with_results = true});

  const ir::Graph graph = op.trace({f32("n", 4), i64("n")});

  CHECK(graph.outputs().size() == 2);
  CHECK(graph.type(graph.outputs()[0]).shape.empty());
  CHECK(graph.type(graph.outputs()[1]).shape.size() == 2);
}

TEST_CASE("kinks and ties") {
  using V = std::vector<double>;
  CHECK(slopes([](const Tensor& x) { return relu(x); }, V{-1, 0, 2}) == V{0, 0, 1});
  CHECK(slopes([](const Tensor& x) { return abs(x); }, V{-1, 0, 2}) == V{-1, 0, 1});
  CHECK(slopes([](const Tensor& x) { return maximum(x, 1); }, V{0, 1, 2}) == V{0, 0.5, 1});
  CHECK(slopes([](const Tensor& x) { return minimum(x, 1); }, V{0, 1, 2}) == V{1, 0.5, 0});
  CHECK(slopes([](const Tensor& x) { return max(x); }, V{3, 1, 3, 3, 3}) ==
        V{0.25, 0, 0.25, 0.25, 0.25});
  CHECK(slopes([](const Tensor& x) { return cummax(x, 0); }, V{1, 3, 2, 3, 4}) == V{1, 3, 0, 0, 1});
  CHECK(slopes([](const Tensor& x) { return prod(x); }, V{2, 0, 3}) == V{0, 6, 0});
  CHECK(slopes([](const Tensor& x) { return prod(x); }, V{0, 0, 3}) == V{0, 0, 0});
  CHECK(slopes([](const Tensor& x) { return cumprod(x, 0); }, V{2, 0, 3, 4}) == V{1, 32, 0, 0});
  CHECK(slopes([](const Tensor& x) { return norm(x); }, V{0, 0}) == V{0, 0});
  CHECK(slopes([](const Tensor& x) { return stddev(x); }, V{2, 2}) == V{0, 0});
  CHECK(slopes([](const Tensor& x) { return sign(x); }, V{-1, 0, 2}) == V{0, 0, 0});
  CHECK(slopes([](const Tensor& x) { return floor(x); }, V{0.5, 1}) == V{0, 0});
  CHECK(slopes([](const Tensor& x) { return copysign(x, -2.0); }, V{-3, 3}) == V{1, -1});
}

TEST_CASE("where only a formula has a kink, the gradient has none") {
  using V = std::vector<double>;
  CHECK(slopes([](const Tensor& x) { return sigmoid(x); }, V{0})[0] == 0.25);
  CHECK(slopes([](const Tensor& x) { return silu(x); }, V{0})[0] == 0.5);
  CHECK(slopes([](const Tensor& x) { return softsign(x); }, V{0})[0] == 1);
  CHECK(slopes([](const Tensor& x) { return gelu_tanh(x); }, V{0})[0] == 0.5);
  CHECK(slopes([](const Tensor& x) { return bce_with_logits(x, x * 0 + 0.25); }, V{0})[0] ==
        doctest::Approx(0.25));
}

TEST_CASE("rows that a mask leaves nothing of hand back zeros") {
  const HostArray x = make_array({2, 3});
  const HostArray mask = numbers({2, 3}, {1, 0, 1, 0, 0, 0}, DType::Bool);

  const auto results = run_on_host(
      [](const std::vector<Tensor>& in) {
        const Tensor y = masked_softmax(in[0], in[1], 1);
        return gradients({sum(y * y)}, {in[0]});
      },
      {x, mask});

  CHECK(std::isfinite(results[0].values[0]));
  for (std::size_t i = 3; i < 6; ++i) CHECK(results[0].values[i] == 0);
}

TEST_CASE("attention with hidden rows has finite gradients") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& in) {
        const Tensor result = attention(in[0], in[1], in[2], {.causal = true});
        return gradients({sum(result)}, {in[0], in[1], in[2]});
      },
      {make_array({1, 5, 2}), make_array({1, 3, 2}, 1), make_array({1, 3, 2}, 2)});

  for (const HostArray& result : results) {
    for (const double value : result.values) CHECK(std::isfinite(value));
  }
}

TEST_CASE("an embedding's gradient adds the rows that were read") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& in) {
        return gradients({take(in[0], in[1], 0)}, {in[0]}, {in[2]});
      },
      {make_array({4, 2}), numbers({3}, {2, 0, 2}, DType::I64),
       numbers({3, 2}, {1, 2, 3, 4, 5, 6})});

  CHECK(results[0].values == std::vector<double>{3, 4, 0, 0, 6, 8, 0, 0});
}

TEST_CASE("no gradient goes through stop_gradient, floats or not") {
  using V = std::vector<double>;
  CHECK(slopes([](const Tensor& x) { return x * stop_gradient(x); }, V{3}) == V{3});
  // Rounds forward, and hands gradients through.
  CHECK(slopes([](const Tensor& x) { return x + stop_gradient(round(x) - x); }, V{0.3}) == V{1});
}

TEST_CASE("gradients of narrow floats add up in f32") {
  const HostArray x = numbers({1}, {1}, DType::BF16);

  const auto given = slopes([](const Tensor& one) { return broadcast_to(one, {1000}) * 1.0; }, x);

  CHECK(given[0] == 1000);  // bf16 sums of ones stop at 256
}

TEST_CASE("averages over windows, for sizes known at the call") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& in) {
        return gradients({sum(avg_pool(in[0], {2}, {.stride = {1}}))}, {in[0]});
      },
      {numbers({4}, {1, 2, 3, 4})}, true);

  CHECK(results[0].values == std::vector<double>{0.5, 1, 1, 0.5});
}

TEST_CASE("mistakes name the user's line") {
  const auto message = [](const Operator& op, const std::vector<TensorSpec>& specs) {
    try {
      op.trace(specs);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string bits = message(gradient(graded_bits), {f32(4)});
  CHECK(bits.find("gradient_test.cpp:" + std::to_string(graded_bits.location.line + 1) +
                  ": a gradient goes through bitcast, which has no derivative") !=
        std::string::npos);
  CHECK(message(gradient(graded_scale, {"by"}), {f32(4), scalar(DType::F32)})
            .find("parameter by of graded_scale is a host scalar") != std::string::npos);
  CHECK_NOTHROW(gradient(graded_scale).trace({f32(4), scalar(DType::F32)}));
  const auto refused = [](const Body& body) {
    try {
      run_on_host(body, {numbers({2}, {1, 2}), numbers({2}, {0, 1}, DType::I64)});
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(refused([](const std::vector<Tensor>& in) {
          return gradients({in[0]}, {in[0]});
        }).find("result 0 is f32[2]: without a cotangent of that type it must have rank 0") !=
        std::string::npos);
  CHECK(refused([](const std::vector<Tensor>& in) {
          return gradients({sum(in[0])}, {in[1]});
        }).find("a gradient by a tensor of type i64[2]; only floating tensors have gradients") !=
        std::string::npos);
  CHECK(refused([](const std::vector<Tensor>& in) {
          return gradients({in[0]}, {in[0]}, {sum(in[0])});
        }).find("cotangent 0 is f32; f32[2] is needed, the type of the result") !=
        std::string::npos);
  CHECK(refused([](const std::vector<Tensor>& in) {
          return gradients({in[0]}, {in[0]}, {in[0], in[0]});
        }).find("2 cotangents of 1 result; as many or none are needed") != std::string::npos);
  CHECK(refused([](const std::vector<Tensor>& in) {
          return gradients({}, {in[0]});
        }).find("gradients of 0 results by 1 tensor; one of each is needed") != std::string::npos);
}

}  // namespace sinter::tests
