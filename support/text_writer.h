// Builds indented text: generated sources, dumps and reports.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

namespace sinter::support {

/// Appends lines at the current indentation (two spaces a level).
class TextWriter {
 public:
  /// One line; an empty format gives an empty line without trailing spaces.
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    append(fmt::format(format, std::forward<Args>(args)...));
  }
  void blank() { text_ += '\n'; }
  /// Text that may hold several lines; each is indented.
  void append(const std::string& text);
  void indent() { ++level_; }
  void dedent() { --level_; }
  const std::string& text() const { return text_; }

  /// Indents for its lifetime.
  class Scope {
   public:
    explicit Scope(TextWriter& writer) : writer_(writer) { writer_.indent(); }
    ~Scope() { writer_.dedent(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    TextWriter& writer_;
  };

 private:
  std::string text_;
  int level_ = 0;
};

}  // namespace sinter::support
