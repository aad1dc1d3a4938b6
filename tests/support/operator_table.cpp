// Reads ir/ops.examples line by line.
#include "tests/support/operator_table.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "ir/text_attributes.h"
#include "support/check.h"

namespace sinter::tests {

namespace {

constexpr const char* kPath = "ir/ops.examples";

/// The first word of `text`, which keeps what follows the blank after it.
std::string take_word(std::string& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string word = text.substr(0, end);
  text.erase(0, std::min(end + 1, text.size()));
  return word;
}

class TableParser {
 public:
  OperatorTable run(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      if (line.empty() || line.starts_with("//")) continue;
      parse_line(line);
    }
    return std::move(table_);
  }

 private:
  void parse_line(const std::string& line) {
    if (line.starts_with("# ")) {
      family_ = line.substr(2);
    } else if (line.starts_with("  ")) {
      if (table_.entries.empty()) fail("the field has no operator before it");
      parse_field(line.substr(2), table_.entries.back());
    } else if (family_.empty()) {
      table_.defaults.push_back(parse_default(line));
    } else {
      begin_entry(line);
    }
  }

  void begin_entry(const std::string& name) {
    const auto op = ir::parse_op(name);
    if (!op) fail("'" + name + "' is no operator");
    if (table_.find(*op)) fail("'" + name + "' stands here twice");
    table_.entries.push_back({*op, family_, "", "", {}, {}});
  }

  void parse_field(std::string rest, OperatorEntry& entry) {
    const std::string line = rest;
    const std::string field = take_word(rest);
    if (field == "c++") return set_once(entry.cpp, rest);
    if (field == "formula") return set_once(entry.formula, rest);
    if (field == "example") return entry.examples.push_back(rest);
    const AttributeDefault given = parse_default(line);
    const auto rules = ir::graph_attributes(entry.op);
    const bool has_attribute = std::any_of(rules.begin(), rules.end(), [&](const auto& rule) {
      return rule.name == given.name && !rule.required;
    });
    if (!has_attribute) {
      fail("operator " + std::string(ir::to_string(entry.op)) + " has no optional attribute " +
           std::string(ir::to_string(given.name)));
    }
    entry.defaults.push_back(given);
  }

  void set_once(std::string& field, const std::string& text) {
    if (!field.empty()) fail("the field was given before");
    field = text;
  }

  AttributeDefault parse_default(std::string rest) {
    const std::string field = take_word(rest);
    if (field != "default" && field != "absent") {
      fail("'" + field + "' is none of c++, formula, default, absent, example");
    }
    const std::string name = take_word(rest);
    const auto attribute = ir::parse_attribute_name(name);
    if (!attribute) fail("'" + name + "' is no attribute");
    if (field == "absent") return {*attribute, {}, rest};
    support::TokenStream tokens("{" + name + ": " + rest + "}", kPath);
    return {*attribute, ir::parse_attributes(tokens).list().at(0).value, rest};
  }

  [[noreturn]] void fail(const std::string& message) const {
    support::throw_user("{}:{}: {}", kPath, line_, message);
  }

  OperatorTable table_;
  std::string family_;
  int line_ = 0;
};

const AttributeDefault* find_default(const std::vector<AttributeDefault>& defaults,
                                     ir::AttributeName name) {
  for (const AttributeDefault& candidate : defaults) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

}  // namespace

const OperatorEntry* OperatorTable::find(ir::Op op) const {
  for (const OperatorEntry& entry : entries) {
    if (entry.op == op) return &entry;
  }
  return nullptr;
}

const AttributeDefault* OperatorTable::default_of(const OperatorEntry& entry,
                                                  ir::AttributeName name) const {
  const AttributeDefault* own = find_default(entry.defaults, name);
  return own ? own : find_default(defaults, name);
}

OperatorTable parse_operator_table(const std::string& text) { return TableParser().run(text); }

OperatorTable read_operator_table() {
  std::ifstream file(kPath);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    support::throw_user("'{}' cannot be read; run in the root of the repository", kPath);
  }
  return parse_operator_table(text.str());
}

}  // namespace sinter::tests
