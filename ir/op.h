// Operators and the columns of ops.def.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ir/literal.h"

namespace sinter::ir {

enum class Op : std::uint8_t {
#define SINTER_PRIMITIVE(name, ...) name,
#include "ir/ops.def"
#undef SINTER_PRIMITIVE
  None,
};

enum class OpClass : std::uint8_t {
  Leaf,
  Unary,
  Binary,
  Compare,
  Ternary,
  Cast,
  View,
  Movement,
  Reduction,
  Contraction,
  Scan,
  Composite,
  Access,
};

enum class OpLevel : std::uint8_t { Scalar, Graph, Kernel, Both };
enum class OpDTypes : std::uint8_t { Any, Numeric, Float, Integer, Bits };
enum class Identity : std::uint8_t { None, Zero, One, Lowest, Highest, Ones };
enum class Derivative : std::uint8_t { None, Zero, Rule, Decomposed };

struct OpInfo {
  Op op;
  std::string_view text;
  int arity;
  OpClass op_class;
  OpLevel level;
  OpDTypes dtypes;
  bool commutes;
  Identity identity;
  Op combine;
  Derivative derivative;  // of the row; derivative_of() has the last word
  std::string_view meaning;
};

const OpInfo& info(Op op);
/// All rows, in the order of ops.def (Op::None is not among them).
std::span<const OpInfo> all_ops();
std::string_view to_string(Op op);
std::optional<Op> parse_op(std::string_view text);

/// Unary, Binary, Compare, Ternary and Cast: elementwise, and allowed in Functions and Kernels.
bool is_pointwise(Op op);
bool is_view(Op op);
/// How a gradient goes through `op`.
Derivative derivative_of(Op op);
/// Whether `op` accepts operands of `dtype` (the dtypes column).
bool accepts_dtype(Op op, DType dtype);
/// The literal x with op(x, a) = a for all a of `dtype`; nullopt where the op has none.
std::optional<Literal> identity_of(Op op, DType dtype);

}  // namespace sinter::ir
