// The three kinds of error and their messages.
#include "sinter/error.h"

#include <doctest/doctest.h>

#include "support/check.h"

namespace sinter::support {

TEST_CASE("a user error names the user's line where it is known") {
  const UserError located("two parameters are named 'x'", {"op.cpp", 12});

  CHECK(std::string(located.what()) == "op.cpp:12: two parameters are named 'x'");
  CHECK(located.location().line == 12);
  CHECK(std::string(UserError("no line").what()) == "no line");
}

TEST_CASE("each throwing form throws its own kind with a formatted message") {
  CHECK_THROWS_WITH_AS(throw_user("{} is odd", 3), "3 is odd", UserError);
  CHECK_THROWS_WITH_AS(throw_user_at({"a.cpp", 1}, "{} is odd", 3), "a.cpp:1: 3 is odd", UserError);
  CHECK_THROWS_WITH_AS(throw_runtime("code {}", 700), "code 700", RuntimeError);
  CHECK_THROWS_WITH_AS(throw_environment("no {}", "device"), "no device", EnvironmentError);
  CHECK_THROWS_WITH_AS(throw_internal("node {}", 4), "node 4", InternalError);
}

TEST_CASE("a check that holds does nothing") {
  CHECK_NOTHROW(check(true, "never shown"));
  CHECK_THROWS_WITH_AS(check(false, "{} != {}", 1, 2), "1 != 2", InternalError);
}

}  // namespace sinter::support
