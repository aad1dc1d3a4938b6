// einsum, linear, outer and tensordot against sums that are written out.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/language/host_run.h"

namespace sn = sinter;

namespace sinter::tests {

namespace {

/// All labels of the operands as loops: result[...] += product of the operands. Labels and extents as
/// numpy.einsum reads them.
std::vector<double> loop_over(const std::string& all_labels,
                              const std::vector<std::int64_t>& all_extents,
                              const std::vector<std::string>& operands, const std::string& result,
                              const std::vector<HostArray>& arrays) {
  std::string labels;
  std::vector<std::int64_t> extents;
  for (std::size_t l = 0; l < all_labels.size(); ++l) {
    for (const std::string& operand : operands) {
      if (operand.find(all_labels[l]) == std::string::npos) continue;
      labels += all_labels[l];
      extents.push_back(all_extents[l]);
      break;
    }
  }
  std::vector<std::int64_t> index(labels.size(), 0);
  const auto offset = [&](const std::string& of) {
    std::int64_t flat = 0;
    for (const char label : of) {
      const std::size_t l = labels.find(label);
      flat = flat * extents[l] + index[l];
    }
    return static_cast<std::size_t>(flat);
  };
  std::size_t size = 1;
  for (const char label : result) size *= static_cast<std::size_t>(extents[labels.find(label)]);
  std::vector<double> sums(size, 0);
  for (;;) {
    double product = 1;
    for (std::size_t i = 0; i < arrays.size(); ++i)
      product *= arrays[i].values[offset(operands[i])];
    sums[offset(result)] += product;
    std::size_t d = labels.size();
    while (d > 0 && ++index[d - 1] == extents[d - 1]) index[--d] = 0;
    if (d == 0) return sums;
  }
}

struct Case {
  std::string equation;
  std::vector<std::string> operands;
  std::string result;
};

}  // namespace

TEST_CASE("einsum is the sum of products over the labels that the result has not") {
  const std::string labels = "bijkl";
  const std::vector<std::int64_t> extents{2, 3, 4, 5, 3};
  const auto shape_of = [&](const std::string& of) {
    std::vector<std::int64_t> shape;
    for (const char label : of) shape.push_back(extents[labels.find(label)]);
    return shape;
  };
  const std::vector<Case> cases{{"ij,jk->ik", {"ij", "jk"}, "ik"},
                                {"ij,jk", {"ij", "jk"}, "ik"},
                                {"bij,bjk->kb", {"bij", "bjk"}, "kb"},
                                {"ij->ji", {"ij"}, "ji"},
                                {"ij->", {"ij"}, ""},
                                {"ij,kl->ik", {"ij", "kl"}, "ik"},
                                {"ij,jk,kl->il", {"ij", "jk", "kl"}, "il"},
                                {"ij, ij -> i", {"ij", "ij"}, "i"},
                                {"b,ij,k->ibk", {"b", "ij", "k"}, "ibk"}};
  for (const bool named : {false, true}) {
    for (const Case& c : cases) {
      std::vector<HostArray> arrays;
      for (const std::string& operand : c.operands) {
        arrays.push_back(make_array(shape_of(operand), static_cast<int>(arrays.size())));
      }

      // Equal names in one operand are one size: labels are bound by broadcasts.
      const auto results = run_on_host(
          [&](const std::vector<Tensor>& x) -> std::vector<Tensor> {
            return {sn::einsum(c.equation, x)};
          },
          arrays, named);

      const auto expected = loop_over(labels, extents, c.operands, c.result, arrays);
      CHECK_MESSAGE(difference(results[0], shape_of(c.result), expected).empty(), c.equation, ": ",
                    difference(results[0], shape_of(c.result), expected));
    }
  }
}

TEST_CASE("a label that stands twice in an operand takes the diagonal") {
  const HostArray x = make_array({3, 4, 3});
  std::vector<double> diagonal;
  std::vector<double> trace(4, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      diagonal.push_back(x.values[i * 12 + j * 3 + i]);
      trace[j] += diagonal.back();
    }
  }

  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::einsum("iji->ij", t), sn::einsum("iji", t)};
      },
      {x});

  CHECK(difference(results[0], {3, 4}, diagonal) == "");
  CHECK(difference(results[1], {4}, trace) == "");
}

