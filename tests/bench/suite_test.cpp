// The suites of the benchmark program: names, graphs that compile, peers that know the same cases.
#include "bench/suite.h"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "ir/text.h"

namespace sinter::bench {

TEST_CASE("every case has a name of its own and a graph that is right") {
  std::set<std::string> names;
  for (const Case& one : all_cases()) {
    CAPTURE(one.name);
    CHECK(names.insert(one.name).second);
    CHECK_NOTHROW(ir::parse_graph(one.graph));
  }
  CHECK(names.size() >= 24);
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
    if (one.method != Method::Kernel) continue;
    CAPTURE(one.name);
    CHECK(text.str().find("\"" + one.name + "\": (") != std::string::npos);
  }
}

}  // namespace sinter::bench
