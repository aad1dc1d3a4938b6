// The rules of docs/differences.md, one test each, under its id.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support/special_values.h"
#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

using support::kInfinity;
using support::kNan;

using Values = std::vector<double>;

HostArray array(Values values, DType dtype = DType::F32) {
  const auto count = static_cast<std::int64_t>(values.size());
  return {{count}, std::move(values), dtype};
}

/// The only result of `body`.
HostArray result_of(const std::function<Tensor(const std::vector<Tensor>&)>& body,
                    const std::vector<HostArray>& inputs) {
  return run_on_host([&](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {body(t)}; },
                     inputs)[0];
}

/// The message of the UserError, without its place; "no error" where there is none.
std::string refusal_of(const std::function<Tensor(const std::vector<Tensor>&)>& body,
                       const std::vector<HostArray>& inputs, bool named_sizes = false) {
  try {
    run_on_host([&](const std::vector<Tensor>& t) -> std::vector<Tensor> { return {body(t)}; },
                inputs, named_sizes);
  } catch (const UserError& error) {
    const std::string text = error.what();
    const std::size_t at = text.find(": ");
    return at == std::string::npos ? text : text.substr(at + 2);
  }
  return "no error";
}

}  // namespace

TEST_CASE("differs D01: tensors of two dtypes are not promoted") {
  CHECK(refusal_of([](const auto& t) { return t[0] + t[1]; }, {array({1}), array({1}, DType::F64)})
            .starts_with("add needs operands of one dtype"));
}

TEST_CASE("differs D02: a literal takes the tensor's dtype or is refused") {
  const HostArray x = array({1}, DType::I32);

  CHECK(result_of([](const auto& t) { return t[0] + 2; }, {x}).dtype == DType::I32);
  CHECK(refusal_of([](const auto& t) { return t[0] + 0.5; }, {x}).find("0.5") != std::string::npos);
}

TEST_CASE("differs D03: a literal is rounded to the narrow dtype of the tensor") {
  const HostArray result = result_of([](const auto& t) { return sn::cast(t[0] * 0.1, DType::F32); },
                                     {array({1, 3}, DType::BF16)});

  // 0.1 in bf16 is 205 / 2048; f32 would give 0.1 and 0.3.
  CHECK(result.values == Values{205.0 / 2048, 615.0 / 2048});
}

TEST_CASE("differs D04: integers have no operator /") {
  const HostArray x = array({7}, DType::I32);

  CHECK(refusal_of([](const auto& t) { return t[0] / t[1]; }, {x, x}).find("floor_div") !=
        std::string::npos);
}

TEST_CASE("differs D05: sums of small unsigned integers are u64, of signed ones and bool i64") {
  const auto sum = [](const auto& t) { return sn::sum(t[0]); };

  const HostArray bytes = result_of(sum, {array({200, 100}, DType::U8)});
  const HostArray bools = result_of(sum, {array({1, 1}, DType::Bool)});

  CHECK(bytes.dtype == DType::U64);
  CHECK(bytes.values == Values{300});
  CHECK(bools.dtype == DType::I64);
  CHECK(bools.values == Values{2});
}

TEST_CASE("differs D06: products of small integers add up in i32") {
  const HostArray product = result_of([](const auto& t) { return sn::matmul(t[0], t[1]); },
                                      {{{1, 1}, {100}, DType::I8}, {{1, 1}, {2}, DType::I8}});

  CHECK(product.dtype == DType::I32);
  CHECK(product.values == Values{200});
}

TEST_CASE("differs D07: integers have no mean") {
  CHECK(refusal_of([](const auto& t) { return sn::mean(t[0]); }, {array({1, 2}, DType::I32)}) ==
        "mean needs floating point; given i32[2]");
}

TEST_CASE("differs D08: a narrow chain is rounded once, at its output") {
  // 1 + 2^-7 squared is 1 + 2^-6 + 2^-14; rounded to bf16 it would lose the last term.
  const HostArray x = array({1 + 0x1p-7}, DType::BF16);
  const HostArray minus = array({-(1 + 0x1p-6)}, DType::BF16);

  const HostArray result = result_of([](const auto& t) { return t[0] * t[0] + t[1]; }, {x, minus});

  CHECK(result.values == Values{0x1p-14});
}

TEST_CASE("differs D09: x // 0 is 0 and x % 0 is x") {
  const std::vector<HostArray> inputs{array({7, -7}, DType::I32), array({0, 0}, DType::I32)};

  CHECK(result_of([](const auto& t) { return sn::floor_div(t[0], t[1]); }, inputs).values ==
        Values{0, 0});
  CHECK(result_of([](const auto& t) { return t[0] % t[1]; }, inputs).values == Values{7, -7});
}

TEST_CASE("differs D10: // rounds down and % has the divisor's sign") {
  const HostArray x = array({-7, 7}, DType::I32);

  CHECK(result_of([](const auto& t) { return sn::floor_div(t[0], 2); }, {x}).values ==
        Values{-4, 3});
  CHECK(result_of([](const auto& t) { return t[0] % 3; }, {x}).values == Values{2, 1});
  CHECK(result_of([](const auto& t) { return t[0] % -3; }, {x}).values == Values{-1, -2});
}

