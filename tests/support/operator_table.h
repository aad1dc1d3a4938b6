// ir/ops.examples: what the page on operators says beside the rows of ops.def.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/attribute_rules.h"

namespace sinter::tests {

/// What holds where an attribute is not given: a value, or words.
struct AttributeDefault {
  ir::AttributeName name;
  std::optional<ir::AttributeValue> value;
  std::string text;
};

struct OperatorEntry {
  ir::Op op = ir::Op::None;
  std::string family;
  std::string cpp;
  std::string formula;
  std::vector<AttributeDefault> defaults;
  std::vector<std::string> examples;
};

struct OperatorTable {
  /// Of every operator whose entry has none for that name.
  std::vector<AttributeDefault> defaults;
  std::vector<OperatorEntry> entries;

  /// nullptr where there is none.
  const OperatorEntry* find(ir::Op op) const;
  /// nullptr where the table has none.
  const AttributeDefault* default_of(const OperatorEntry& entry, ir::AttributeName name) const;
};

/// UserError with the line for a field, operator or attribute that there is not, a field given twice, and an
/// operator that stands twice.
OperatorTable parse_operator_table(const std::string& text);
/// That of the repository, in whose root the program runs. UserError where it is not there.
OperatorTable read_operator_table();

}  // namespace sinter::tests
