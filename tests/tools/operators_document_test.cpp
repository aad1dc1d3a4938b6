// docs/operators.md: whole, up to date, and right.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/language_reference.h"
#include "tests/support/operator_example.h"
#include "tests/support/run_program.h"

namespace sinter::tests {

namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string public_headers() {
  std::string text;
  for (const auto& file : std::filesystem::directory_iterator("include/sinter")) {
    text += read(file.path());
  }
  return text;
}

/// The names of "sn::name(".
std::vector<std::string> functions_in(const std::string& cpp) {
  std::vector<std::string> names;
  for (std::size_t at = cpp.find("sn::"); at != std::string::npos; at = cpp.find("sn::", at + 1)) {
    std::size_t end = at + 4;
    while (end < cpp.size() && (std::isalnum(cpp[end]) != 0 || cpp[end] == '_')) ++end;
    if (end < cpp.size() && cpp[end] == '(') names.push_back(cpp.substr(at + 4, end - at - 4));
  }
  return names;
}

/// Where `given` and `needed` part, with some of both.
std::string first_difference(const std::string& given, const std::string& needed) {
  std::istringstream a(given);
  std::istringstream b(needed);
  std::string line_a;
  std::string line_b;
  for (int number = 1;; ++number) {
    const bool has_a = static_cast<bool>(std::getline(a, line_a));
    const bool has_b = static_cast<bool>(std::getline(b, line_b));
    if (!has_a && !has_b) return "";
    if (has_a && has_b && line_a == line_b) continue;
    return "line " + std::to_string(number) + " is\n" + line_a + "\nand should be\n" + line_b +
           "\nRun bin/language_reference docs/operators.md";
  }
}

std::string message_of(const std::string& example) {
  try {
    parse_example(example);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

std::string table_message_of(const std::string& text) {
  try {
    parse_operator_table(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("every operator that a user can write has a formula, an example and its defaults") {
  CHECK(table_faults(read_operator_table()) == "");
}

TEST_CASE("docs/operators.md is what ops.def, ops.examples and the CPU give") {
  const std::string page = make_language_reference(read_operator_table());

  CHECK(first_difference(read("docs/operators.md"), page) == "");
}

TEST_CASE("the reference agrees with every example of docs/operators.md") {
  for (const OperatorEntry& entry : read_operator_table().entries) {
    for (const std::string& line : entry.examples) {
      const OperatorExample example = parse_example(line);
      CheckCounts counts;

      const std::string trouble =
          check_on_device(example.graph, example.inputs, Device::cpu(), {}, &counts);

      CHECK_MESSAGE(trouble == "", line);
      CHECK_MESSAGE(counts.undecided == 0, line);
    }
  }
}

TEST_CASE("an attribute that is given its default changes no result") {
  const OperatorTable table = read_operator_table();
  int defaults = 0;
  for (const OperatorEntry& entry : table.entries) {
    for (const ir::AttributeRule& rule : ir::graph_attributes(entry.op)) {
      const AttributeDefault* absent = table.default_of(entry, rule.name);
      const bool is_parameter = entry.op == ir::Op::Parameter;
      if (rule.required || is_parameter || !absent->value) continue;
      const OperatorExample without = parse_example(entry.examples[0]);
      const OperatorExample with = parse_example(entry.examples[0], {{rule.name, *absent->value}});

      const DeviceOutputs expected = run_on_device(without.graph, without.inputs, Device::cpu());
      const DeviceOutputs outputs = run_on_device(with.graph, with.inputs, Device::cpu());

      CHECK_MESSAGE(outputs == expected, entry.examples[0], " with ", ir::to_string(rule.name));
      ++defaults;
    }
  }
  CHECK(defaults > 60);
}

TEST_CASE("C++ names of docs/operators.md stand in public headers") {
  const std::string headers = public_headers();
  for (const OperatorEntry& entry : read_operator_table().entries) {
    for (const std::string& name : functions_in(entry.cpp)) {
      CHECK_MESSAGE(headers.find(" " + name + "(") != std::string::npos, name);
    }
  }
}

TEST_CASE("examples that are none are refused with their place") {
  CHECK(message_of("neg([1, 2]") == "example:1:11: found the end, ')' is needed");
  CHECK(message_of("neg([[1, 2], [3]])") ==
        "example:1:16: found ']', a list of 2 elements, as before, is needed");
  CHECK(message_of("neg([[1], 2])") == "example:1:11: found '2', '[', as before, is needed");
  CHECK(message_of("neg([1.5]: i32)") == "example:1:5: '1.5' is no i32");
  CHECK(message_of("exp([1]: i32)") == "example:1:1: exp needs floating point; given i32[1]");
}

TEST_CASE("a table of operators that is none is refused with the line") {
  CHECK(table_message_of("# A\nnothing\n") == "ir/ops.examples:2: 'nothing' is no operator");
  CHECK(table_message_of("# A\nneg\nneg\n") == "ir/ops.examples:3: 'neg' stands here twice");
  CHECK(table_message_of("# A\nneg\n  formula r\n  formula r\n") ==
        "ir/ops.examples:4: the field was given before");
  CHECK(table_message_of("# A\nneg\n  kind r\n") ==
        "ir/ops.examples:3: 'kind' is none of c++, formula, default, absent, example");
  CHECK(table_message_of("# A\nneg\n  default size 1\n") ==
        "ir/ops.examples:3: 'size' is no attribute");
  CHECK(table_message_of("# A\nneg\n  default axis 1\n") ==
        "ir/ops.examples:3: operator neg has no optional attribute axis");
  CHECK(table_message_of("# A\n  formula r\n") ==
        "ir/ops.examples:2: the field has no operator before it");
}

TEST_CASE("what a table of operators lacks is named") {
  OperatorTable table = parse_operator_table("# A\nneg\nelu\n  example neg([1])\n");

  const std::string faults = table_faults(table);

  CHECK(faults.find("abs has no entry\n") != std::string::npos);
  CHECK(faults.find("neg has no formula\nneg has no c++\nneg has no example\n") !=
        std::string::npos);
  CHECK(faults.find("an example of elu is one of neg\n") != std::string::npos);
  CHECK(faults.find("elu does not say what holds without attribute alpha\n") != std::string::npos);
}

TEST_CASE("the program that writes the page says what it cannot do") {
  const std::string program = program_folder() + "/language_reference";

  const ProgramResult two = run_program({program, "one.md", "two.md"});
  const ProgramResult nowhere = run_program({program, "/proc/none/page.md"});

  CHECK(two.exit_code == 2);
  CHECK(two.err == "language_reference: at most one path is needed; given 2\n");
  CHECK(nowhere.exit_code == 1);
  CHECK(nowhere.err == "language_reference: '/proc/none/page.md' cannot be written\n");
}

}  // namespace sinter::tests
