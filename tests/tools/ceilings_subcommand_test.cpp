// `sinter ceilings` on the CPU.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"

using sinter::tests::run_sinter;

TEST_CASE("ceilings of the CPU are measured, and then found again") {
  const auto first = run_sinter({"ceilings", "--device", "cpu", "--json"});
  const auto second = run_sinter({"ceilings", "--device", "cpu", "--json"});
  const auto table = run_sinter({"ceilings", "--device", "cpu"});

  REQUIRE_MESSAGE(first.exit_code == 0, first.err);
  CHECK(second.out == first.out);
  const auto json = nlohmann::json::parse(first.out);
  CHECK(json["schema"]["name"] == "sinter.ceilings");
  for (const auto& row : json["ceilings"]) CHECK(row["value"] > 0);
  CHECK(json["ceilings"][0]["name"] == "copy");
  CHECK(table.out.find("f32 products") != std::string::npos);
}
