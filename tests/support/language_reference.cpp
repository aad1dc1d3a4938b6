// Writes the page on operators.
#include "tests/support/language_reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/support/operator_example.h"

namespace sinter::tests {

namespace {

constexpr const char* kHead = R"(# Operators

Every operator of the language: `language_reference` writes this page from [ir/ops.def](../ir/ops.def), its attributes
([ir/attributes.def](../ir/attributes.def)) and [ir/ops.examples](../ir/ops.examples), and computes the results on the
CPU; the tests check that it is up to date and that the reference agrees. After a change, in the repository's root:

    build/dev/bin/language_reference docs/operators.md

Each entry: the formula (r is the result, r0, r1, ... where there are several; a, b, c, ... are the operands), the
meaning, how C++ writes it (its defaults stand in the headers), what the operands may be, and the attributes of the text
form ([language](language.md)); then examples, whose operands are literals: `[1, 2]: i64` has that dtype, without a name
it is f32, or bool. Floats show four digits. [Semantics](semantics.md) has the rules that hold for many operators,
[differences](differences.md) what other libraries do.
)";

std::string_view dtypes_text(ir::OpDTypes dtypes) {
  switch (dtypes) {
    case ir::OpDTypes::Any: return "any dtype";
    case ir::OpDTypes::Numeric: return "integers and floats";
    case ir::OpDTypes::Float: return "floats";
    case ir::OpDTypes::Integer: return "integers";
    case ir::OpDTypes::Bits: return "bool and integers";
  }
  return "";
}

std::string operands_text(const ir::OpInfo& row) {
  const std::string_view dtypes = dtypes_text(row.dtypes);
  if (row.arity == 0) return "No operands";
  if (row.arity == 1) return fmt::format("One operand: {}", dtypes);
  const std::string count =
      row.arity < 0 ? std::string("One operand or more") : fmt::format("{} operands", row.arity);
  const bool may_differ = row.op_class == ir::OpClass::Composite || row.arity < 0;
  return fmt::format("{}{}: {}", count, may_differ ? ", the first" : "", dtypes);
}

std::string attribute_text(const OperatorTable& table, const OperatorEntry& entry,
                           const ir::AttributeRule& rule) {
  std::string text =
      fmt::format("`{}` {}", ir::to_string(rule.name), ir::attribute_type_text(rule.name));
  if (rule.required) return text;
  const AttributeDefault* absent = table.default_of(entry, rule.name);
  if (!absent) return text;
  const bool is_value = absent->value.has_value();
  return text + fmt::format(" ({}{}{} unless given)", is_value ? "`" : "", absent->text,
                            is_value ? "`" : "");
}

std::string attributes_text(const OperatorTable& table, const OperatorEntry& entry) {
  std::vector<std::string> texts;
  for (const ir::AttributeRule& rule : ir::graph_attributes(entry.op)) {
    texts.push_back(attribute_text(table, entry, rule));
  }
  return texts.empty() ? "" : fmt::format(" Attributes: {}.", fmt::join(texts, ", "));
}

std::string entry_text(const OperatorTable& table, const OperatorEntry& entry) {
  const ir::OpInfo& row = ir::info(entry.op);
  std::string text =
      fmt::format("\n### {}\n\n`{}` · {}.\n\n", row.text, entry.formula, row.meaning);
  text += fmt::format("C++: `{}`. {}.{}\n\n", entry.cpp, operands_text(row),
                      attributes_text(table, entry));
  for (const std::string& line : entry.examples) {
    const OperatorExample example = parse_example(line);
    const DeviceOutputs outputs = run_on_device(example.graph, example.inputs, Device::cpu());
    text += fmt::format("    {}\n    = {}\n", line, to_text(example.graph, outputs));
  }
  return text;
}

/// Of GitHub's links to headings: small letters, blanks as dashes.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') anchor += '-';
    if (c >= 'a' && c <= 'z') anchor += c;
    if (c >= 'A' && c <= 'Z') anchor += static_cast<char>(c - 'A' + 'a');
  }
  return anchor;
}

std::string contents(const OperatorTable& table) {
  std::string text = "\n| | |\n|---|---|\n";
  std::string family;
  for (const OperatorEntry& entry : table.entries) {
    const std::string_view name = ir::to_string(entry.op);
    if (entry.family == family) {
      text.insert(text.size() - 3, fmt::format(" [{}](#{})", name, name));
      continue;
    }
    family = entry.family;
    text += fmt::format("| [{}](#{}) | [{}](#{}) |\n", family, anchor_of(family), name, name);
  }
  return text;
}

bool is_used(const OperatorTable& table, ir::AttributeName name) {
  return std::any_of(table.entries.begin(), table.entries.end(), [&](const OperatorEntry& entry) {
    const auto rules = ir::graph_attributes(entry.op);
    return std::any_of(rules.begin(), rules.end(),
                       [&](const ir::AttributeRule& rule) { return rule.name == name; });
  });
}

/// Those of Graphs; others are of kernels only.
std::string attributes_section(const OperatorTable& table) {
  struct Row {
    ir::AttributeName name;
    std::string_view meaning;
  };
  static constexpr Row kRows[] = {
#define SINTER_ATTRIBUTE(name, text, kind, meaning) {ir::AttributeName::name, meaning},
#include "ir/attributes.def"
#undef SINTER_ATTRIBUTE
  };
  std::string text = "\n## Attributes\n\n| name | value | meaning |\n|---|---|---|\n";
  for (const Row& row : kRows) {
    if (!is_used(table, row.name)) continue;
    text += fmt::format("| `{}` | {} | {} |\n", ir::to_string(row.name),
                        ir::attribute_type_text(row.name), row.meaning);
  }
  return text;
}

std::string entry_faults(const OperatorTable& table, const OperatorEntry& entry) {
  const std::string_view name = ir::to_string(entry.op);
  std::string faults;
  if (entry.formula.empty()) faults += fmt::format("{} has no formula\n", name);
  if (entry.cpp.empty()) faults += fmt::format("{} has no c++\n", name);
  if (entry.examples.empty()) faults += fmt::format("{} has no example\n", name);
  for (const std::string& line : entry.examples) {
    const ir::Op used = parse_example(line).outermost();
    if (used == entry.op) continue;
    faults += fmt::format("an example of {} is one of {}\n", name, ir::to_string(used));
  }
  for (const ir::AttributeRule& rule : ir::graph_attributes(entry.op)) {
    if (rule.required || table.default_of(entry, rule.name)) continue;
    faults += fmt::format("{} does not say what holds without attribute {}\n", name,
                          ir::to_string(rule.name));
  }
  return faults;
}

}  // namespace

std::string make_language_reference(const OperatorTable& table) {
  std::string text = kHead + contents(table);
  std::string family;
  for (const OperatorEntry& entry : table.entries) {
    if (entry.family != family) {
      family = entry.family;
      text += fmt::format("\n## {}\n", family);
    }
    text += entry_text(table, entry);
  }
  return text + attributes_section(table);
}

std::string table_faults(const OperatorTable& table) {
  std::string faults;
  for (const ir::OpInfo& row : ir::all_ops()) {
    const OperatorEntry* entry = table.find(row.op);
    const bool is_for_users = row.level != ir::OpLevel::Kernel;
    if (is_for_users && !entry) faults += fmt::format("{} has no entry\n", row.text);
    if (!is_for_users && entry) faults += fmt::format("{} is of kernels only\n", row.text);
    if (entry) faults += entry_faults(table, *entry);
  }
  return faults;
}

}  // namespace sinter::tests
