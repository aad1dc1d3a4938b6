// The suites of the benchmark program: names, graphs that compile, peers that know the same cases.
#include "bench/suite.h"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "ir/text.h"
#include "ir/verify.h"
#include "runtime/profile/work.h"
#include "sinter/error.h"

namespace sinter::bench {

TEST_CASE("every case has a name of its own and a graph that is right") {
  std::set<std::string> names;
  for (const Case& one : all_cases()) {
    CAPTURE(one.name);
    CHECK(names.insert(one.name).second);
    CHECK_NOTHROW(ir::verify_graph(ir::parse_graph(one.graph)));
  }
  CHECK(names.size() >= 238);
}

TEST_CASE("every point of the sweep reads 256 MiB, or a row more") {
  const std::vector<Case> cases = rows_sweep_suite();
  CHECK(cases.size() == 210);
  for (const Case& one : cases) {
    CAPTURE(one.name);
    const runtime::Work work = runtime::count_work(ir::parse_graph(one.graph), {});
    CHECK(one.has_copy_peer);
    CHECK(work.bytes_read >= 0x1p28);
    CHECK(work.bytes_read <= 0x1p28 + 0x1p22);
    // Reductions write an element a row, the others as much as they read.
    CHECK(work.bytes_written <= work.bytes_read);
  }
}

TEST_CASE("suites of many cases run where they are named only") {
  CHECK(select_cases("", "rows_").empty());
  CHECK(select_cases("", "layouts_").empty());
  CHECK(select_cases("layouts", "").size() == 4);
  CHECK(select_cases("rows_sweep", "softmax_bf16_").size() == 15);
  CHECK(find_suite("rows_sweep").pace.batch < find_suite("memory").pace.batch);
  CHECK_THROWS_WITH_AS(find_suite("nothing"),
                       "bench has no suite 'nothing' (bench --list shows all)", UserError);
}

TEST_CASE("cases are selected by suite and by a part of their names") {
  CHECK(select_cases("memory", "").size() == memory_suite().size());
  CHECK(select_cases("", "softmax_f32").size() == 2);
  CHECK(select_cases("products", "softmax").empty());
  CHECK(select_cases("nothing", "").empty());
}

TEST_CASE("the PyTorch peer has every case that is measured against peers") {
  std::ifstream file("scripts/torch_peer.py");
  std::ostringstream text;
  text << file.rdbuf();
  for (const Case& one : all_cases()) {
    if (one.method != Method::Kernel || find_suite(one.suite).is_by_name_only) continue;
    CAPTURE(one.name);
    CHECK(text.str().find("\"" + one.name + "\": (") != std::string::npos);
  }
}

}  // namespace sinter::bench
