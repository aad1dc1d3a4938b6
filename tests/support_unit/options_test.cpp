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

TEST_CASE("an empty variable counts as unset") {
  const ScopedVariable debug("SINTER_DEBUG", "");
  const ScopedVariable driver("SINTER_CUDA_DRIVER", "");

  CHECK(option_integer(Option::Debug) == 0);
  CHECK(option_text(Option::CudaDriver) == "libcuda.so.1");
}

TEST_CASE("a whole number is read, anything else is refused with its variable and range") {
  const ScopedVariable variable("SINTER_THREADS", "3");
  CHECK(option_integer(Option::Threads) == 3);
  const auto message = [](const char* name, Option option, const char* value) {
    const ScopedVariable wrong(name, value);
    try {
      option_integer(option);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };

  for (const char* wrong : {"3x", "-3", "70000", " 3", "99999999999999999999", "0x3"}) {
    CHECK(message("SINTER_THREADS", Option::Threads, wrong) ==
          "SINTER_THREADS is '" + std::string(wrong) +
              "'; a whole number from 0 to 65536 is needed");
  }
  CHECK(message("SINTER_DEBUG", Option::Debug, "5") ==
        "SINTER_DEBUG is '5'; a whole number from 0 to 4 is needed");
  CHECK(message("SINTER_FUZZ_SEED", Option::FuzzSeed, "-1") ==
        "SINTER_FUZZ_SEED is '-1'; a whole number of at least 0 is needed");
}

TEST_CASE("the default of every number lies in its range") {
  for (const OptionRow& row : option_rows()) {
    const bool is_integer = row.least != INT64_MIN;
    if (is_integer && !row.fallback.empty()) CHECK_NOTHROW(option_integer(row.option));
  }
}

}  // namespace sinter::support
