// The kernel form has to carry every kind of fused operator: each hand-written kernel in
// tests/ir/kernels passes verify, prints, and parses back to an equal kernel.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "ir/text.h"
#include "ir/verify.h"

using namespace sinter;
using namespace sinter::ir;

namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::set<std::filesystem::path> kernel_files() {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("tests/ir/kernels")) {
    files.insert(entry.path());
  }
  return files;
}

Kernel kernel_named(const std::string& name) {
  return parse_kernel(read_file("tests/ir/kernels/" + name + ".kernel"), name);
}

}  // namespace

TEST_CASE("every hand-written kernel verifies and survives printing and parsing") {
  REQUIRE(kernel_files().size() >= 9);
  for (const auto& path : kernel_files()) {
    CAPTURE(path.string());
    const Kernel kernel = parse_kernel(read_file(path), path.string());
    CAPTURE(to_string(kernel));

    CHECK_NOTHROW(verify_kernel(kernel));
    const Kernel again = parse_kernel(to_string(kernel));
    CHECK(again == kernel);
    CHECK(to_string(again) == to_string(kernel));
  }
}

TEST_CASE("softmax prints as it was written, locations included") {
  const std::string text = read_file("tests/ir/kernels/softmax.kernel");

  CHECK(to_string(parse_kernel(text)) == text);
  CHECK(to_string(parse_kernel(text), {.locations = false}).find("//") == std::string::npos);
}

TEST_CASE("a value is used before and after the reduction over its axis") {
  const Kernel softmax = kernel_named("softmax");

  CHECK(softmax.domain({1, 0}) == std::vector<AxisId>{0});
  CHECK(softmax.domain({5, 0}) == std::vector<AxisId>{0, 1});
  CHECK(softmax.stores() == std::vector<NodeId>{6});
}

TEST_CASE("a fold by a function has several results") {
  const Kernel argmax = kernel_named("argmax");
  const KernelNode& reduce = argmax.node(2);

  CHECK(reduce.results == std::vector<DType>{DType::F32, DType::I64});
  const auto& reducer = reduce.attributes.get<Reducer>(AttributeName::Reducer);
  CHECK(reducer.function->outputs().size() == 2);
  CHECK(as_integer(reducer.identity[1]) == INT64_MAX);
  CHECK(argmax.node(4).operands == std::vector<Value>{{2, 1}});
}

TEST_CASE("the map of a gather holds a value, with its domain") {
  const Kernel kernel = kernel_named("gathered_matmul");
  const auto& map = kernel.node(1).attributes.get<Shape>(AttributeName::Map);

  CHECK(map[0] == IndexExpr::value({0, 0}));
  CHECK(kernel.domain({1, 0}) == std::vector<AxisId>{0, 2});
  CHECK_FALSE(is_affine(map[0]));
}

TEST_CASE("a convolution is a contract with affine maps and a predicate") {
  const Kernel conv = kernel_named("conv2d");
  const auto& map = conv.node(0).attributes.get<Shape>(AttributeName::Map);

  CHECK(is_affine(map[2]));
  CHECK(conv.node(0).attributes.get<Shape>(AttributeName::Where).size() == 4);
  CHECK(conv.node(2).op == Op::Contract);
  CHECK(conv.domain({2, 0}) == std::vector<AxisId>{0, 1, 2, 3});
}
