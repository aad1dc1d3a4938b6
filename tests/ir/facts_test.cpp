// Facts: order, text, queries, and the check of a call.
#include "ir/facts.h"

#include <doctest/doctest.h>

#include "sinter/error.h"
#include "tests/ir/symbols.h"

using namespace sinter;
using namespace sinter::ir;

namespace {

using tests::symbols::n;

CallFacts call_with(std::vector<std::int64_t> extents, std::vector<std::int64_t> strides,
                    std::uint64_t address = 64) {
  return {.sizes = {{"n", 12}},
          .tensors = {{"x", address, std::move(extents), std::move(strides)}}};
}

bool holds(const Fact& fact, const CallFacts& call) {
  return !find_mismatch(Facts({fact}), call).has_value();
}

}  // namespace

TEST_CASE("facts are sorted and kept once") {
  const Facts a(
      {Fact::offsets32("x"), Fact::divisible(n, 8), Fact::contiguous("x"), Fact::divisible(n, 8)});
  const Facts b({Fact::contiguous("x"), Fact::divisible(n, 8), Fact::offsets32("x")});

  CHECK(a == b);
  CHECK(to_string(a) == "{n % 8 = 0, contiguous(x), offsets32(x)}");
  CHECK(to_string(Facts()) == "{}");
}

TEST_CASE("each kind of fact has its text") {
  CHECK(to_string(Fact::equal(n, 512)) == "n = 512");
  CHECK(to_string(Fact::divisible(n + 1, 8)).ends_with(" % 8 = 0"));
  CHECK(to_string(Fact::range(n, 1, 64)) == "1 <= n <= 64");
  CHECK(to_string(Fact::stride("x", 1, -1)) == "stride(x, 1) = -1");
  CHECK(to_string(Fact::aligned("x", 16)) == "align(x) = 16");
}

TEST_CASE("queries find what is stated") {
  const Facts facts({Fact::contiguous("x"), Fact::stride("y", 1, 1), Fact::aligned("y", 4),
                     Fact::aligned("y", 16), Fact::offsets32("y")});

  CHECK(facts.is_contiguous("x"));
  CHECK_FALSE(facts.is_contiguous("y"));
  CHECK(facts.stride("y", 1) == 1);
  CHECK_FALSE(facts.stride("y", 0).has_value());
  CHECK(facts.alignment("y") == 16);
  CHECK(facts.alignment("x") == 1);
  CHECK(facts.has_offsets32("y"));
}

TEST_CASE("facts on sizes are checked against the call") {
  const CallFacts call = call_with({}, {});

  CHECK(holds(Fact::equal(n, 12), call));
  CHECK(holds(Fact::divisible(n, 4), call));
  CHECK(holds(Fact::range(n, 12, 12), call));
  CHECK_FALSE(holds(Fact::equal(n, 13), call));
  CHECK_FALSE(holds(Fact::range(n, 1, 11), call));
  CHECK(find_mismatch(Facts({Fact::divisible(n, 8)}), call) == "n % 8 = 0 does not hold: n = 12");
  CHECK_THROWS_AS(find_mismatch(Facts({Fact::equal(IndexExpr::size("k"), 1)}), call), UserError);
}

TEST_CASE("contiguous tensors may have any stride where the extent is one") {
  CHECK(holds(Fact::contiguous("x"), call_with({2, 3}, {3, 1})));
  CHECK(holds(Fact::contiguous("x"), call_with({1, 3, 1}, {77, 1, -5})));
  CHECK(holds(Fact::contiguous("x"), call_with({0, 3}, {9, 9})));
  CHECK(holds(Fact::contiguous("x"), call_with({}, {})));
  CHECK_FALSE(holds(Fact::contiguous("x"), call_with({3}, {0})));
  CHECK(find_mismatch(Facts({Fact::contiguous("x")}), call_with({2, 3}, {1, 2})) ==
        "contiguous(x) does not hold: x has extents [2, 3] and strides [1, 2]");
}

TEST_CASE("strides and alignment are checked") {
  CHECK(holds(Fact::stride("x", 1, 1), call_with({4, 4}, {9, 1})));
  CHECK(holds(Fact::stride("x", 1, 1), call_with({4, 1}, {9, 7})));
  CHECK_FALSE(holds(Fact::stride("x", 0, 1), call_with({4, 4}, {9, 1})));
  CHECK(holds(Fact::aligned("x", 64), call_with({}, {}, 128)));
  CHECK(find_mismatch(Facts({Fact::aligned("x", 16)}), call_with({}, {}, 20)) ==
        "align(x) = 16 does not hold: x lies 4 bytes past a multiple");
}

TEST_CASE("offsets fit 32 bits where no reachable one leaves them") {
  const std::int64_t limit = std::int64_t{1} << 31;

  CHECK(holds(Fact::offsets32("x"), call_with({limit}, {1})));
  CHECK_FALSE(holds(Fact::offsets32("x"), call_with({limit + 1}, {1})));
  CHECK_FALSE(holds(Fact::offsets32("x"), call_with({limit + 1}, {-1})));
  CHECK(holds(Fact::offsets32("x"), call_with({limit, limit}, {1, -1})));
  CHECK_FALSE(holds(Fact::offsets32("x"), call_with({limit, 2}, {1, 1})));
  CHECK(holds(Fact::offsets32("x"), call_with({limit * 4}, {0})));
  CHECK(holds(Fact::offsets32("x"), call_with({limit * 4, 0}, {1, 1})));
  CHECK_FALSE(holds(Fact::offsets32("x"), call_with({INT64_MAX, 3}, {INT64_MAX, 1})));
}

TEST_CASE("dense strides are row-major, and those of empty tensors are defined") {
  CHECK(contiguous_strides(std::vector<std::int64_t>{2, 3, 4}) ==
        std::vector<std::int64_t>{12, 4, 1});
  CHECK(contiguous_strides(std::vector<std::int64_t>{2, 0, 4}) ==
        std::vector<std::int64_t>{4, 4, 1});
  CHECK(contiguous_strides({}).empty());
}

TEST_CASE("a tensor that the call does not bind is an internal error") {
  CHECK_THROWS_WITH_AS(find_mismatch(Facts({Fact::contiguous("z")}), call_with({}, {})),
                       "contiguous(z) is to be checked, but the call binds no tensor z",
                       InternalError);
}
