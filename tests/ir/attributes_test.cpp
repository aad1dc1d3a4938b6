// Attributes: sorted, typed, compared by structure.
#include "ir/attributes.h"

#include <doctest/doctest.h>

#include "ir/graph.h"

namespace sinter::ir {

namespace {

std::shared_ptr<const Graph> make_addition() {
  auto function = std::make_shared<Graph>("fn");
  const Value a = function->add_parameter("a", {DType::F32, {}});
  const Value b = function->add_parameter("b", {DType::F32, {}});
  function->set_outputs({function->add(Op::Add, {a, b})});
  return function;
}

}  // namespace

TEST_CASE("every attribute name prints and parses back") {
  for (int i = 0; i <= static_cast<int>(AttributeName::Outside); ++i) {
    const auto name = static_cast<AttributeName>(i);

    CHECK(parse_attribute_name(to_string(name)) == name);
  }
  CHECK_FALSE(parse_attribute_name("colour"));
}

TEST_CASE("the order in which attributes are set does not matter") {
  Attributes later{{AttributeName::Axis, std::int64_t{1}}};
  later.set(AttributeName::DType, DType::I32);

  CHECK(later ==
        Attributes{{AttributeName::DType, DType::I32}, {AttributeName::Axis, std::int64_t{1}}});
  CHECK(later.list()[0].name == AttributeName::DType);
}

TEST_CASE("setting a name again replaces its value") {
  Attributes attributes{{AttributeName::Exclusive, true}};
  attributes.set(AttributeName::Exclusive, false);

  CHECK(attributes.list().size() == 1);
  CHECK_FALSE(attributes.get<bool>(AttributeName::Exclusive));
  CHECK(attributes.get_or(AttributeName::Reverse, true));
}

TEST_CASE("a missing attribute is named") {
  CHECK_THROWS_WITH_AS(Attributes().get<bool>(AttributeName::Reverse),
                       "attribute reverse is missing", InternalError);
}

TEST_CASE("reducers with equal functions are equal") {
  const Reducer a{Op::None, make_addition(), {make_literal(DType::F32, 0.0)}};
  const Reducer b{Op::None, make_addition(), {make_literal(DType::F32, 0.0)}};
  const Reducer other{Op::None, make_addition(), {make_literal(DType::F32, 1.0)}};

  CHECK(a == b);
  CHECK_FALSE(a == other);
  CHECK_FALSE(a == Reducer{Op::Add, nullptr, {}});
}

}  // namespace sinter::ir