TEST_CASE("small integers add up in i32 in products of any number of operands") {
  const HostArray a{{2, 2}, {100, 100, 100, 50}, DType::I8};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::einsum("ij,jk,kl->il", {t[0], t[0], t[0]}), sn::einsum("ij->i", {t[0]})};
      },
      {a});

  CHECK(results[0].dtype == DType::I32);
  // numpy: a @ a @ a in int32.
  CHECK(difference(results[0], {2, 2}, {3500000, 2750000, 2750000, 2125000}) == "");
  CHECK(difference(results[1], {2}, {200, 150}) == "");
}

TEST_CASE("linear multiplies by the transposed weight and adds the bias") {
  const HostArray x{{2, 3}, {1, 2, 3, 4, 5, 6}};
  const HostArray weight{{2, 3}, {1, 0, -1, 2, 1, 0}};
  const HostArray bias{{2}, {10, 20}};
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::linear(t[0], t[1], t[2]), sn::linear(t[0], t[1])};
      },
      {x, weight, bias});

  CHECK(difference(results[0], {2, 2}, {8, 24, 8, 33}) == "");
  CHECK(difference(results[1], {2, 2}, {-2, 4, -2, 13}) == "");
}

TEST_CASE("outer and tensordot are einsums") {
  const HostArray a = make_array({2, 3, 4});
  const HostArray b = make_array({4, 5, 2}, 1);
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::outer(t[2], t[3]), sn::tensordot(t[0], t[1], {0, 2}, {-1, 0})};
      },
      {a, b, {{2}, {2, 3}}, {{3}, {1, 10, 100}}});

  CHECK(difference(results[0], {2, 3}, {2, 20, 200, 3, 30, 300}) == "");
  const auto expected = loop_over("ijkl", {2, 3, 4, 5}, {"ijk", "kli"}, "jl", {a, b});
  CHECK(difference(results[1], {3, 5}, expected) == "");
}

TEST_CASE("dots stand for further dimensions, which align at the right and broadcast") {
  const HostArray a = make_array({2, 3, 4, 5});
  const HostArray b = make_array({3, 5, 4}, 1);
  const HostArray c = make_array({2, 1, 5}, 2);
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::einsum("...ij,...jk->...ik", {t[0], t[1]}), sn::einsum("i...->...i", {t[1]}),
                sn::einsum("...ij,...j", {t[0], t[2]}), sn::einsum("...ij->...", {t[2]})};
      },
      {a, b, c});

  const auto product = loop_over("abijk", {2, 3, 4, 5, 4}, {"abij", "bjk"}, "abik", {a, b});
  CHECK(difference(results[0], {2, 3, 4, 4}, product) == "");
  CHECK(difference(results[1], {5, 4, 3}, loop_over("ijk", {3, 5, 4}, {"ijk"}, "jki", {b})) == "");
  // numpy.einsum gives [2, 3, 4]: the 1 of c stretches over a's 3, and i stands once.
  const auto rows = loop_over("abij", {2, 3, 4, 5}, {"abij", "aj"}, "abi", {a, c});
  CHECK(difference(results[2], {2, 3, 4}, rows) == "");
  CHECK(difference(results[3], {2}, loop_over("aj", {2, 5}, {"aj"}, "a", {c})) == "");
}

