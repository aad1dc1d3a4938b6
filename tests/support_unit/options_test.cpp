// The options table and the environment.
#include "support/options.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>

#include "sinter/error.h"

namespace sinter::support {

namespace {

/// Sets a variable for its lifetime.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    if (before) before_ = before;
    has_before_ = before != nullptr;
    setenv(name, value, 1);
  }
  ~ScopedVariable() { has_before_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool has_before_ = false;
};

}  // namespace

TEST_CASE("every option has its own variable and a meaning") {
  std::set<std::string_view> variables;
  for (const OptionRow& row : option_rows()) {
    CHECK(variables.insert(row.variable).second);
    CHECK_FALSE(row.meaning.empty());
  }
}

TEST_CASE("the environment is read anew on each call") {
  const ScopedVariable variable("SINTER_DEBUG_FILTER", "softmax");
  CHECK(option_text(Option::DebugFilter) == "softmax");

  const ScopedVariable again("SINTER_DEBUG_FILTER", "matmul");
  CHECK(option_text(Option::DebugFilter) == "matmul");
}

TEST_CASE("a whole number is read, anything else is refused with its variable") {
  const ScopedVariable variable("SINTER_THREADS", "-3");
  CHECK(option_integer(Option::Threads) == -3);

  const ScopedVariable wrong("SINTER_THREADS", "3x");
  CHECK_THROWS_WITH_AS(option_integer(Option::Threads),
                       "SINTER_THREADS is '3x'; a whole number is needed", UserError);
}

}  // namespace sinter::support
