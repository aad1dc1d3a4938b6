// Structs as JSON objects. A struct lists its fields once, as visit("name", field)("name", field), in a
// function visit_fields(struct&, visit) that argument-dependent lookup finds; an enumeration lists its
// names in names_of(enumeration). Both serve writing and reading, which so cannot disagree.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ir/index_expr.h"
#include "ir/text.h"
#include "support/check.h"

namespace sinter::codegen {

using Json = nlohmann::ordered_json;

/// Text as an array of lines, so that a diff of two programs shows the lines that differ.
struct JsonLines {
  std::string& text;
};

/// Lets a visitor be called in a chain.
template <typename Visit>
class JsonChain {
 public:
  explicit JsonChain(const Visit& visit) : visit_(visit) {}
  template <typename Field>
  const JsonChain& operator()(const char* name, Field& field) const {
    visit_(name, field);
    return *this;
  }

 private:
  const Visit& visit_;
};

template <typename T>
constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

template <typename T>
Json write_json(T& value);

inline Json write_lines(const std::string& text) {
  Json lines = Json::array();
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  lines.push_back(text.substr(begin));
  return lines;
}

template <typename Items>
Json write_items(Items& items) {
  Json array = Json::array();
  for (auto& item : items) array.push_back(write_json(item));
  return array;
}

template <typename T>
Json write_json(std::vector<T>& items) {
  return write_items(items);
}

template <typename T, std::size_t n>
Json write_json(T (&items)[n]) {
  return write_items(items);
}

template <typename T>
Json write_json(T& value) {
  if constexpr (kIsPlain<T>) {
    return value;
  } else if constexpr (std::is_same_v<T, ir::DType>) {
    return to_string(value);
  } else if constexpr (std::is_enum_v<T>) {
    return names_of(value)[static_cast<std::size_t>(value)];
  } else if constexpr (std::is_same_v<T, ir::IndexExpr>) {
    return ir::to_string(value);
  } else if constexpr (std::is_same_v<T, JsonLines>) {
    return write_lines(value.text);
  } else {
    Json object = Json::object();
    const auto visit = [&](const char* name, auto& field) { object[name] = write_json(field); };
    visit_fields(value, JsonChain(visit));
    return object;
  }
}

template <typename T>
void read_json(const Json& json, T& value);

inline void read_lines(const Json& json, std::string& text) {
  text.clear();
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (i > 0) text += '\n';
    text += json.at(i).get<std::string>();
  }
}

template <typename T>
void read_enum(const Json& json, T& value) {
  const auto text = json.get<std::string>();
  const auto names = names_of(value);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != text) continue;
    value = static_cast<T>(i);
    return;
  }
  support::throw_user("program text: found '{}', one of {} is needed", text,
                      fmt::join(names, ", "));
}

template <typename T>
void read_json(const Json& json, std::vector<T>& items) {
  items.resize(json.size());
  for (std::size_t i = 0; i < items.size(); ++i) read_json(json.at(i), items[i]);
}

template <typename T, std::size_t n>
void read_json(const Json& json, T (&items)[n]) {
  if (json.size() != n) {
    support::throw_user("program text: found a list of {}, {} are needed", json.size(), n);
  }
  for (std::size_t i = 0; i < n; ++i) read_json(json.at(i), items[i]);
}

template <typename T>
void read_json(const Json& json, T& value) {
  if constexpr (kIsPlain<T>) {
    json.get_to(value);
  } else if constexpr (std::is_same_v<T, ir::DType>) {
    const auto text = json.get<std::string>();
    const auto dtype = ir::parse_dtype(text);
    if (!dtype) support::throw_user("program text: '{}' is no dtype", text);
    value = *dtype;
  } else if constexpr (std::is_enum_v<T>) {
    read_enum(json, value);
  } else if constexpr (std::is_same_v<T, ir::IndexExpr>) {
    value = ir::parse_dim(json.get<std::string>(), "program text");
  } else if constexpr (std::is_same_v<T, JsonLines>) {
    read_lines(json, value.text);
  } else {
    const auto visit = [&](const char* name, auto& field) { read_json(json.at(name), field); };
    visit_fields(value, JsonChain(visit));
  }
}

}  // namespace sinter::codegen
