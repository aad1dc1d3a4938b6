// Tokens of Sinter's text forms, and the messages of their parsers.
//
//   kind        examples
//   Identifier  f32, batch, inf, nan, fn
//   ValueName   %x, %3, %3.1 (text keeps the %)
//   Number      12, 0.5, 1e-3, 0x1f; never signed: '-' is a Symbol of its own
//   String      "a \"quoted\" text" (text without quotes and escapes)
//   Symbol      ( ) [ ] { } < > , : ; = + - * / % ! . and the pairs <= >= -> ==
//
// `//` starts a comment to the end of the line. Only `// file:line` comments mean something: see
// TokenStream::location_comment.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinter/error.h"

namespace sinter::support {

enum class TokenKind : std::uint8_t { Identifier, ValueName, Number, String, Symbol, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;
  int line = 1;    // from 1
  int column = 1;  // from 1, in bytes
};

/// A letter or _, then letters, digits and _: what stands in texts without quotes.
bool is_identifier(std::string_view text);
/// In quotes, with \" \\ \n escaped: what a String token reads.
std::string quote(std::string_view text);

/// The tokens of a text, read from left to right. All errors are UserErrors of the form
/// "origin:line:column: found 'x', <what> is needed".
class TokenStream {
 public:
  explicit TokenStream(std::string_view text, std::string origin = "text");

  const Token& peek(std::size_t ahead = 0) const;
  Token next();
  bool at_end() const { return peek().kind == TokenKind::End; }
  /// Whether the next token is this symbol or identifier.
  bool is(std::string_view text, std::size_t ahead = 0) const;
  /// Takes the next token if it is this symbol or identifier.
  bool accept(std::string_view text);
  /// Takes this symbol or identifier, or fails: "')' is needed".
  void expect(std::string_view text);
  /// `what` names the thing needed, with its article: "an axis".
  std::string expect_identifier(std::string_view what);
  Token expect_value_name(std::string_view what);
  /// A whole number with an optional '-'.
  std::int64_t expect_integer(std::string_view what);
  void expect_end();

  /// The `// file:line` comment on the line of the last token taken; line 0 where there is none.
  SourceLocation location_comment() const;

  /// "origin:line:column: found 'x', `needed` is needed`hint`".
  [[noreturn]] void fail_needed(std::string_view needed, std::string_view hint = "") const;
  /// "origin:line:column: `message`".
  [[noreturn]] void fail(const Token& at, std::string_view message) const;

  /// Held by each level of a recursive parser: fails past 100 levels, so that a hostile text cannot
  /// overflow the stack.
  class Nesting {
   public:
    explicit Nesting(TokenStream& tokens);
    ~Nesting() { --tokens_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    TokenStream& tokens_;
  };

 private:
  std::string origin_;
  std::vector<Token> tokens_;  // the last is End
  std::map<int, std::string> comments_;
  std::size_t position_ = 0;
  int depth_ = 0;
};

}  // namespace sinter::support
