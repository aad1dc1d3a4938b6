// The schedule transpose without a GPU: what it takes, how it sees it, its text, and that its kernels compile
// without local memory on every generation.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "codegen/cuda/schedule/transpose.h"
#include "codegen/normalize/normalize.h"
#include "codegen/plan/plan.h"
#include "ir/text.h"
#include "support/options.h"
#include "tests/support/compiled_config.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

using codegen::cuda::TransposeKernel;

const codegen::Target kH200 = codegen::make_cuda_target("sm_90a");

std::string transposed(const std::string& dtype, const std::string& m, const std::string& n) {
  return fmt::format(
      "graph g(%x: {0}[{1}, {2}]) {{\n"
      "  %0: {0}[{2}, {1}] = permute(%x) {{axes: [1, 0]}}\n  return %0\n}}\n",
      dtype, m, n);
}

/// A batch of both orders, with results of both.
std::string both_ways(const std::string& dtype) {
  return fmt::format(
      "graph g(%x: {0}[b, m, n], %y: {0}[b, n, m], %w: {0}[m]) {{\n"
      "  %0: {0}[b, n, m] = permute(%x) {{axes: [0, 2, 1]}}\n"
      "  %1: {0}[b, n, m] = add(%0, %y)\n"
      "  %2: {0}[b, n, m] = broadcast(%w) {{shape: [b, n, m]}}\n"
      "  %3: {0}[b, n, m] = add(%1, %2)\n"
      "  %4: {0}[b, m, n] = permute(%3) {{axes: [0, 2, 1]}}\n  return %3, %4\n}}\n",
      dtype);
}

const std::string kChannelsLast = R"(graph g(%x: f32[256, 64, 14, 14]) {
  %0: f32[256, 14, 14, 64] = permute(%x) {axes: [0, 2, 3, 1]}
  return %0
})";

codegen::PlannedKernel planned_transpose(const std::string& text) {
  codegen::Plan plan = codegen::make_plan(codegen::normalize(ir::parse_graph(text)), kH200,
                                          codegen::cuda_schedules());
  REQUIRE(plan.kernels.size() == 1);
  return plan.kernels[0];
}

std::string transpose_refusal_of(const std::string& text) {
  return cuda_schedule("transpose").refuses(fused_kernel(text), kH200).value_or("accepted");
}

codegen::Config best_transpose_of(const std::string& text, std::size_t facts_class) {
  const ir::Kernel kernel = fused_kernel(text);
  const codegen::Schedule& schedule = cuda_schedule("transpose");
  return schedule.candidates(kernel, schedule.classes(kernel).at(facts_class), kH200, {})[0].config;
}

TransposeKernel tiles_of(const ir::Kernel& kernel) {
  std::string why_not;
  const auto tiles = codegen::cuda::match_transpose(kernel, why_not);
  REQUIRE_MESSAGE(tiles, why_not);
  return *tiles;
}

/// The best config of the first class, and the last of the last class.
void check_transposes_compile(const std::string& text) {
  CAPTURE(text);
  const ir::Kernel kernel = fused_kernel(text);
  const codegen::Schedule& schedule = cuda_schedule("transpose");
  const auto classes = schedule.classes(kernel);
  for (const std::string& arch : test_architectures()) {
    const codegen::Target target = codegen::make_cuda_target(arch);
    for (const bool is_first : {true, false}) {
      const ir::Facts& facts = is_first ? classes.front() : classes.back();
      const auto candidates = schedule.candidates(kernel, facts, target, {});
      const codegen::Config& config = (is_first ? candidates.front() : candidates.back()).config;
      check_config_compiles(schedule, kernel, facts, config, arch);
    }
  }
}

}  // namespace

TEST_CASE("transposed operands and results have tiles, wherever they are large") {
  CHECK(planned_transpose(transposed("f32", "16384", "8192")).schedule->name == "transpose");
  CHECK(planned_transpose(both_ways("bf16")).schedule->name == "transpose");
  CHECK(planned_transpose(kChannelsLast).schedule->name == "transpose");
}

