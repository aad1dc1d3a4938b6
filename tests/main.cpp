// The main of every test executable: doctest's, where zero test cases are a failure and a run in which
// every case was skipped ends with 77, which ctest shows as skipped.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "tests/support/skip.h"

namespace {

unsigned cases_run = 0;

/// Counts the cases that the filters let through.
class CaseCounter : public doctest::IReporter {
 public:
  explicit CaseCounter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override { ++cases_run; }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("case_counter", 1, CaseCounter);

}  // namespace

int main(int argc, char** argv) {
  constexpr int kSkipped = 77;
  doctest::Context context(argc, argv);

  const int result = context.run();

  if (context.shouldExit()) return result;
  if (cases_run == 0) {
    std::fputs("no test case ran; that is a failure\n", stderr);
    return 1;
  }
  const bool all_skipped = sinter::tests::skipped_cases() >= cases_run;
  return result == 0 && all_skipped ? kSkipped : result;
}
