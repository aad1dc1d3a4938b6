// Attention against loops in f64, and turned pairs.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Setting {
  double scale = 0;  // 0: 1 / sqrt(d)
  double cap = 0;
  bool causal = false;
  std::int64_t before = -1;
  std::int64_t after = -1;
  const HostArray* mask = nullptr;  // [rows, keys], bool or added
};

struct Expected {
  std::vector<double> result, lse;
};

/// q [heads, rows, d], k [groups, keys, d], v [groups, keys, e].
Expected direct(const HostArray& q, const HostArray& k, const HostArray& v, const Setting& s) {
  const std::int64_t heads = q.shape[0], rows = q.shape[1], d = q.shape[2];
  const std::int64_t keys = k.shape[1], e = v.shape[2];
  Expected expected;
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
        const std::int64_t place = i + keys - rows;
        bool visible = !s.causal || j <= place;
        visible = visible && (s.before < 0 || j >= place - s.before);
        visible = visible && (s.after < 0 || j <= place + s.after);
        if (s.mask) {
          const double mask = s.mask->values[static_cast<std::size_t>(i * keys + j)];
          visible = visible && (s.mask->dtype == DType::Bool ? mask != 0 : mask != -kInfinity);
          if (s.mask->dtype != DType::Bool) score += mask;
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

  const Expected expected = direct(q, k, v, s);
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

TEST_CASE("rope turns pairs of halves or neighbours") {
  // (1, 2) turned by a quarter is (-2, 1); (3, 4) by half is (-3, -4).
  const HostArray cosines{{2}, {0, -1}};
  const HostArray sines{{2}, {1, 0}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::rope(t[0], t[2], t[3]), sn::rope(t[1], t[2], t[3], "interleaved")};
      },
      {{{1, 4}, {1, 3, 2, 4}}, {{1, 4}, {1, 2, 3, 4}}, cosines, sines});

  CHECK(difference(results[0], {1, 4}, {-2, -3, 1, -4}) == "");
  CHECK(difference(results[1], {1, 4}, {-2, 1, -3, -4}) == "");
}

}  // namespace sinter::tests
