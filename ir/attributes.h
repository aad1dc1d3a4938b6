// Attributes of nodes: named, typed, closed leaves, printed and compared in one place.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ir/index_expr.h"
#include "ir/literal.h"
#include "ir/mode.h"
#include "ir/op.h"

namespace sinter::ir {

class Graph;

/// How a reduction or scan folds. Either one operator of ops.def (identity from its column), or a
/// Function: a Graph of rank-0 parameters (n accumulators, then n elements) with n outputs, and one
/// identity each.
struct Reducer {
  Op op = Op::None;
  std::shared_ptr<const Graph> function;
  std::vector<Literal> identity;
};
/// Structural: Functions compare as Graphs.
bool operator==(const Reducer& a, const Reducer& b);

/// In printed order.
enum class AttributeName : std::uint8_t {
#define SINTER_ATTRIBUTE(name, text, kind, meaning) name,
#include "ir/attributes.def"
#undef SINTER_ATTRIBUTE
};

/// What an attribute's value is; one alternative of AttributeValue each.
enum class AttributeKind : std::uint8_t {
  Bool,
  Integer,
  Integers,
  Real,
  Text,
  DType,
  Precision,
  Literal,
  Shape,
  Reducer,
};

std::string_view to_string(AttributeName name);
AttributeKind kind_of(AttributeName name);
std::optional<AttributeName> parse_attribute_name(std::string_view text);

/// In the order of AttributeKind.
using AttributeValue = std::variant<bool, std::int64_t, std::vector<std::int64_t>, double,
                                    std::string, DType, Precision, Literal, Shape, Reducer>;

struct Attribute {
  AttributeName name;
  AttributeValue value;
};

/// A small set of attributes, sorted by name; setting a name again replaces its value.
class Attributes {
 public:
  Attributes() = default;
  Attributes(std::initializer_list<Attribute> list);
  void set(AttributeName name, AttributeValue value);
  const AttributeValue* find(AttributeName name) const;
  const std::vector<Attribute>& list() const { return list_; }
  friend bool operator==(const Attributes& a, const Attributes& b);

  /// The value; InternalError where it is absent or of another type.
  template <typename T>
  const T& get(AttributeName name) const {
    return std::get<T>(require(name));
  }
  /// The value, or `fallback` where it is absent.
  template <typename T>
  T get_or(AttributeName name, T fallback) const {
    const AttributeValue* value = find(name);
    return value ? std::get<T>(*value) : fallback;
  }

 private:
  const AttributeValue& require(AttributeName name) const;
  std::vector<Attribute> list_;
};

}  // namespace sinter::ir
