// Attention against loops in f64.
#include <doctest/doctest.h>

#include <cmath>

#include "support/special_values.h"
#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

using support::kInfinity;

struct Setting {
  double scale = 0;  // 0: 1 / sqrt(d)
  double cap = 0;
  bool causal = false;
  std::int64_t before = -1;
  std::int64_t after = -1;
  const HostArray* mask = nullptr;  // [rows, keys], bool or added
  const HostArray* bias = nullptr;  // [rows, keys], added
  std::vector<double> slopes = {};  // a head
  std::int64_t key_length = -1;
  std::int64_t query_length = -1;
};

struct AttentionExpected {
  std::vector<double> result, lse;
};

/// q [heads, rows, d], k [groups, keys, d], v [groups, keys, e].
AttentionExpected direct(const HostArray& q, const HostArray& k, const HostArray& v,
                         const Setting& s) {
  const std::int64_t heads = q.shape[0], rows = q.shape[1], d = q.shape[2];
  const std::int64_t keys = k.shape[1], e = v.shape[2];
  AttentionExpected expected;
  const auto get = [](const HostArray& a, std::int64_t i, std::int64_t j, std::int64_t l) {
    return a.values[static_cast<std::size_t>((i * a.shape[1] + j) * a.shape[2] + l)];
  };
  for (std::int64_t h = 0; h < heads; ++h) {
    const std::int64_t g = h / (heads / k.shape[0]);
    for (std::int64_t i = 0; i < rows; ++i) {
      double total = 0;
      std::vector<double> sums(static_cast<std::size_t>(e), 0);
      for (std::int64_t j = 0; j < keys; ++j) {
        double score = 0;
        for (std::int64_t l = 0; l < d; ++l) score += get(q, h, i, l) * get(k, g, j, l);
        score *= s.scale != 0 ? s.scale : 1 / std::sqrt(static_cast<double>(d));
        if (s.cap != 0) score = s.cap * std::tanh(score / s.cap);
        const std::int64_t key_count = s.key_length < 0 ? keys : s.key_length;
        const std::int64_t row_count = s.query_length < 0 ? rows : s.query_length;
        const std::int64_t place = i + key_count - row_count;
        bool visible = !s.causal || j <= place;
        visible = visible && (s.before < 0 || j >= place - s.before);
        visible = visible && (s.after < 0 || j <= place + s.after);
        if (s.mask) {
          const double mask = s.mask->values[static_cast<std::size_t>(i * keys + j)];
          visible = visible && (s.mask->dtype == DType::Bool ? mask != 0 : mask != -kInfinity);
          if (s.mask->dtype != DType::Bool) score += mask;
        }
        visible = visible && j < key_count && i < row_count;
        if (s.bias) score += s.bias->values[static_cast<std::size_t>(i * keys + j)];
        if (!s.slopes.empty()) {
          const double slope = s.slopes[static_cast<std::size_t>(h)];
          score -= slope * std::abs(static_cast<double>(place - j));
        }
        if (!visible) continue;
        total += std::exp(score);
        for (std::int64_t l = 0; l < e; ++l) {
          sums[static_cast<std::size_t>(l)] += std::exp(score) * get(v, g, j, l);
        }
      }
      expected.lse.push_back(std::log(total));
      for (const double sum : sums) expected.result.push_back(total == 0 ? 0 : sum / total);
    }
  }
  return expected;
}

void check(const Setting& s, const AttentionOptions& options) {
  const HostArray q = make_array({4, 5, 3});
  const HostArray k = make_array({2, 6, 3}, 1);
  const HostArray v = make_array({2, 6, 2}, 2);
  std::vector<HostArray> inputs{q, k, v};
  if (s.mask) inputs.push_back(*s.mask);

  const auto results = run_on_host(
      [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        AttentionOptions all = options;
        if (s.mask) all.mask = t[3];
        const auto [result, lse] = sn::attention_with_logsumexp(t[0], t[1], t[2], all);
        return {result, lse};
      },
      inputs);

  const AttentionExpected expected = direct(q, k, v, s);
  CHECK(difference(results[0], {4, 5, 2}, expected.result) == "");
  CHECK(difference(results[1], {4, 5}, expected.lse) == "");
}

}  // namespace

TEST_CASE("attention with grouped heads, scale and cap") {
  check({}, {});
  check({.scale = 0.3}, {.scale = 0.3});
  check({.cap = 1.5}, {.cap = 1.5});
}

TEST_CASE("causal attention and sliding windows: the last row sees the last key") {
  check({.causal = true}, {.causal = true});
  check({.before = 1, .after = 2}, {.window_before = 1, .window_after = 2});
  check({.causal = true, .before = 2}, {.causal = true, .window_before = 2});
}

TEST_CASE("masks: what nothing is left of gives 0") {
  HostArray mask{{5, 6}, {}, DType::Bool};
  HostArray added{{5, 6}, {}};
  for (int i = 0; i < 30; ++i) {
    const bool seen = i >= 6 && i % 4 != 1;  // row 0 sees nothing
    mask.values.push_back(seen);
    added.values.push_back(seen ? i % 3 * 0.5 : -kInfinity);
  }
  check({.mask = &mask}, {});
  check({.mask = &added}, {});
  check({.cap = 2, .causal = true, .mask = &mask}, {.causal = true, .cap = 2});
}

