// Products: the gradient of one operand is the product of the result's with the other.
#include "ir/differentiate/reverse.h"
#include "ir/equation.h"

namespace sinter::ir {

namespace {

/// A product as an equation; operands without the dimensions that are broadcast.
struct Product {
  Equation equation;
  Exprs operands;
};

void differentiate(Reverse& r, const Product& product) {
  const auto precision =
      r.attributes().get_or<Precision>(AttributeName::Precision, Precision::Split);
  for (std::size_t i = 0; i < 2; ++i) {
    r.add(i, [&] {
      const Expr other = product.operands[1 - i];
      const std::string equation = product.equation.result + "," +
                                   product.equation.operands[1 - i] + "->" +
                                   product.equation.operands[i];
      const Expr gradient =
          einsum(equation, r.gradient(), cast(other, r.gradient().dtype()), precision);
      return reshape(gradient, r.shape(i));
    });
  }
}

char label(std::size_t index) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return kLetters.at(index);
}

Product as_equation(const Reverse& r) {
  Product product;
  const Shape shape = r.result().shape();
  const std::size_t rank = shape.size();
  for (std::size_t d = 0; d < rank; ++d) product.equation.result += label(d);
  for (std::size_t i = 0; i < 2; ++i) {
    const Expr operand = r[i];
    Shape kept;
    std::string& labels = product.equation.operands[i];
    for (std::size_t d = 0; d < operand.rank(); ++d) {
      const std::size_t place = d + rank - operand.rank();
      const bool is_batch = d + 2 < operand.rank();
      if (is_batch && operand.shape()[d] == Dim(1) && shape[place] != Dim(1)) continue;
      const std::size_t inner = i == 0 ? rank - 1 : rank - 2;  // the place that is summed over
      labels += place == inner ? label(rank) : label(place);
      kept.push_back(operand.shape()[d]);
    }
    product.operands.push_back(reshape(operand, kept));
  }
  return product;
}

}  // namespace

template <>
void derivative<Op::Matmul>(Reverse& r) {
  differentiate(r, as_equation(r));
}

template <>
void derivative<Op::Einsum>(Reverse& r) {
  const auto& text = r.attributes().get<std::string>(AttributeName::Equation);
  differentiate(r, {parse_equation(text, r[0].location()), {r[0], r[1]}});
}

template <>
void derivative<Op::Conv>(Reverse& r) {
  r.add(0, [&] {
    // Where the windows end up to step - 1 elements before the padded operand does, as many more are
    // kept than the operand has, and then cut off.
    const Integers ones(r.shape(0).size() - 2, 1);
    const Integers zeros(ones.size(), 0);
    const auto step = r.attributes().get_or<Integers>(AttributeName::Step, ones);
    auto high = r.attributes().get_or<Integers>(AttributeName::PadHigh, zeros);
    for (std::size_t d = 0; d < high.size(); ++d) high[d] -= step[d] - 1;
    Attributes attributes = r.attributes();
    attributes.set(AttributeName::PadHigh, high);
    const Expr g = make_node(Op::ConvTranspose, {r.gradient(), r[1]}, std::move(attributes));
    return pad(g, Shape(g.rank(), Dim(0)), r.shape(0), 0);
  });
  for (std::size_t i = 1; i < r.size(); ++i) r.add_by_definition(i);
}

template <>
void derivative<Op::ConvTranspose>(Reverse& r) {
  r.add(0, [&] { return make_node(Op::Conv, {r.gradient(), r[1]}, r.attributes()); });
  for (std::size_t i = 1; i < r.size(); ++i) r.add_by_definition(i);
}

}  // namespace sinter::ir