TEST_CASE("differs D11: integers wrap") {
  const std::vector<HostArray> inputs{array({2147483647, -2147483648.0}, DType::I32),
                                      array({1, -1}, DType::I32)};

  CHECK(result_of([](const auto& t) { return t[0] + t[1]; }, inputs).values ==
        Values{-2147483648.0, 2147483647});
  CHECK(result_of([](const auto& t) { return sn::floor_div(t[0], t[1]); }, inputs).values ==
        Values{2147483647, -2147483648.0});
}

TEST_CASE("differs D12: a negative power of an integer is the fraction, truncated") {
  CHECK(result_of([](const auto& t) { return sn::pow(t[0], t[1]); },
                  {array({2, 1, -1, 0}, DType::I32), array({-1, -5, -3, -1}, DType::I32)})
            .values == Values{0, 1, -1, 0});
}

TEST_CASE("differs D13: shifts by the width, or by less than 0, give 0 or the sign") {
  const std::vector<HostArray> inputs{array({5, 5, -5, -5}, DType::I32),
                                      array({32, -1, 32, -1}, DType::I32)};

  CHECK(result_of([](const auto& t) { return t[0] << t[1]; }, inputs).values == Values{0, 0, 0, 0});
  CHECK(result_of([](const auto& t) { return t[0] >> t[1]; }, inputs).values ==
        Values{0, 0, -1, -1});
}

TEST_CASE("differs D14: float to integer saturates, NaN becomes 0") {
  CHECK(result_of([](const auto& t) { return sn::cast(t[0], DType::I32); },
                  {array({1e10, -1e10, kNan, kInfinity, -1.9})})
            .values == Values{2147483647, -2147483648.0, 0, 2147483647, -1});
}

TEST_CASE("differs D15: NaN wins in maximum, minimum and their reductions, on either side") {
  const std::vector<HostArray> inputs{array({1, kNan}), array({kNan, 1})};

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::maximum(t[0], t[1]), sn::minimum(t[0], t[1]), sn::max(t[0]), sn::min(t[1]),
                sn::relu(sn::slice(t[1], 0, 0, 1))};
      },
      inputs);

  for (const HostArray& result : results) {
    for (const double value : result.values) CHECK(std::isnan(value));
  }
}

TEST_CASE("differs D16: +0.0 is above -0.0") {
  const std::vector<HostArray> inputs{array({-0.0, 0.0}), array({0.0, -0.0})};

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::maximum(t[0], t[1]), sn::max(t[0], {0}, true), sn::max(t[1], {0}, true),
                sn::minimum(t[0], t[1]), sn::min(t[0], {0}, true), sn::min(t[1], {0}, true)};
      },
      inputs);

  for (std::size_t i = 0; i < results.size(); ++i) {
    for (const double value : results[i].values) CHECK(std::signbit(value) == (i >= 3));
  }
}

TEST_CASE("differs D17: ties round to even") {
  CHECK(
      result_of([](const auto& t) { return sn::round(t[0]); }, {array({0.5, 1.5, 2.5, -2.5, 2.75})})
          .values == Values{0, 2, 2, -2, 3});
}

TEST_CASE("differs D18: f8e4m3 saturates") {
  CHECK(result_of([](const auto& t) { return sn::cast(t[0], DType::F8E4M3); },
                  {array({1000, -kInfinity, 465})})
            .values == Values{448, -448, 448});
}

TEST_CASE("differs D19: f8e5m2 saturates too, infinities to the largest finite value") {
  CHECK(result_of([](const auto& t) { return sn::cast(t[0], DType::F8E5M2); },
                  {array({kInfinity, -kInfinity, 1e6})})
            .values == Values{57344, -57344, 57344});
}

TEST_CASE("differs D20: a named dimension does not broadcast, the number 1 does") {
  const auto add = [](const auto& t) { return t[0] + t[1]; };
  const std::vector<HostArray> inputs{array({10}), array({1, 2, 3, 4, 5})};

  CHECK(result_of(add, inputs).values == Values{11, 12, 13, 14, 15});
  CHECK(refusal_of(add, inputs, true).find("add needs") != std::string::npos);
}

TEST_CASE("differs D21: a slice may step backwards") {
  CHECK(result_of([](const auto& t) { return sn::slice(t[0], 0, 2, 3, -1); }, {array({1, 2, 3})})
            .values == Values{3, 2, 1});
}

TEST_CASE("differs D22: the maximum of nothing is -inf, or the lowest integer") {
  const auto largest = [](const auto& t) { return sn::max(t[0]); };

  CHECK(result_of(largest, {array({})}).values == Values{-kInfinity});
  CHECK(result_of(largest, {array({}, DType::I8)}).values == Values{-128});
}

TEST_CASE("differs D23: a variance divides by the number of elements") {
  CHECK(result_of([](const auto& t) { return sn::var(t[0]); }, {array({1, 2})}).values ==
        Values{0.25});
}