TEST_CASE("a mask, a bias, slopes and lengths together") {
  HostArray mask{{5, 6}, {}, DType::Bool};
  for (int i = 0; i < 30; ++i) mask.values.push_back(i % 4 != 1);
  const HostArray bias = make_array({5, 6}, 3);
  const std::vector<double> slopes{0.5, 0.25, 0.125, 1};
  const HostArray q = make_array({4, 5, 3});
  const HostArray k = make_array({2, 6, 3}, 1);
  const HostArray v = make_array({2, 6, 2}, 2);
  const std::vector<HostArray> inputs{
      q, k, v, mask, bias, {{4}, slopes}, {{}, {4}, DType::I32}, {{}, {3}, DType::I64}};

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const auto all = sn::attention_with_logsumexp(t[0], t[1], t[2],
                                                      {.mask = t[3],
                                                       .bias = t[4],
                                                       .slopes = t[5],
                                                       .key_lengths = t[6],
                                                       .query_lengths = t[7]});
        const auto causal = sn::attention_with_logsumexp(
            t[0], t[1], t[2], {.slopes = t[5], .key_lengths = t[6], .causal = true, .cap = 2});
        return {all.first, all.second, causal.first, causal.second};
      },
      inputs);

  Setting s{.mask = &mask, .bias = &bias, .slopes = slopes, .key_length = 4, .query_length = 3};
  const AttentionExpected all = direct(q, k, v, s);
  CHECK(difference(results[0], {4, 5, 2}, all.result) == "");
  CHECK(difference(results[1], {4, 5}, all.lse) == "");
  const AttentionExpected causal =
      direct(q, k, v, {.cap = 2, .causal = true, .slopes = slopes, .key_length = 4});
  CHECK(difference(results[2], {4, 5, 2}, causal.result) == "");
  CHECK(difference(results[3], {4, 5}, causal.lse) == "");
}

TEST_CASE("each sequence of a batch has its own lengths; f16 keeps its logsumexp in f32") {
  const HostArray q{{3, 1, 1, 1}, {0, 0, 0}, DType::F16};
  const HostArray v{{3, 1, 3, 1}, {1, 2, 3, 1, 2, 3, 1, 2, 3}, DType::F16};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        const auto [result, lse] =
            sn::attention_with_logsumexp(t[0], t[1], t[1], {.key_lengths = t[2]});
        return {result, lse};
      },
      {q, v, {{3}, {2, 0, 7}, DType::I32}});

  CHECK(results[0].dtype == DType::F16);
  CHECK(difference(results[0], {3, 1, 1, 1}, {1.5, 0, 2}) == "");
  CHECK(results[1].dtype == DType::F32);
  CHECK(difference(results[1], {3, 1, 1}, {std::log(2.0), -kInfinity, std::log(3.0)}, 1e-7) == "");
}

TEST_CASE("a mask for each head, of a batch, with one head of keys") {
  const HostArray q{{1, 2, 1, 1}, {1, 1}};
  const HostArray k{{1, 1, 2, 1}, {0, 0}};
  const HostArray v{{1, 1, 2, 1}, {10, 20}};
  const HostArray mask{{2, 1, 2}, {1, 0, 1, 1}, DType::Bool};

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::attention(t[0], t[1], t[2], {.mask = t[3]})};
      },
      {q, k, v, mask});

  CHECK(difference(results[0], {1, 2, 1, 1}, {10, 15}) == "");
}

TEST_CASE("causal attention with fewer keys than rows leaves the first rows nothing") {
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::attention(t[0], t[1], t[1], {.causal = true})};
      },
      {{{1, 3, 1}, {1, 1, 1}}, {{1, 2, 1}, {4, 4}}});

  CHECK(difference(results[0], {1, 3, 1}, {0, 4, 4}) == "");
}

TEST_CASE("optional operands of attention that do not fit are refused") {
  const auto message = [](const HostArray& slopes, const HostArray& lengths) {
    try {
      run_on_host(
          [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::attention(t[0], t[0], t[0], {.slopes = t[1], .key_lengths = t[2]})};
          },
          {make_array({4, 5, 3}), slopes, lengths});
    } catch (const UserError& error) {
      const std::string text = error.what();
      return text.substr(text.find(": ") + 2);
    }
    return std::string();
  };

  CHECK(message(make_array({3}), {{}, {1}, DType::I32}) ==
        "attention: slopes must be f32[..., 4]; given f32[3]");
  CHECK(
      message(make_array({4}), {{2}, {1, 1}, DType::I32}) ==
      "attention: lengths must be integers for the dimensions before heads of f32[4, 5, 3]; given "
      "i32[2]");
}

TEST_CASE("operands of attention that do not fit are refused") {
  const auto message = [](const HostArray& k, const HostArray& v) {
    try {
      run_on_host(
          [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::attention(t[0], t[1], t[2])};
          },
          {make_array({4, 5, 3}), k, v});
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };

  CHECK(has(message(make_array({4, 6, 2}), make_array({4, 6, 2})),
            "rows of q and k must have equal extents; given f32[4, 5, 3]"));
  CHECK(has(message(make_array({3, 6, 3}), make_array({3, 6, 2})),
            "the heads of q must be a multiple of those of k and v"));
  CHECK(has(message(make_array({4, 6, 3}), make_array({4, 7, 2})), "as many rows"));
}

}  // namespace sinter::tests
