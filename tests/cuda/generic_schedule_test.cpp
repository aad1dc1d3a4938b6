// What the generic CUDA schedule accepts, tells apart and chooses.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/support/kernel_files.h"

namespace sinter::tests {
namespace {

std::optional<std::string> refusal(const ir::Kernel& kernel, const std::string& arch = "sm_90a") {
  return cuda_schedule("generic").refuses(kernel, codegen::make_cuda_target(arch));
}

ir::Kernel strict(ir::Kernel kernel) {
  std::string text = ir::to_string(kernel);
  text.insert(text.find('\n') + 1, "  mode strict\n");
  return ir::parse_kernel(text);
}

codegen::Config best_config(const ir::Kernel& kernel, std::map<std::string, std::int64_t> sizes) {
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  return cuda_schedule("generic").candidates(kernel, {}, target, sizes).front().config;
}

const char* const kReusedSum = R"(kernel reused {
  axis i: m
  axis j: n
  in x: f32[m, n]
  out y: f32[m, n]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  %1: f32 (i) = reduce(%0) {axes: [j], reducer: add}
  %2: f32 (i, j) = sub(%0, %1)
  store(%2) {param: y, map: [i, j]}
})";

const char* const kTwoShapes = R"(kernel shapes {
  axis i: m
  axis j: n
  in x: f32[m, n]
  in z: f32[m]
  out y: f32[m, n]
  out w: f32[m]
  %0: f32 (i, j) = load() {param: x, map: [i, j]}
  store(%0) {param: y, map: [i, j]}
  %2: f32 (i) = load() {param: z, map: [i]}
  store(%2) {param: w, map: [i]}
})";

/// Roundings that a term of each fold goes through, where `team` threads share an element and every
/// size is 1000.
std::vector<std::int64_t> chains(const std::string& name, std::int64_t team) {
  const codegen::Config config{"generic", {{"team", team}, {"threads", 256}}};
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  const auto program = cuda_schedule("generic").emit(read_kernel(name), {}, config, target);
  std::vector<std::int64_t> lengths;
  for (const codegen::Accumulation& accumulation : program.accumulations) {
    CHECK(accumulation.dtype == DType::F32);
    lengths.push_back(ir::evaluate(accumulation.longest_chain,
                                   {.sizes = {{"m", 1000}, {"n", 1000}, {"depth", 1000}}}));
  }
  return lengths;
}

}  // namespace

TEST_CASE("kernels with one fold or none are accepted") {
  for (const char* name : {"scale_add", "row_sum", "matmul", "conv2d", "argmax", "running_max"}) {
    CAPTURE(name);
    CHECK(refusal(read_kernel(name)) == std::nullopt);
  }
}

TEST_CASE("refusals say what stands in the way") {
  CHECK(refusal(read_kernel("softmax")) ==
        "it has 2 reductions, contractions and scans, one is possible: reduce %1, reduce %4");
  CHECK(refusal(ir::parse_kernel(kReusedSum)) ==
        "the result of reduce %1 is used again over the axes that it reduced: (j) by sub %2");
  CHECK(refusal(ir::parse_kernel(kTwoShapes)) ==
        "an output does not run over axis j, whose extent n may be 0");
  CHECK(refusal(read_kernel("matmul"), "sm_75") ==
        "it needs compute capability 8.0, the device has sm_75");
}

TEST_CASE("classes go from contiguous with 32-bit offsets to nothing known") {
  const auto classes = cuda_schedule("generic").classes(read_kernel("matmul"));

  REQUIRE(classes.size() == 3);
  CHECK(classes[0].has_offsets32("a"));
  CHECK(classes[0].is_contiguous("c"));
  CHECK(classes[0].has(ir::Fact::range(ir::parse_dim("m*n"), 0, 2147479551)));
  CHECK(classes[1].is_contiguous("b"));
  CHECK(!classes[1].has_offsets32("a"));
  CHECK(classes[2].list().empty());
}

TEST_CASE("few outputs of long sums are shared out, many are not, and strict mode never shares") {
  const ir::Kernel sum = read_kernel("row_sum");

  CHECK(best_config(sum, {{"m", 16}, {"n", 100000}}).at("team") == 256);
  CHECK(best_config(sum, {{"m", 10000000}, {"n", 4}}).at("team") == 1);
  CHECK(best_config(strict(sum), {{"m", 16}, {"n", 100000}}).at("team") == 1);
  CHECK(best_config(read_kernel("scale_add"), {{"m", 4096}, {"n", 4096}}).at("threads") == 256);
}

TEST_CASE("programs say how long their chains of additions are") {
  using Lengths = std::vector<std::int64_t>;

  CHECK(chains("row_sum", 1) == Lengths{1000});
  CHECK(chains("row_sum", 32) == Lengths{32 + 5});      // steps of a lane, levels of a warp
  CHECK(chains("row_sum", 256) == Lengths{4 + 5 + 7});  // and the other warps
  CHECK(chains("matmul", 1) == Lengths{1000});
  CHECK(chains("running_max", 1) == Lengths{1000});
  CHECK(chains("scale_add", 1).empty());
}

TEST_CASE("the grid covers any size") {
  const ir::Kernel kernel = read_kernel("copy3");
  const codegen::Config config{"generic", {{"team", 1}, {"threads", 256}}};
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  const auto program = cuda_schedule("generic").emit(kernel, {}, config, target);
  const codegen::LaunchRecipe& launch = program.entries[0].launch;
  const auto blocks = [&](std::int64_t rows) {
    const ir::IndexBindings sizes{.sizes = {{"l", rows}, {"m", 1024}, {"n", 1024}}};
    return std::pair(ir::evaluate(launch.grid[0], sizes), ir::evaluate(launch.grid[1], sizes));
  };

  CHECK(blocks(0).first == 0);
  CHECK(blocks(1) == std::pair<std::int64_t, std::int64_t>(4096, 1));
  CHECK(blocks(5000) == std::pair<std::int64_t, std::int64_t>(20480000, 1));
  CHECK(blocks(1000000) == std::pair<std::int64_t, std::int64_t>(1 << 30, 4));
}

TEST_CASE("the same kernel, facts and config give the same bytes") {
  const ir::Kernel kernel = read_kernel("conv2d");
  const codegen::Config config{"generic", {{"team", 32}, {"threads", 256}}};
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  const codegen::Schedule& generic = cuda_schedule("generic");

  const std::string once = codegen::to_string(generic.emit(kernel, {}, config, target));

  CHECK(once == codegen::to_string(generic.emit(read_kernel("conv2d"), {}, config, target)));
}

TEST_CASE("host scalars are parameters by value") {
  const ir::Kernel kernel = read_kernel("host_scalars");
  const codegen::Config config{"generic", {{"team", 1}, {"threads", 256}}};
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  const auto program = cuda_schedule("generic").emit(kernel, {}, config, target);
  const std::string& text = program.sources[0].text;

  CHECK(text.find("const float alpha,\n") != std::string::npos);
  CHECK(text.find("const float alpha_1 = alpha;\n") != std::string::npos);
  const codegen::Argument& count = program.entries[0].arguments.at(5);
  CHECK(count.kind == codegen::ArgumentKind::Scalar);
  CHECK(count.param == "count");
  CHECK(count.dtype == DType::I64);
}

}  // namespace sinter::tests
