// Tensor expressions: what an operator's body is written in. Each call appends a node to the Graph
// being traced; nothing is computed here. Meaning of every operator: docs/semantics.md.
//
// Rules that hold for all of them: operands have one dtype (no silent promotion; a host literal
// takes the tensor's dtype and is refused where that cannot hold it); shapes broadcast as in NumPy,
// but only the number 1 stretches, a named dimension never does: "n" against "m" or 4 is checked in
// each call. A violation is a UserError with the file and line of the expression.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "sinter/dim.h"
#include "sinter/error.h"
#include "sinter/op.h"

namespace sinter {

namespace dsl {
class Trace;
}

/// A value of the operator being traced; cheap to copy, valid only inside the operator's body.
class Tensor {
 public:
  DType dtype() const;
  std::vector<Dim> shape() const;
  int rank() const;

  // For Sinter itself.
  Tensor(std::shared_ptr<dsl::Trace> trace, std::uint32_t node, std::uint32_t result)
      : trace_(std::move(trace)), node_(node), result_(result) {}
  const std::shared_ptr<dsl::Trace>& trace() const { return trace_; }
  std::uint32_t node() const { return node_; }
  std::uint32_t result() const { return result_; }

 private:
  std::shared_ptr<dsl::Trace> trace_;
  std::uint32_t node_;
  std::uint32_t result_;
};

/// A parameter whose value each call takes from host memory: used like a Tensor of rank 0. GPUs get
/// it by value, with the launch.
class Scalar : public Tensor {
 public:
  explicit Scalar(Tensor tensor) : Tensor(std::move(tensor)) {}
};

/// An operand: a Tensor or a host literal, with the user's file and line (captured by default
/// arguments, which works for operators too).
class Operand {
 public:
  Operand(Tensor tensor, const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : tensor_(std::make_shared<Tensor>(std::move(tensor))), location_{file, line} {}
  template <typename T>
  requires std::is_arithmetic_v<T> Operand(T literal, const char* file = __builtin_FILE(),
                                           int line = __builtin_LINE())
      : is_integer_(std::is_integral_v<T>), location_{file, line} {
    if constexpr (std::is_integral_v<T>) {
      integer_ = static_cast<std::int64_t>(literal);
      is_huge_ = std::is_unsigned_v<T> && integer_ < 0;
    } else {
      real_ = static_cast<double>(literal);
    }
  }

  const Tensor* tensor() const { return tensor_.get(); }
  bool is_integer() const { return is_integer_; }
  /// An unsigned literal of 2^63 or more (its bits are in integer()).
  bool is_huge() const { return is_huge_; }
  std::int64_t integer() const { return integer_; }
  double real() const { return real_; }
  const SourceLocation& location() const { return location_; }

 private:
  std::shared_ptr<Tensor> tensor_;
  bool is_integer_ = false;
  bool is_huge_ = false;
  std::int64_t integer_ = 0;
  double real_ = 0;
  SourceLocation location_;
};

/// The type of a Scalar whose value is part of the operator: compile bakes it in, and calls do not give
/// it. UserError where `dtype` does not hold the literal.
TensorSpec constant(DType dtype, const Operand& literal);

// Arithmetic, elementwise.
Tensor operator+(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a, const Operand& b);
Tensor operator*(const Operand& a, const Operand& b);
/// Floats: a / b. Integers: refused; write floor_div.
Tensor operator/(const Operand& a, const Operand& b);
/// Remainder of floor_div, with the divisor's sign; x % 0 = x for integers, NaN for floats.
Tensor operator%(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a);
/// a / b rounded down; x // 0 = 0 for integers, x / 0 for floats.
Tensor floor_div(const Operand& a, const Operand& b);
/// NaN wins; -0.0 is below +0.0.
Tensor minimum(const Operand& a, const Operand& b);
Tensor maximum(const Operand& a, const Operand& b);
/// a * b + c, rounded once.
Tensor fma(const Operand& a, const Operand& b, const Operand& c);
Tensor abs(const Operand& a);
Tensor sqrt(const Operand& a);
/// 1 / sqrt(a), and 1 / a by correctly rounded division; floats only, as all that follow to digamma.
Tensor rsqrt(const Operand& a);
Tensor reciprocal(const Operand& a);
/// The cube root, of negative numbers too.
Tensor cbrt(const Operand& a);
/// sqrt(a^2 + b^2); squares that overflow do not count.
Tensor hypot(const Operand& a, const Operand& b);
/// a^b. Floats: NaN for a finite a < 0 and a b that is not whole; 1 for b = 0 and for a = 1, NaN or not.
/// Integers wrap; a negative b gives 0, but 1 (or -1) for a = 1 and a = -1.
Tensor pow(const Operand& a, const Operand& b);
/// The error function, what it lacks to 1, and its inverse (infinite at -1 and 1, NaN beyond).
Tensor erf(const Operand& a);
Tensor erfc(const Operand& a);
Tensor erfinv(const Operand& a);
/// The logarithm of |Gamma(a)| and its derivative.
Tensor lgamma(const Operand& a);
Tensor digamma(const Operand& a);
Tensor floor(const Operand& a);
/// Ties to even.
Tensor round(const Operand& a);
Tensor exp(const Operand& a);
Tensor log(const Operand& a);
/// 2^a and e^a - 1, the latter accurate near 0.
Tensor exp2(const Operand& a);
Tensor expm1(const Operand& a);
/// Logarithms to base 2 and 10, and log(1 + a), accurate near 0; -inf at the pole, NaN below it.
Tensor log2(const Operand& a);
Tensor log10(const Operand& a);
Tensor log1p(const Operand& a);
/// Of radians; accurate for arguments of every size.
Tensor sin(const Operand& a);
Tensor cos(const Operand& a);
Tensor tan(const Operand& a);
/// Inverses, in radians; NaN outside [-1, 1].
Tensor asin(const Operand& a);
Tensor acos(const Operand& a);
Tensor atan(const Operand& a);
/// Angle of the point (x, y) in [-pi, pi]; signs of zero count.
Tensor atan2(const Operand& y, const Operand& x);
Tensor sinh(const Operand& a);
Tensor cosh(const Operand& a);
Tensor tanh(const Operand& a);
Tensor asinh(const Operand& a);
/// NaN below 1.
Tensor acosh(const Operand& a);
/// NaN outside [-1, 1].
Tensor atanh(const Operand& a);

// Comparison and logic: bool results; & | ^ ~ are bitwise on integers, logical on bool.
Tensor operator==(const Operand& a, const Operand& b);
Tensor operator!=(const Operand& a, const Operand& b);
Tensor operator<(const Operand& a, const Operand& b);
Tensor operator<=(const Operand& a, const Operand& b);
Tensor operator>(const Operand& a, const Operand& b);
Tensor operator>=(const Operand& a, const Operand& b);
Tensor operator&(const Operand& a, const Operand& b);
Tensor operator|(const Operand& a, const Operand& b);
Tensor operator^(const Operand& a, const Operand& b);
Tensor operator~(const Operand& a);
/// Logical not; bool only.
Tensor operator!(const Operand& a);
Tensor operator<<(const Operand& a, const Operand& b);
Tensor operator>>(const Operand& a, const Operand& b);
/// b where the bool `condition` holds, else c.
Tensor select(const Operand& condition, const Operand& b, const Operand& c);

// Conversion.
Tensor cast(const Operand& a, DType dtype);
/// The same bits as another dtype of the same width.
Tensor bitcast(const Operand& a, DType dtype);

// Views; they move nothing.
Tensor broadcast_to(const Operand& a, const std::vector<Dim>& shape);
/// As many elements, in row-major order; checked in each call where it depends on the sizes. One
/// extent may be -1: the one that makes it so.
Tensor reshape(const Operand& a, const std::vector<Dim>& shape);
/// Result dimension d is dimension axes[d]; negative axes count from the end.
Tensor permute(const Operand& a, const std::vector<int>& axes);
/// Exchanges the last two dimensions.
Tensor transpose(const Operand& a);
/// Elements begin, begin+step, ... of dimension `axis`, `extent` of them; step may be negative. They
/// lie inside the dimension: checked in each call where it depends on the sizes.
Tensor slice(const Operand& a, int axis, const Dim& begin, const Dim& extent,
             std::int64_t step = 1);
/// Adds a dimension of extent 1 before dimension `axis` (or at the end: axis = rank).
Tensor unsqueeze(const Operand& a, int axis);

// Reductions; the axes vanish unless `keep` is set, then they have extent 1. No axes: all of them.
struct SumOptions {
  bool keep = false;
  /// Of the additions and the result. It holds every value of the operand's dtype (else UserError);
  /// integers may also go to any integer type, and wrap.
  std::optional<DType> dtype = {};
};
/// bool and integers of at most 32 bits give i64 (unsigned: u64) unless `dtype` names another:
/// sum(x, {0}, {.dtype = DType::F64}).
Tensor sum(const Operand& a, const std::vector<int>& axes = {}, bool keep = false);
Tensor sum(const Operand& a, const std::vector<int>& axes, const SumOptions& options);
Tensor max(const Operand& a, const std::vector<int>& axes = {}, bool keep = false);
Tensor min(const Operand& a, const std::vector<int>& axes = {}, bool keep = false);
Tensor mean(const Operand& a, const std::vector<int>& axes = {}, bool keep = false);
Tensor mean(const Operand& a, const std::vector<int>& axes, const SumOptions& options);

/// How f32 products are computed; other dtypes ignore it. docs/semantics.md.
enum class Precision : std::uint8_t { Split, Ieee, SplitFast, Tf32 };
/// [..., m, k] x [..., k, n] -> [..., m, n]; leading dimensions broadcast; a rank-1 operand is a
/// row (left) or a column (right) whose dimension vanishes from the result.
Tensor matmul(const Operand& a, const Operand& b, Precision precision = Precision::Split);

/// The index along `axis` of a tensor of this shape; integers.
Tensor iota(DType dtype, const std::vector<Dim>& shape, int axis,
            const char* file = __builtin_FILE(), int line = __builtin_LINE());
/// The value of a dimension, as a rank-0 tensor.
Tensor size(const Dim& dim, DType dtype, const char* file = __builtin_FILE(),
            int line = __builtin_LINE());

/// What an operator's body returns: one Tensor, or several in braces.
class Result {
 public:
  Result(Tensor tensor) : tensors_{std::move(tensor)} {}                 // NOLINT
  Result(std::initializer_list<Tensor> tensors) : tensors_(tensors) {}   // NOLINT
  Result(std::vector<Tensor> tensors) : tensors_(std::move(tensors)) {}  // NOLINT
  const std::vector<Tensor>& tensors() const { return tensors_; }

