// Programs as JSON. Each struct's fields are listed once, in visit_fields, and serve both
// directions: writing and reading cannot disagree. Only the recipe of an entry's kind, and the fields
// of an argument's kind, are written.
#include "codegen/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>

#include "ir/text.h"
#include "support/check.h"

namespace sinter::codegen {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kBackendNames[] = {"cuda", "cpu"};
constexpr std::string_view kArgumentNames[] = {"pointer",   "size",       "stride",
                                               "workspace", "tensor_map", "scalar"};
constexpr std::string_view kEntryNames[] = {"launch", "parallel", "blas"};

const std::vector<std::string_view>& dtype_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (int i = 0; i < kDTypeCount; ++i) all.push_back(to_string(static_cast<DType>(i)));
    return all;
  }();
  return names;
}

std::span<const std::string_view> names_of(DType) { return dtype_names(); }
std::span<const std::string_view> names_of(Backend) { return kBackendNames; }
std::span<const std::string_view> names_of(ArgumentKind) { return kArgumentNames; }
std::span<const std::string_view> names_of(EntryKind) { return kEntryNames; }

template <typename Visit>
void visit_fields(TensorMapRecipe& recipe, const Visit& visit) {
  visit("box", recipe.box);
  visit("swizzle_bytes", recipe.swizzle_bytes);
}

template <typename Visit>
void visit_fields(Argument& argument, const Visit& visit) {
  visit("kind", argument.kind);
  if (argument.kind == ArgumentKind::Size) {
    visit("expr", argument.expr);
  } else {
    visit("param", argument.param);
  }
  if (argument.kind == ArgumentKind::Stride) visit("dimension", argument.dimension);
  if (argument.kind == ArgumentKind::TensorMap) visit("tensor_map", argument.tensor_map);
  if (argument.kind == ArgumentKind::Scalar) visit("dtype", argument.dtype);
}

template <typename Visit>
void visit_fields(LaunchRecipe& recipe, const Visit& visit) {
  visit("grid", recipe.grid);
  visit("block", recipe.block);
  visit("cluster", recipe.cluster);
  visit("shared_bytes", recipe.shared_bytes);
  visit("dependent_launch", recipe.dependent_launch);
}

template <typename Visit>
void visit_fields(ParallelRecipe& recipe, const Visit& visit) {
  visit("extent", recipe.extent);
  visit("grain", recipe.grain);
}

template <typename Visit>
void visit_fields(BlasRecipe& recipe, const Visit& visit) {
  visit("a", recipe.a);
  visit("b", recipe.b);
  visit("c", recipe.c);
  visit("dtype", recipe.dtype);
  visit("batch", recipe.batch);
  visit("m", recipe.m);
  visit("n", recipe.n);
  visit("k", recipe.k);
  visit("a_batch_stride", recipe.a_batch_stride);
  visit("b_batch_stride", recipe.b_batch_stride);
  visit("a_row_stride", recipe.a_row_stride);
  visit("a_col_stride", recipe.a_col_stride);
  visit("b_row_stride", recipe.b_row_stride);
  visit("b_col_stride", recipe.b_col_stride);
  visit("panel_rows", recipe.panel_rows);
  visit("convert_a", recipe.convert_a);
  visit("convert_b", recipe.convert_b);
  visit("epilogue", recipe.epilogue);
}

template <typename Visit>
void visit_fields(Entry& entry, const Visit& visit) {
  visit("symbol", entry.symbol);
  visit("kind", entry.kind);
  visit("is_called", entry.is_called);
  visit("arguments", entry.arguments);
  if (entry.kind == EntryKind::Launch) visit("launch", entry.launch);
  if (entry.kind == EntryKind::Parallel) visit("parallel", entry.parallel);
  if (entry.kind == EntryKind::Blas) visit("blas", entry.blas);
}

template <typename Visit>
void visit_fields(Workspace& workspace, const Visit& visit) {
  visit("name", workspace.name);
  visit("size_bytes", workspace.size_bytes);
  visit("zeroed", workspace.zeroed);
}

/// Text as an array of lines, so that a diff of two programs shows the lines that differ.
struct Lines {
  std::string& text;
};

template <typename Visit>
void visit_fields(Source& source, const Visit& visit) {
  visit("name", source.name);
  visit("language", source.language);
  Lines lines{source.text};
  visit("text", lines);
}

template <typename Visit>
void visit_fields(Program& program, const Visit& visit) {
  visit("backend", program.backend);
  visit("workspaces", program.workspaces);
  visit("entries", program.entries);
  visit("sources", program.sources);
}

template <typename T>
constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

template <typename T>
Json write(T& value);

Json write_lines(const std::string& text) {
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
  for (auto& item : items) array.push_back(write(item));
  return array;
}

template <typename T>
Json write(std::vector<T>& items) {
  return write_items(items);
}

template <typename T, std::size_t n>
Json write(T (&items)[n]) {
  return write_items(items);
}

template <typename T>
Json write(T& value) {
  if constexpr (kIsPlain<T>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return names_of(value)[static_cast<std::size_t>(value)];
  } else if constexpr (std::is_same_v<T, ir::IndexExpr>) {
    return ir::to_string(value);
  } else if constexpr (std::is_same_v<T, Lines>) {
    return write_lines(value.text);
  } else {
    Json object = Json::object();
    visit_fields(value, [&](const char* name, auto& field) { object[name] = write(field); });
    return object;
  }
}

template <typename T>
void read(const Json& json, T& value);

void read_lines(const Json& json, std::string& text) {
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
void read(const Json& json, std::vector<T>& items) {
  items.resize(json.size());
  for (std::size_t i = 0; i < items.size(); ++i) read(json.at(i), items[i]);
}

template <typename T, std::size_t n>
void read(const Json& json, T (&items)[n]) {
  if (json.size() != n) {
    support::throw_user("program text: found a list of {}, {} are needed", json.size(), n);
  }
  for (std::size_t i = 0; i < n; ++i) read(json.at(i), items[i]);
}

template <typename T>
void read(const Json& json, T& value) {
  if constexpr (kIsPlain<T>) {
    json.get_to(value);
  } else if constexpr (std::is_enum_v<T>) {
    read_enum(json, value);
  } else if constexpr (std::is_same_v<T, ir::IndexExpr>) {
    value = ir::parse_dim(json.get<std::string>(), "program text");
  } else if constexpr (std::is_same_v<T, Lines>) {
    read_lines(json, value.text);
  } else {
    visit_fields(value, [&](const char* name, auto& field) { read(json.at(name), field); });
  }
}

}  // namespace

std::string to_string(const Program& program) {
  Program copy = program;  // visit_fields serves readers too, so it takes what it may change
  return write(copy).dump(2) + "\n";
}

Program parse_program(const std::string& text) {
  Program program;
  try {
    read(Json::parse(text), program);
  } catch (const nlohmann::json::exception& error) {
    support::throw_user("program text: {}", error.what());
  }
  return program;
}

}  // namespace sinter::codegen
