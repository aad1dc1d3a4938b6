// Facts by place against facts by name.
#include "ir/flat_facts.h"

#include <doctest/doctest.h>

#include "sinter/error.h"
#include "tests/ir/symbols.h"

using namespace sinter;
using ir::Fact;

namespace {

using tests::symbols::n;

/// Whether the one fact holds for x[n, 8] with these strides, by place; the same by name is checked.
bool holds(const Fact& fact, std::int64_t n, std::vector<std::int64_t> strides,
           std::uint64_t address = 64) {
  const ir::BoundTensor y{"y", 1, {3}, {1}};
  const ir::BoundTensor x{"x", address, {n, 8}, std::move(strides)};
  const ir::Facts facts({fact});
  const ir::FlatFacts flat(facts, {{"m", "n"}, {"y", "x"}});
  const std::int64_t sizes[] = {-1, n};
  const ir::TensorLayout tensors[] = {y.layout(), x.layout()};
  const bool result = flat.hold(sizes, tensors);
  CHECK(result == !ir::find_mismatch(facts, {{{"n", n}}, {y, x}}).has_value());
  return result;
}

}  // namespace

TEST_CASE("facts hold by place as they do by name") {
  CHECK(holds(Fact::equal(n * 2, 8), 4, {8, 1}));
  CHECK_FALSE(holds(Fact::equal(n, 5), 4, {8, 1}));
  CHECK(holds(Fact::divisible(n, 4), 4, {8, 1}));
  CHECK_FALSE(holds(Fact::range(n, 5, 9), 4, {8, 1}));
  CHECK(holds(Fact::contiguous("x"), 4, {8, 1}));
  CHECK(holds(Fact::contiguous("x"), 1, {-3, 1}));
  CHECK(holds(Fact::contiguous("x"), 0, {-3, 5}));
  CHECK_FALSE(holds(Fact::contiguous("x"), 4, {9, 1}));
  CHECK(holds(Fact::aligned("x", 16), 4, {8, 1}));
  CHECK_FALSE(holds(Fact::aligned("x", 16), 4, {8, 1}, 72));
  CHECK_FALSE(holds(Fact::offsets32("x"), 4, {std::int64_t{1} << 40, 1}));
}

TEST_CASE("a stride is a positive multiple, whatever the extent") {
  const Fact fact = Fact::stride_multiple("x", 0, 8);

  CHECK(ir::to_string(fact) == "stride(x, 0) = 8*k");
  CHECK(holds(fact, 4, {16, 1}));
  CHECK_FALSE(holds(fact, 4, {12, 1}));
  CHECK_FALSE(holds(fact, 1, {12, 1}));
  CHECK_FALSE(holds(fact, 4, {-16, 1}));
  CHECK_FALSE(holds(fact, 4, {0, 1}));
  CHECK_FALSE(holds(fact, 4, {std::int64_t{1} << 36, 1}));
  CHECK_THROWS_AS(Fact::stride_multiple("x", 0, 0), InternalError);
}

TEST_CASE("facts about what a call does not have are refused when they are placed") {
  CHECK_THROWS_AS(ir::FlatFacts(ir::Facts({Fact::aligned("z", 4)}), {{"n"}, {"x"}}), InternalError);
  CHECK_THROWS_WITH_AS(ir::FlatFacts(ir::Facts({Fact::equal(n, 4)}), {{"m"}, {"x"}}),
                       "the size 'n' has no value", UserError);
}