 private:
  std::vector<Tensor> tensors_;
};

namespace dsl {

template <typename... Params, std::size_t... I>
Result call_body(Result (*body)(Params...), const std::vector<Tensor>& arguments,
                 std::index_sequence<I...>) {
  return body(std::decay_t<Params>(arguments[I])...);
}

/// Makes and registers an operator; `parameters` is the source text of the parameter list, and
/// `is_scalar` says of each whether it is a Scalar.
const Operator& register_operator(Operator op, const char* parameters,
                                  const std::vector<bool>& is_scalar);

template <typename... Params>
const Operator& make_operator(const char* name, const char* parameters, Result (*body)(Params...),
                              SourceLocation location) {
  static_assert(((std::is_same_v<std::decay_t<Params>, Tensor> ||
                  std::is_same_v<std::decay_t<Params>, Scalar>)&&...),
                "the parameters of a SINTER_OP are sinter::Tensor or sinter::Scalar");
  Operator op;
  op.name = name;
  op.location = std::move(location);
  op.body = [body](const std::vector<Tensor>& arguments) {
    return call_body(body, arguments, std::index_sequence_for<Params...>()).tensors();
  };
  return register_operator(std::move(op), parameters,
                           {std::is_same_v<std::decay_t<Params>, Scalar>...});
}

}  // namespace dsl

/// Defines and registers an operator:
///   SINTER_OP(scaled, (sn::Tensor x, sn::Tensor y, sn::Scalar alpha)) { return x * alpha + y; }
/// The name is then a `const sinter::Operator&`; parameter names come from the list.
#define SINTER_OP(name, parameters)                                                              \
  static ::sinter::Result sinter_body_of_##name parameters;                                      \
  [[maybe_unused]] static const ::sinter::Operator& name = ::sinter::dsl::make_operator(         \
      #name, #parameters, &sinter_body_of_##name, ::sinter::SourceLocation{__FILE__, __LINE__}); \
  static ::sinter::Result sinter_body_of_##name parameters

}  // namespace sinter
