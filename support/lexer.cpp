// The lexer and the token stream of all text forms.
#include "support/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "support/check.h"
#include "support/printable.h"

namespace sinter::support {

namespace {

constexpr int kDeepestNesting = 100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Cuts a text into tokens; remembers the comment of each line.
class Lexer {
 public:
  Lexer(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

  std::vector<Token> run(std::map<int, std::string>& comments) {
    std::vector<Token> tokens;
    while (true) {
      skip_blanks(comments);
      start_line_ = line_;
      start_column_ = column();
      if (at_ == text_.size()) break;
      tokens.push_back(read_token());
    }
    tokens.push_back({TokenKind::End, "", start_line_, start_column_});
    return tokens;
  }

 private:
  char here(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  int column() const { return static_cast<int>(at_ - line_begin_) + 1; }

  [[noreturn]] void fail(std::string_view message) const {
    throw_user("{}:{}:{}: {}", origin_, start_line_, start_column_, message);
  }

  void skip_blanks(std::map<int, std::string>& comments) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++at_;
        ++line_;
        line_begin_ = at_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '/' && here(1) == '/') {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        comments[line_] = std::string(trim(text_.substr(at_ + 2, end - at_ - 2)));
        at_ = end;
      } else {
        return;
      }
    }
  }

  Token make(TokenKind kind, std::string text) const {
    return {kind, std::move(text), start_line_, start_column_};
  }

  Token read_token() {
    const char c = here();
    if (is_letter(c)) return make(TokenKind::Identifier, take_words());
    if (c == '%' && is_word(here(1))) return read_value_name();
    if (is_digit(c) || (c == '.' && is_digit(here(1)))) return read_number();
    if (c == '"') return read_string();
    return read_symbol();
  }

  std::string take_words() {
    const std::size_t begin = at_;
    while (is_word(here())) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Token read_value_name() {
    ++at_;
    std::string text = "%" + take_words();
    const bool is_numbered = std::all_of(text.begin() + 1, text.end(), is_digit);
    if (is_numbered && here() == '.' && is_digit(here(1))) {
      ++at_;
      text += "." + take_words();
    }
    return make(TokenKind::ValueName, text);
  }

  Token read_number() {
    const std::size_t begin = at_;
    const bool is_hexadecimal = here() == '0' && here(1) == 'x';
    while (is_word(here()) || here() == '.') {
      const bool is_exponent = !is_hexadecimal && (here() == 'e' || here() == 'E');
      ++at_;
      if (is_exponent && (here() == '+' || here() == '-')) ++at_;
    }
    return make(TokenKind::Number, std::string(text_.substr(begin, at_ - begin)));
  }

  Token read_string() {
    std::string value;
    ++at_;
    while (here() != '"') {
      if (here() == '\0' || here() == '\n') fail("the string has no end, '\"' is needed");
      if (here() == '\\') {
        ++at_;
        value += here() == 'n' ? '\n' : here();
      } else {
        value += here();
      }
      ++at_;
    }
    ++at_;
    return make(TokenKind::String, value);
  }

  Token read_symbol() {
    static constexpr std::array<std::string_view, 4> kPairs = {"<=", ">=", "->", "=="};
    static constexpr std::string_view kSingles = "()[]{}<>,:;=+-*/%!.";
    for (const std::string_view pair : kPairs) {
      if (text_.substr(at_, 2) == pair) {
        at_ += 2;
        return make(TokenKind::Symbol, std::string(pair));
      }
    }
    if (kSingles.find(here()) == std::string_view::npos) {
      fail(fmt::format("found '{}', which starts no word, number or symbol",
                       first_printable(text_.substr(at_))));
    }
    return make(TokenKind::Symbol, std::string(1, text_[at_++]));
  }

  std::string_view text_;
  const std::string& origin_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  int line_ = 1;
  int start_line_ = 1;
  int start_column_ = 1;
};

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), is_word);
}

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return quoted + '"';
}

TokenStream::TokenStream(std::string_view text, std::string origin) : origin_(std::move(origin)) {
  tokens_ = Lexer(text, origin_).run(comments_);
}

const Token& TokenStream::peek(std::size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

Token TokenStream::next() {
  Token token = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool TokenStream::is(std::string_view text, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return (token.kind == TokenKind::Symbol || token.kind == TokenKind::Identifier) &&
         token.text == text;
}

bool TokenStream::accept(std::string_view text) {
  if (!is(text)) return false;
  next();
  return true;
}

void TokenStream::expect(std::string_view text) {
  if (!accept(text)) fail_needed(fmt::format("'{}'", text));
}

std::string TokenStream::expect_identifier(std::string_view what) {
  if (peek().kind != TokenKind::Identifier) fail_needed(what);
  return next().text;
}

Token TokenStream::expect_value_name(std::string_view what) {
  if (peek().kind != TokenKind::ValueName) fail_needed(what);
  return next();
}

std::int64_t TokenStream::expect_integer(std::string_view what) {
  const std::size_t sign = is("-") ? 1 : 0;
  const Token& digits = peek(sign);
  if (digits.kind != TokenKind::Number) fail_needed(what);
  const std::string text = (sign ? "-" : "") + digits.text;
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc::result_out_of_range) {
    fail(digits, fmt::format("{} does not fit 64 bits", text));
  }
  if (code != std::errc() || end != text.data() + text.size()) fail_needed(what);
  position_ += sign + 1;
  return value;
}

void TokenStream::expect_end() {
  if (!at_end()) fail_needed("the end");
}

SourceLocation TokenStream::location_comment() const {
  if (position_ == 0) return {};
  const auto found = comments_.find(tokens_[position_ - 1].line);
  if (found == comments_.end()) return {};
  const std::string& text = found->second;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return {};
  int line = 0;
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data() + colon + 1, last, line);
  if (code != std::errc() || end != last || line <= 0) return {};
  return {text.substr(0, colon), line};
}

void TokenStream::fail_needed(std::string_view needed, std::string_view hint) const {
  const Token& token = peek();
  const std::string found = token.kind == TokenKind::End      ? "the end"
                            : token.kind == TokenKind::String ? quote(token.text)
                                                              : "'" + token.text + "'";
  fail(token, fmt::format("found {}, {} is needed{}", found, needed, hint));
}

void TokenStream::fail(const Token& at, std::string_view message) const {
  throw_user("{}:{}:{}: {}", origin_, at.line, at.column, message);
}

TokenStream::Nesting::Nesting(TokenStream& tokens) : tokens_(tokens) {
  if (tokens.depth_ == kDeepestNesting) {
    tokens.fail(tokens.peek(), fmt::format("the text nests deeper than {}", kDeepestNesting));
  }
  ++tokens.depth_;
}

}  // namespace sinter::support