TEST_CASE("grouped_matmul multiplies each row by the matrix of its group") {
  const HostArray x = make_array({9, 4});
  const HostArray w = make_array({4, 4, 3}, 1);
  // Group 1 is empty; row 0 comes before the first group, rows 7 and 8 after the last.
  const HostArray offsets{{5}, {1, 3, 3, 6, 7}, DType::I32};
  std::vector<double> expected;
  for (std::size_t r = 0; r < 9; ++r) {
    const std::size_t group = r < 3 ? 0 : r < 6 ? 2 : 3;
    for (std::size_t n = 0; n < 3; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        sum += x.values[r * 4 + k] * w.values[(group * 4 + k) * 3 + n];
      }
      expected.push_back(r >= 1 && r < 7 ? sum : 0);
    }
  }
  for (const bool named : {false, true}) {
    const auto results = run_on_host(
        [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
          return {sn::grouped_matmul(t[0], t[1], t[2])};
        },
        {x, w, offsets}, named);

    CHECK(difference(results[0], {9, 3}, expected) == "");
  }
}

TEST_CASE("rows of no group are 0, whatever they hold; small types give those of matmul") {
  const double nan = std::nan("");
  const auto results = run_on_host(
      [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
        return {sn::grouped_matmul(t[0], t[1], t[4]), sn::grouped_matmul(t[2], t[3], t[4])};
      },
      {{{2, 1}, {nan, 2}, DType::BF16},
       {{1, 1, 1}, {3}, DType::BF16},
       {{2, 1}, {100, 100}, DType::I8},
       {{1, 1, 1}, {100}, DType::I8},
       {{2}, {1, 2}, DType::I64}});

  CHECK(results[0].dtype == DType::BF16);
  CHECK(results[0].values == std::vector<double>{0, 6});
  CHECK(results[1].dtype == DType::I32);
  CHECK(results[1].values == std::vector<double>{0, 10000});
}

TEST_CASE("operands of grouped_matmul that do not fit are refused") {
  const auto message = [](const HostArray& w, const HostArray& offsets) {
    try {
      run_on_host(
          [](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::grouped_matmul(t[0], t[1], t[2])};
          },
          {make_array({9, 4}), w, offsets});
    } catch (const UserError& error) {
      const std::string text = error.what();
      return text.substr(text.find(": ") + 2);
    }
    return std::string();
  };
  const HostArray offsets{{3}, {0, 4, 9}, DType::I32};

  CHECK(message(make_array({2, 5, 3}), offsets) ==
        "grouped_matmul: x [rows, k], w [groups, k, n] and offsets [groups + 1] are needed; given "
        "f32[9, 4], f32[2, 5, 3] and i32[3]");
  CHECK(message(make_array({3, 4, 3}), offsets).find("offsets [groups + 1] are needed") !=
        std::string::npos);
  CHECK(message(make_array({4, 3}), offsets).find("given f32[9, 4], f32[4, 3]") !=
        std::string::npos);
  CHECK(message(make_array({2, 4, 3}), make_array({3})).find("integer indices are needed") !=
        std::string::npos);
}

TEST_CASE("equations that do not fit are refused") {
  const auto message = [](const std::string& equation, std::vector<std::int64_t> shape) {
    try {
      run_on_host(
          [&](const std::vector<Tensor>& t) -> std::vector<Tensor> {
            return {sn::einsum(equation, t)};
          },
          {make_array(shape)});
    } catch (const UserError& error) {
      const std::string text = error.what();
      return text.substr(text.find("einsum"));
    }
    return std::string();
  };

  CHECK(message("ij,jk", {2, 3}) == "einsum 'ij,jk' is of 2 operands; given 1");
  CHECK(message("i->i", {2, 3}) == "einsum 'i->i': 'i' has 1 labels, but the operand is f32[2, 3]");
  CHECK(message("ii->i", {2, 3}) == "einsum 'ii->i': label i has two extents: 2 and 3");
  CHECK(message("ij->k", {2, 3}) == "einsum 'ij->k': label k of the result stands in no operand");
  CHECK(message("ij->ii", {2, 3}) == "einsum 'ij->ii': label i stands twice in the result");
  CHECK(message("..i->i", {2}) == "einsum '..i->i': labels are letters; given '.'");
  CHECK(message("...i->i", {2, 3}) == "einsum '...i->i': the result needs '...' too");
  CHECK(message("...ij->...", {2}) ==
        "einsum '...ij->...': '...ij' is of 2 labels or more; the operand has rank 1");
}

}  // namespace sinter::tests
