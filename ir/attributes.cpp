// Names of attributes, and sets of them sorted by name.
#include "ir/attributes.h"

#include <algorithm>
#include <iterator>

#include "ir/graph.h"
#include "support/check.h"

namespace sinter::ir {

namespace {

struct AttributeInfo {
  std::string_view text;
  AttributeKind kind;
};
constexpr AttributeInfo kAttributes[] = {
#define SINTER_ATTRIBUTE(name, text, kind, meaning) {text, AttributeKind::kind},
#include "ir/attributes.def"
#undef SINTER_ATTRIBUTE
};

const AttributeInfo& info(AttributeName name) {
  const auto index = static_cast<std::size_t>(name);
  support::check(index < std::size(kAttributes), "there is no attribute {}", index);
  return kAttributes[index];
}

}  // namespace

bool operator==(const Reducer& a, const Reducer& b) {
  if (a.op != b.op || a.identity != b.identity) return false;
  if (!a.function || !b.function) return !a.function && !b.function;
  return a.function == b.function || *a.function == *b.function;
}

std::string_view to_string(AttributeName name) { return info(name).text; }

AttributeKind kind_of(AttributeName name) { return info(name).kind; }

std::optional<AttributeName> parse_attribute_name(std::string_view text) {
  const auto found =
      std::find_if(std::begin(kAttributes), std::end(kAttributes),
                   [&](const AttributeInfo& attribute) { return attribute.text == text; });
  if (found == std::end(kAttributes)) return std::nullopt;
  return static_cast<AttributeName>(found - std::begin(kAttributes));
}

Attributes::Attributes(std::initializer_list<Attribute> list) {
  for (const Attribute& attribute : list) set(attribute.name, attribute.value);
}

void Attributes::set(AttributeName name, AttributeValue value) {
  const auto position = std::find_if(list_.begin(), list_.end(),
                                     [&](const auto& other) { return other.name >= name; });
  if (position != list_.end() && position->name == name) {
    position->value = std::move(value);
  } else {
    list_.insert(position, {name, std::move(value)});
  }
}

const AttributeValue* Attributes::find(AttributeName name) const {
  const auto found = std::find_if(list_.begin(), list_.end(),
                                  [&](const auto& other) { return other.name == name; });
  return found == list_.end() ? nullptr : &found->value;
}

const AttributeValue& Attributes::require(AttributeName name) const {
  const AttributeValue* value = find(name);
  support::check(value != nullptr, "attribute {} is missing", to_string(name));
  return *value;
}

bool operator==(const Attributes& a, const Attributes& b) {
  return std::equal(a.list_.begin(), a.list_.end(), b.list_.begin(), b.list_.end(),
                    [](const Attribute& left, const Attribute& right) {
                      return left.name == right.name && left.value == right.value;
                    });
}

}  // namespace sinter::ir
