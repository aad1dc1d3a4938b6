// What np.save writes, and nothing else: header ::= '{' { key ':' value [','] } '}' blanks.
#include "tools/npy_header.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "support/check.h"
#include "support/printable.h"

namespace sinter::tools {

namespace {

constexpr std::string_view kKeys[] = {"descr", "fortran_order", "shape"};

class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::size_t start, const std::string& path)
      : text_(text), start_(start), path_(path) {}

  NpyHeader run() {
    NpyHeader header;
    std::set<std::string> seen;
    expect('{', "'{'");
    while (!accept('}')) {
      skip_blanks();
      const std::size_t key_at = at_;
      const std::string key = take_string("a key in quotes, or '}'");
      if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) {
        fail(key_at, "'descr', 'fortran_order' or 'shape'");
      }
      if (!seen.insert(key).second) fail(key_at, "each key once");
      expect(':', "':'");
      take_value(key, header);
      if (!accept(',')) {
        expect('}', "',' or '}'");
        break;
      }
    }
    for (const std::string_view key : kKeys) {
      if (!seen.contains(std::string(key))) {
        support::throw_user("'{}' is no .npy file: its header has no '{}'", path_, key);
      }
    }
    skip_blanks();
    if (at_ < text_.size()) fail(at_, "the end of the header");
    return header;
  }

 private:
  /// Names the word that stands at byte `at`.
  [[noreturn]] void fail(std::size_t at, std::string_view needed) const {
    std::string_view word = text_.substr(at);
    word = word.substr(0, std::max<std::size_t>(word.find_first_of(" \n,:(){}[]"), 1));
    constexpr std::size_t kLongest = 40;
    const std::string more = word.size() > kLongest ? "..." : "";
    const std::string found =
        word.empty() ? "the end" : "'" + support::printable(word.substr(0, kLongest)) + more + "'";
    support::throw_user("'{}' is no .npy file: header byte {}: found {}, {} is needed", path_,
                        start_ + at, found, needed);
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool accept(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c, std::string_view needed) {
    if (!accept(c)) fail(at_, needed);
  }

  bool accept_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::string take_string(std::string_view needed) {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail(at_, needed);
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail(at_, "the closing quote");
    const std::string_view value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return std::string(value);
  }

  void take_value(const std::string& key, NpyHeader& header) {
    skip_blanks();
    if (key == "descr") {
      header.descr = take_string("one dtype in quotes");
    } else if (key == "shape") {
      header.shape = take_shape();
    } else {
      header.is_fortran_order = accept_word("True");
      if (!header.is_fortran_order && !accept_word("False")) fail(at_, "True or False");
    }
  }

  std::int64_t take_extent() {
    skip_blanks();
    std::int64_t extent = 0;
    const char* begin = text_.data() + at_;
    const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), extent);
    if (code == std::errc::result_out_of_range) fail(at_, "an extent below 2^63");
    if (code != std::errc() || extent < 0) fail(at_, "a whole number, or ')'");
    const std::size_t after = static_cast<std::size_t>(end - text_.data());
    const bool is_cut = after == text_.size() || text_.find_first_of(" ,)", after) != after;
    if (is_cut) fail(at_, "a whole number and ',' or ')'");
    at_ = after;
    return extent;
  }

  std::vector<std::int64_t> take_shape() {
    std::vector<std::int64_t> shape;
    expect('(', "a tuple");
    while (!accept(')')) {
      shape.push_back(take_extent());
      if (accept(',')) continue;
      if (shape.size() == 1) fail(at_, "',' after the only extent");
      expect(')', "',' or ')'");
      break;
    }
    return shape;
  }

  std::string_view text_;
  std::size_t start_;
  const std::string& path_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, std::size_t start, const std::string& path) {
  return HeaderParser(text, start, path).run();
}

}  // namespace sinter::tools
