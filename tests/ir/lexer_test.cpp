// Tokens, location comments, and messages of the lexer.
#include "support/lexer.h"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using sinter::UserError;
using sinter::support::is_identifier;
using sinter::support::quote;
using sinter::support::TokenKind;
using sinter::support::TokenStream;

namespace {

std::string kinds_and_texts(std::string_view text) {
  static constexpr std::string_view kLetters = "IVNQSE";
  TokenStream tokens(text);
  std::string all;
  while (!tokens.at_end()) {
    const auto token = tokens.next();
    all += kLetters[static_cast<std::size_t>(token.kind)];
    all += ":" + token.text + " ";
  }
  return all;
}

}  // namespace

TEST_CASE("words, values, numbers, texts and symbols are told apart") {
  CHECK(kinds_and_texts("f32 %x %3 %3.1 %x.1") == "I:f32 V:%x V:%3 V:%3.1 V:%x N:.1 ");
  CHECK(kinds_and_texts("12 0.5 1e-3 2E+10 .25 0x1f") == "N:12 N:0.5 N:1e-3 N:2E+10 N:.25 N:0x1f ");
  CHECK(kinds_and_texts("-0.0 inf n%8 0x1e-3") == "S:- N:0.0 I:inf I:n V:%8 N:0x1e S:- N:3 ");
  CHECK(kinds_and_texts("a<=b->[c]") == "I:a S:<= I:b S:-> S:[ I:c S:] ");
  CHECK(kinds_and_texts("\"a \\\"b\\\" \\\\ \\n\"") == "Q:a \"b\" \\ \n ");
}

TEST_CASE("comments are skipped") {
  CHECK(kinds_and_texts("a // b\n// c\nd") == "I:a I:d ");
  CHECK(kinds_and_texts("// only") == "");
  CHECK(kinds_and_texts("") == "");
}

TEST_CASE("lines and columns count from one") {
  TokenStream tokens("a\n  bc d");

  tokens.next();
  CHECK(tokens.peek().line == 2);
  CHECK(tokens.peek().column == 3);
  CHECK(tokens.peek(1).column == 6);
}

TEST_CASE("a location comment belongs to the line of the last token") {
  TokenStream tokens("a // my op.cpp:12\nb // words: none\nc // C:/x.cpp:3\nd // :4\ne");

  tokens.next();
  CHECK(tokens.location_comment().file == "my op.cpp");
  CHECK(tokens.location_comment().line == 12);
  tokens.next();
  CHECK(tokens.location_comment().line == 0);
  tokens.next();
  CHECK(tokens.location_comment().file == "C:/x.cpp");
  tokens.next();
  CHECK(tokens.location_comment().line == 0);
  tokens.next();
  CHECK(tokens.location_comment().line == 0);
}

TEST_CASE("whole numbers have a sign and a range") {
  CHECK(TokenStream("-9223372036854775808").expect_integer("a number") == INT64_MIN);
  CHECK_THROWS_WITH_AS(TokenStream("9223372036854775808", "t").expect_integer("a number"),
                       "t:1:1: 9223372036854775808 does not fit 64 bits", UserError);
  CHECK_THROWS_WITH_AS(TokenStream("1.5", "t").expect_integer("a step"),
                       "t:1:1: found '1.5', a step is needed", UserError);
}

TEST_CASE("what is needed and not found is a user error") {
  TokenStream tokens("a\n  b", "task.yaml");

  tokens.expect("a");
  CHECK_THROWS_WITH_AS(tokens.expect(")"), "task.yaml:2:3: found 'b', ')' is needed", UserError);
  CHECK_THROWS_WITH_AS(tokens.expect_value_name("a value"),
                       "task.yaml:2:3: found 'b', a value is needed", UserError);
  CHECK_THROWS_WITH_AS(tokens.expect_end(), "task.yaml:2:3: found 'b', the end is needed",
                       UserError);
  tokens.expect("b");
  CHECK_THROWS_WITH_AS(tokens.expect("}"), "task.yaml:2:4: found the end, '}' is needed",
                       UserError);
}

TEST_CASE("characters that start nothing and texts without an end are user errors") {
  CHECK_THROWS_WITH_AS(TokenStream("a ? b", "t"),
                       "t:1:3: found '?', which starts no word, number or symbol", UserError);
  CHECK_THROWS_WITH_AS(TokenStream("\"abc\n\"", "t"),
                       "t:1:1: the string has no end, '\"' is needed", UserError);
}

TEST_CASE("a character that starts nothing is shown whole, or as an escaped byte") {
  const auto message = [](std::string_view text) {
    try {
      TokenStream tokens(text, "t");
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };

  CHECK(message("%\u00e9") == "t:1:2: found '\u00e9', which starts no word, number or symbol");
  CHECK(message("a \U0001f600") ==
        "t:1:3: found '\U0001f600', which starts no word, number or symbol");
  CHECK(message("\xc3(") == "t:1:1: found '\\xc3', which starts no word, number or symbol");
  CHECK(message("\x1b[0m") == "t:1:1: found '\\x1b', which starts no word, number or symbol");
}

TEST_CASE("recursive parsers stop before the stack does") {
  TokenStream tokens("x", "t");
  std::vector<std::unique_ptr<TokenStream::Nesting>> levels;

  for (int i = 0; i < 100; ++i) levels.push_back(std::make_unique<TokenStream::Nesting>(tokens));

  CHECK_THROWS_WITH_AS(TokenStream::Nesting{tokens}, "t:1:1: the text nests deeper than 100",
                       UserError);
  levels.clear();
  CHECK_NOTHROW(TokenStream::Nesting{tokens});
}

TEST_CASE("quoting is undone by reading") {
  const std::string text = "a \"b\" \\ \n c";

  CHECK(TokenStream(quote(text)).next().text == text);
  CHECK(is_identifier("_a1"));
  CHECK_FALSE(is_identifier("1a"));
  CHECK_FALSE(is_identifier("a.b"));
  CHECK_FALSE(is_identifier(""));
}