TEST_CASE("what moves along one line, folds or stores apart is for others") {
  CHECK(transpose_refusal_of(R"(graph g(%x: f32[b, s, h, 64]) {
    %0: f32[b, h, s, 64] = permute(%x) {axes: [0, 2, 1, 3]}
    return %0
  })") == "everything it moves lies along one line of axes");
  CHECK(transpose_refusal_of(R"(graph g(%x: f32[n, m], %w: f32[n, 1]) {
    %0: f32[n, m] = broadcast(%w) {shape: [n, m]}
    %1: f32[n, m] = add(%x, %0)
    return %1
  })") == "everything it moves lies along one line of axes");
  CHECK(transpose_refusal_of(R"(graph g(%x: f32[64, 64]) {
    %0: f32[64] = sum(%x) {axes: [0]}
    return %0
  })") == "it folds");
}

TEST_CASE("a tile is the stores' fastest axes by those of what lies across") {
  const ir::Kernel kernel = fused_kernel(kChannelsLast);
  const TransposeKernel tiles = tiles_of(kernel);

  // Height and width are one line; the image is a row of tiles.
  CHECK(codegen::cuda::lanes_along(kernel, tiles, {4, 4}) == 8);
  CHECK(tiles.line_a.size() == 1);
  CHECK(tiles.line_b.size() == 2);
  CHECK(tiles.rows.size() == 1);
  // Without facts of density there are no lines of several axes.
  CHECK(codegen::cuda::match_transpose(kernel, ir::Facts()).line_b.size() == 1);
}

TEST_CASE("classes are of whole vectors along both lines, one of them, or none") {
  const std::string even = transposed("i8", "1024", "1024");
  CHECK(best_transpose_of(even, 0).at("vector_a") == 16);
  CHECK(best_transpose_of(even, 0).at("vector_b") == 16);
  const std::string half = transposed("bf16", "1001", "1000");
  CHECK(best_transpose_of(half, 0).at("vector_a") == 1);
  CHECK(best_transpose_of(half, 0).at("vector_b") == 8);
  const auto classes = cuda_schedule("transpose").classes(fused_kernel(both_ways("f32")));
  CHECK(classes.size() <= 16);
  CHECK(classes.back() == ir::Facts());
  CHECK(best_transpose_of(both_ways("f32"), classes.size() - 1).at("vector_b") == 1);
}

TEST_CASE("the text of a transposed bf16 tensor for sm_90a") {
  const std::string path = "tests/cuda/golden/transpose_bf16.cu";
  const ir::Kernel kernel = fused_kernel(transposed("bf16", "m", "n"));
  const codegen::Schedule& schedule = cuda_schedule("transpose");
  const codegen::Config config{"transpose",
                               {{"tile_a", 64},
                                {"tile_b", 64},
                                {"vector_a", 8},
                                {"vector_b", 8},
                                {"b_first", 0},
                                {"threads", 256}}};

  const auto program = schedule.emit(kernel, schedule.classes(kernel).at(0), config, kH200);

  const std::string& text = program.sources.at(0).text;
  if (support::option_integer(support::Option::UpdateGolden) == 1) {
    std::ofstream(path, std::ios::binary) << text;
  }
  std::stringstream golden;
  golden << std::ifstream(path, std::ios::binary).rdbuf();
  CHECK(golden.str() == text);
}

TEST_CASE("transposes compile without local memory on every generation") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  for (const char* dtype : {"f32", "bf16", "i8"}) {
    check_transposes_compile(transposed(dtype, "m", "n"));
  }
  check_transposes_compile(both_ways("f32"));
  check_transposes_compile(both_ways("bf16"));
  check_transposes_compile(kChannelsLast);
  check_transposes_compile(R"(graph g(%x: bf16[m, n], %y: f32[n, m], %z: i8[m, n]) {
    %0: bf16[n, m] = permute(%x) {axes: [1, 0]}
    %1: f32[n, m] = cast(%0) {dtype: f32}
    %2: i8[n, m] = permute(%z) {axes: [1, 0]}
    %3: f32[n, m] = cast(%2) {dtype: f32}
    %4: f32[n, m] = add(%1, %3)
    %5: f32[n, m] = add(%4, %y)
    return %5
  })");
}

}  // namespace sinter::tests
