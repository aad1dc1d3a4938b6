// Messages of the kernel parser, and details of the text form.
#include <doctest/doctest.h>

#include "ir/text.h"

using namespace sinter;
using namespace sinter::ir;

namespace {

/// A kernel text with `line` as its last line; line 5 of the text.
std::string with(const std::string& line) {
  return "kernel k {\n  axis i: m\n  in x: f32[m]\n  out y: f32[m]\n  " + line + "\n}\n";
}

std::string parse_error(const std::string& text) {
  try {
    parse_kernel(text, "t");
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("values have any names and are numbered anew") {
  const Kernel kernel = parse_kernel(
      with("%x: f32 (i) = load() {param: x, map: [i]} store(%x) {param: y, map: [i]}"));

  CHECK(to_string(kernel) == with("%0: f32 (i) = load() {param: x, map: [i]}\n"
                                  "  store(%0) {param: y, map: [i]}"));
}

TEST_CASE("host scalars print and parse back") {
  const std::string text =
      "kernel k {\n  host alpha: f32\n  out y: f32\n  %0: f32 = load() {param: alpha, map: []}\n"
      "  store(%0) {param: y, map: []}\n}\n";

  const Kernel kernel = parse_kernel(text);

  CHECK(kernel.params()[0].is_host);
  CHECK(kernel.params()[0].role == ParamRole::In);
  CHECK(to_string(kernel) == text);
}

TEST_CASE("the mode prints unless it is the default") {
  Kernel kernel("k", Mode::Strict);

  CHECK(to_string(kernel) == "kernel k {\n  mode strict\n}\n");
  CHECK(parse_kernel(to_string(kernel)) == kernel);
}

TEST_CASE("locations are read and printed again") {
  const std::string text = with("%0: f32 (i) = load() {param: x, map: [i]}  // a/b.cpp:12");

  const Kernel kernel = parse_kernel(text);

  CHECK(kernel.node(0u).location.file == "a/b.cpp");
  CHECK(kernel.node(0u).location.line == 12);
  CHECK(to_string(kernel) == text);
}

TEST_CASE("syntax errors name line and column") {
  CHECK(parse_error("graph") == "t:1:1: found 'graph', 'kernel' is needed");
  CHECK(parse_error(with("%0 = load()")) == "t:5:6: found '=', ':' is needed");
  CHECK(parse_error(with("bogus")) ==
        "t:5:3: found 'bogus', axis, in, host, out, a value, store or '}' is needed");
  CHECK(parse_error("kernel k {") ==
        "t:1:11: found the end, axis, in, host, out, a value, store or '}' is needed");
  CHECK(parse_error("kernel k { mode quick }") ==
        "t:1:17: found 'quick', a mode (default, strict or fast) is needed");
  CHECK(parse_error(with("") + "x") == "t:7:1: found 'x', the end is needed");
}

TEST_CASE("unknown names say what is needed") {
  CHECK(parse_error(with("%0: f32 (i) = reduse()")) ==
        "t:5:17: found 'reduse', an operator is needed; did you mean 'reduce'?");
  CHECK(parse_error(with("%0: f31 = load()")) ==
        "t:5:7: found 'f31', an element type (bool, i32, f32, bf16, ...) is needed");
  CHECK(parse_error(with("%0: f32 (k) = load()")) ==
        "t:5:12: found 'k', an axis of the kernel is needed");
  CHECK(parse_error(with("%0: f32 (i) = load() {param: z, map: [i]}")) ==
        "t:5:32: found 'z', a parameter of the kernel is needed");
  CHECK(parse_error(with("%0: f32 (i) = neg(%7)")) == "t:5:21: %7 is not defined before its use");
}

TEST_CASE("attributes say what is needed") {
  CHECK(parse_error(with("%0: f32 (i) = load() {parm: x}")) ==
        "t:5:25: found 'parm', the name of an attribute is needed");
  CHECK(parse_error(with("%0: f32 = load() {param: x, param: x}")) ==
        "t:5:31: attribute param is given twice");
  CHECK(parse_error(with("%0: f32 = constant() {value: 300: u8}")) ==
        "t:5:32: 300 is no value of u8");
  CHECK(parse_error(with("%0: f32 = index() {map: [i / 2]}")) ==
        "t:5:30: found '/', ']' is needed");
}

TEST_CASE("written types and domains must be those that follow from the operands") {
  CHECK(parse_error(with("%0: f16 (i) = load() {param: x, map: [i]}")) ==
        "t:5:3: %0 is written with another type than its operands give: f32 (i)");
  CHECK(parse_error(with("%0: f32 = load() {param: x, map: [i]}")) ==
        "t:5:3: %0 is written with another domain than its operands give: f32 (i)");
  CHECK(parse_error(with("%0: f32, %1: f32 = load() {param: x, map: [i]}")) ==
        "t:5:3: %0 is written with another type than its operands give: f32 (i)");
  CHECK(parse_error(with("%0: bool = constant() {value: true: bool} %1: bool = exp(%0)"))
            .starts_with("t:5:56: %1 = exp: "));
}

TEST_CASE("a value is defined once") {
  CHECK(parse_error(with("%0: i64 (i) = index() {map: [i]} %0: i64 (i) = index() {map: [i]}")) ==
        "t:5:36: %0 is defined twice");
}

TEST_CASE("dimensions are sums of products of numbers and names") {
  const Dim n = Dim::size("n");
  const Dim m = Dim::size("m");

  CHECK(parse_dim("2*n + 1") == n * 2 + 1);
  CHECK(parse_dim("-(n - m)*3") == (m - n) * 3);
  CHECK(parse_dim("max(n, 1) * min(2, m)") == max(n, 1) * min(m, 2));
  CHECK(parse_dim("floor((n + 3) / 4)") == floor_div(n + 3, 4));
  CHECK(parse_dim("mod(n, m)") == mod(n, m));
  CHECK(parse_dim("floor") == Dim::size("floor"));
}

TEST_CASE("what is no dimension is a user error") {
  CHECK_THROWS_WITH_AS(parse_dim("n / 2", "t"),
                       "t:1:3: found '/', floor(a / b) as the form of a division is needed",
                       UserError);
  CHECK_THROWS_WITH_AS(parse_dim("n m", "t"), "t:1:3: found 'm', the end is needed", UserError);
  CHECK_THROWS_WITH_AS(parse_dim("log(n)", "t"),
                       "t:1:1: found 'log', floor, mod, min or max is needed", UserError);
  CHECK_THROWS_WITH_AS(parse_dim("%3", "t"), "t:1:1: found '%3', a size or a number is needed",
                       UserError);
  CHECK_THROWS_WITH_AS(parse_dim(std::string(200, '('), "t"),
                       "t:1:101: the text nests deeper than 100", UserError);
  CHECK_THROWS_AS(parse_dim("floor(n / 0)", "t"), UserError);
}
