// Broken kernels, and what verify says of them.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "ir/verify.h"

using namespace sinter;
using namespace sinter::ir;

namespace {

std::string verdict_on(const std::string& body) {
  const Kernel kernel = parse_kernel("kernel k {\n" + body + "}\n");
  try {
    verify_kernel(kernel);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "passed";
}

const std::string kHead = "axis i: m\naxis j: n\nin x: f32[m, n]\nout y: f32[m, n]\n";
const std::string kLoad = "%0: f32 (i, j) = load() {param: x, map: [i, j]}\n";
const std::string kStore = "store(%0) {param: y, map: [i, j]}\n";

}  // namespace

TEST_CASE("a copy passes") { CHECK(verdict_on(kHead + kLoad + kStore) == "passed"); }

TEST_CASE("every output is stored, and there is one") {
  CHECK(verdict_on(kHead + kLoad) == "kernel k: output y is never stored");
  CHECK(verdict_on("axis i: m\nin x: f32[m]\n") == "kernel k has no output");
}

TEST_CASE("inputs are not written and outputs not read") {
  CHECK(verdict_on(kHead + kLoad + "store(%0) {param: x, map: [i, j]}\n") ==
        "kernel k, %1 = store writes x, which is an input");
  CHECK(verdict_on(kHead + "%0: f32 (i, j) = load() {param: y, map: [i, j]}\n") ==
        "kernel k, %0 = load reads y, which is an output");
}

TEST_CASE("maps have the rank of their parameter") {
  CHECK(verdict_on(kHead + "%0: f32 (i) = load() {param: x, map: [i]}\n") ==
        "kernel k, %0 = load has a map of 1 expressions, x has 2 dimensions");
  CHECK(verdict_on(kHead + kLoad + "store(%0) {param: y, map: [i, j, 0]}\n") ==
        "kernel k, %1 = store has a map of 3 expressions, y has 2 dimensions");
}

TEST_CASE("a predicate and an outside value come together") {
  CHECK(verdict_on(kHead + "%0: f32 (i, j) = load() {param: x, map: [i, j], where: [i - 1]}\n") ==
        "kernel k, %0 = load has only one of the attributes where and outside");
  CHECK(
      verdict_on(kHead + "%0: f32 (i, j) = load() {param: x, map: [i, j], outside: 0.0: f32}\n") ==
      "kernel k, %0 = load has only one of the attributes where and outside");
  CHECK(verdict_on(kHead + "%0: f32 (i, j) = load() {param: x, map: [i, j], where: [i - 1], "
                           "outside: 0: i32}\n") ==
        "kernel k, %0 = load reads f32 inside and i32 outside");
}

TEST_CASE("no two iterations store to one element") {
  const std::string message =
      "kernel k, %1 = store writes the same element of y for every value of axis j";

  CHECK(verdict_on(kHead + kLoad + "store(%0) {param: y, map: [i, 0]}\n") == message);
  CHECK(verdict_on(kHead + kLoad + "store(%0) {param: y, map: [i, 0], where: [-j]}\n") == "passed");
}

TEST_CASE("names are names and stand for one thing") {
  CHECK(verdict_on("axis i: m\naxis i: n\nout y: f32[m]\n") ==
        "kernel k: the name i stands for two things");
  CHECK(verdict_on("axis i: m\nin i: f32[m]\n") == "kernel k: the name i stands for two things");
  CHECK(verdict_on("axis i: m\nin x: f32[m]\nin x: f32[m]\n") ==
        "kernel k: the name x stands for two things");

  Kernel kernel("k");
  kernel.add_axis("layer.0", 4);
  CHECK_THROWS_WITH_AS(verify_kernel(kernel), "kernel k: 'layer.0' is no name", InternalError);
}

TEST_CASE("no size is called like an axis") {
  CHECK(verdict_on("axis i: n\naxis n: 4\n") ==
        "kernel k: axis i mentions the size n, which is an axis");
  CHECK(verdict_on("axis n: 4\nin x: f32[n]\n") ==
        "kernel k: parameter x mentions the size n, which is an axis");
}

TEST_CASE("extents mention sizes only") {
  Kernel kernel("k");
  kernel.add_axis("i", 4);
  kernel.add_axis("j", IndexExpr::axis(0) + 1);

  CHECK_THROWS_WITH_AS(verify_kernel(kernel),
                       "kernel k: axis j has the extent i0 + 1, which mentions more than sizes",
                       InternalError);
}

TEST_CASE("nodes have the attributes of their operator and no others") {
  CHECK(
      verdict_on(kHead + kLoad + "%1: i64 (i) = index() {map: [i], exclusive: true}\n" + kStore) ==
      "kernel k, %1 = index has attribute exclusive, which it may not have");
  CHECK(verdict_on(kHead + kLoad +
                   "%1: f32 (i) = reduce(%0) {axes: [j], reducer: add, "
                   "precision: ieee}\n" +
                   kStore) ==
        "kernel k, %1 = reduce has attribute precision, which it may not have");
}

TEST_CASE("a fold's function is verified") {
  const std::string fold =
      "%1: f32 (i) = reduce(%0) {axes: [j], reducer: fn(%a: f32, %b: f32) { return %a } "
      "from [0.0: f32]}\n";

  CHECK(verdict_on(kHead + kLoad + fold + kStore) == "passed");
  CHECK_THROWS_AS(verdict_on(kHead + kLoad +
                             "%1: f32 (i) = reduce(%0) {axes: [j], reducer: fn(%a: f32) "
                             "{ return %a } from [0.0: f32]}\n"),
                  UserError);
}
