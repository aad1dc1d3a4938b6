// The passes together, and their driver.
#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <fstream>
#include <sstream>

#include "ir/text.h"
#include "sinter/error.h"
#include "tests/support/graph_text_check.h"

namespace sinter::tests {

namespace {

const std::string kMean = R"((%x: bf16[m, 64]) {
  %0: bf16[m] = mean(%x) {axes: [1]}
  %1: bf16[m, 1] = reshape(%0) {shape: [m, 1]}
  %2: bf16[m, 64] = broadcast(%1) {shape: [m, 64]}
  %3: bf16[m, 64] = sub(%x, %2)
  return %3
})";

std::string error_of(const std::vector<std::string>& disabled) {
  codegen::NormalizeOptions options;
  options.disabled = disabled;
  try {
    codegen::normalize(graph_of(kMean), options);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a mean of narrow floats becomes a sum and a product in f32") {
  check_normalize(kMean, R"((%x: bf16[m, 64]) {
  %0: f32[m, 64] = cast(%x) {dtype: f32}
  %1: f32[m] = sum(%0) {axes: [1]}
  %2: f32 = constant() {value: 0.015625: f32}
  %3: f32[m] = broadcast(%2) {shape: [m]}
  %4: f32[m] = mul(%1, %3)
  %5: f32[m, 1] = reshape(%4) {shape: [m, 1]}
  %6: f32[m, 64] = broadcast(%5) {shape: [m, 64]}
  %7: f32[m, 64] = sub(%0, %6)
  %8: bf16[m, 64] = cast(%7) {dtype: bf16}
  return %8
})");
}

TEST_CASE("normalizing twice changes nothing") {
  const ir::Graph once = codegen::normalize(graph_of(kMean));

  CHECK(codegen::normalize(once) == once);
}

TEST_CASE("locations are kept") {
  const ir::Graph graph = codegen::normalize(graph_of(R"((%x: f16[n]) {
  %0: f16[n] = exp(%x)  // op.cpp:7
  return %0
})"));

  CHECK(ir::to_string(graph).find("exp(%0)  // op.cpp:7") != std::string::npos);
}

TEST_CASE("the observer sees the passes that changed something") {
  std::vector<std::string> seen;
  codegen::NormalizeOptions options;
  options.observe = [&](std::string_view pass, const ir::Graph&, double) {
    seen.emplace_back(pass);
  };

  codegen::normalize(graph_of(R"((%x: f32[n]) {
  %0: f32[n] = neg(%x)
  %1: f32[n] = neg(%0)
  %2: f32[n] = exp(%1)
  return %2
})"),
                     options);

  CHECK(seen == std::vector<std::string>{"simplify_algebra", "remove_dead_nodes"});
}

TEST_CASE("optional passes can be left out, others not") {
  codegen::NormalizeOptions options;
  options.disabled = {"simplify_algebra", "fold_constants"};
  const std::string kept = R"((%x: f32[n]) {
  %0: f32[n] = neg(%x)
  %1: f32[n] = neg(%0)
  return %1
})";

  check_normalize(kept, kept, options);
}

TEST_CASE("a pass that cannot be left out is refused with the names of those that can") {
  const std::string names =
      "one of fold_constants, unify_subexpressions, simplify_algebra, contract_fma is needed";

  CHECK(error_of({"foo"}) == "there is no pass 'foo' to disable; " + names);
  CHECK(error_of({"fold_constant"}) ==
        "there is no pass 'fold_constant' to disable; did you mean 'fold_constants'?");
  CHECK(error_of({"remove_dead_nodes"}) ==
        "the pass 'remove_dead_nodes' cannot be disabled; " + names);
}

TEST_CASE("docs/options.md names the passes that can be left out") {
  std::ifstream file("docs/options.md");
  std::ostringstream text;
  text << file.rdbuf();
  const std::string line = fmt::format("\nPasses that `SINTER_DISABLE_PASSES` takes: `{}`.\n",
                                       fmt::join(codegen::optional_passes(), "`, `"));

  CHECK_MESSAGE(text.str().find(line) != std::string::npos, line);
}

}  // namespace sinter::tests