TEST_CASE("differs D24: a variance of fewer elements than its correction is NaN") {
  const HostArray result =
      result_of([](const auto& t) { return sn::var(t[0], {}, false, 3); }, {array({1, 2})});

  CHECK(std::isnan(result.values.at(0)));
}

TEST_CASE("differs D25: argmax and argmin of nothing are 0") {
  const std::vector<HostArray> inputs{{{2, 0}, {}}};

  CHECK(result_of([](const auto& t) { return sn::argmax(t[0], 1); }, inputs).values ==
        Values{0, 0});
  CHECK(result_of([](const auto& t) { return sn::argmin(t[0], 1); }, inputs).values ==
        Values{0, 0});
}

TEST_CASE("differs D26: a negative index does not count from the end") {
  CHECK(result_of([](const auto& t) { return sn::take(t[0], t[1]); },
                  {array({10, 20}), array({-1, 1}, DType::I64)})
            .values == Values{0, 20});
}

TEST_CASE("differs D27: an index beyond the end reads 0") {
  CHECK(result_of([](const auto& t) { return sn::take(t[0], t[1]); },
                  {array({10, 20}), array({2, 1000000, 0}, DType::I64)})
            .values == Values{0, 0, 10});
}

TEST_CASE("differs D28: an index outside writes nothing") {
  CHECK(result_of([](const auto& t) { return sn::scatter(t[0], t[1], t[2], 0); },
                  {array({1, 2}), array({2, -1}, DType::I64), array({8, 9})})
            .values == Values{1, 2});
}

TEST_CASE("differs D29: of several updates of a place the last stays") {
  CHECK(result_of([](const auto& t) { return sn::scatter(t[0], t[1], t[2], 0); },
                  {array({1, 2}), array({1, 1, 1}, DType::I64), array({7, 9, 8})})
            .values == Values{1, 8});
}

TEST_CASE("differs D30: NaN is first in topk and last in a falling sort") {
  const std::vector<HostArray> inputs{array({1, kNan, 3})};

  const Values top =
      result_of([](const auto& t) { return sn::topk(t[0], 2).values; }, inputs).values;
  const Values fallen =
      result_of([](const auto& t) { return sn::sort(t[0], 0, true); }, inputs).values;

  CHECK(std::isnan(top[0]));
  CHECK(top[1] == 3);
  CHECK(fallen[0] == 3);
  CHECK(std::isnan(fallen[2]));
}

TEST_CASE("differs D31: sorting is stable, falling too") {
  const std::vector<HostArray> inputs{array({2, 1, 2, 1, 2})};

  CHECK(result_of([](const auto& t) { return sn::argsort(t[0]); }, inputs).values ==
        Values{1, 3, 0, 2, 4});
  CHECK(result_of([](const auto& t) { return sn::argsort(t[0], -1, true); }, inputs).values ==
        Values{0, 2, 4, 1, 3});
}

TEST_CASE("differs D32: a label that is no class reads the log-probability 0") {
  CHECK(result_of([](const auto& t) { return sn::nll_loss(t[0], t[1], 1, -100, "none"); },
                  {{{2, 2}, {-1, -2, -3, -4}}, array({5, 1}, DType::I64)})
            .values == Values{0, 4});
}

TEST_CASE("differs D33: the mean of nothing is NaN") {
  CHECK(std::isnan(
      result_of([](const auto& t) { return sn::mean(t[0]); }, {array({})}).values.at(0)));
}

TEST_CASE("differs D34: a masked softmax of nothing is 0, a softmax of -inf alone is NaN") {
  const std::vector<HostArray> inputs{array({-kInfinity, -kInfinity}), array({0, 0}, DType::Bool)};

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::masked_softmax(t[0], t[1]), sn::softmax(t[0])};
      },
      inputs);

  CHECK(results[0].values == Values{0, 0});
  CHECK(std::isnan(results[1].values[0]));
}

TEST_CASE("differs D35: a norm of bf16 stays bf16, whatever its weight is") {
  const HostArray x = array({1, -1, 3, -3}, DType::BF16);
  const HostArray weight = array({1, 1.003, 1, 1});

  const HostArray result =
      result_of([](const auto& t) { return sn::rms_norm(t[0], t[1], 0); }, {x, weight});

  CHECK(result.dtype == DType::BF16);
  // 1 / sqrt(5) = 0.44721 rounds to 229 / 512, 1.003 times it = 0.44856 to 230 / 512. As bf16 1.003 is 1.
  CHECK(result.values[0] == 229.0 / 512);
  CHECK(result.values[1] == -230.0 / 512);
}

TEST_CASE("differs D36: a loss of bf16 and f32 is f32") {
  const HostArray result = result_of([](const auto& t) { return sn::mse_loss(t[0], t[1]); },
                                     {array({1}, DType::BF16), array({1 + 0x1p-10})});

  CHECK(result.dtype == DType::F32);
  CHECK(result.values == Values{0x1p-20});
}

}  // namespace sinter::tests
