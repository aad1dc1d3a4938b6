// Programs as JSON and back.
#include "codegen/program.h"

#include <doctest/doctest.h>

#include "sinter/error.h"

using namespace sinter;
using namespace sinter::codegen;

namespace {

const ir::IndexExpr kN = ir::IndexExpr::size("n");

Program make_cuda_program() {
  Entry entry{.symbol = "softmax_0", .kind = EntryKind::Launch};
  entry.arguments = {
      {.kind = ArgumentKind::Pointer, .param = "x"},
      {.kind = ArgumentKind::Size, .param = "", .dimension = 0, .expr = kN * 2 + 1},
      {.kind = ArgumentKind::Stride, .param = "x", .dimension = 1},
      {.kind = ArgumentKind::Workspace, .param = "partial"},
      {.kind = ArgumentKind::Scalar, .param = "alpha", .dtype = DType::BF16},
      {.kind = ArgumentKind::TensorMap,
       .param = "w",
       .dimension = 0,
       .expr = 0,
       .tensor_map = {.dtype = ir::DType::BF16,
                      .extents = {64, kN, 3},
                      .strides = {{.factor = kN * 2}, {.factor = 1, .dimension = 1}},
                      .box = {64, 128, 1},
                      .element_strides = {1, 2, 1},
                      .swizzle_bytes = 128,
                      .l2_promotion_bytes = 256,
                      .is_nan_outside = true}},
  };
  entry.launch.grid[0] = ir::floor_div(kN + 127, 128);
  entry.launch.grid[1] = ir::max(kN, 1);
  entry.launch.block[0] = 256;
  entry.launch.cluster[0] = 2;
  entry.launch.shared_bytes = kN * 4;
  entry.launch.dependent_launch = true;
  return {.backend = Backend::Cuda,
          .sources = {{"softmax.cu", "cuda", "// \"one\"\n\n  two\\\n"}},
          .workspaces = {{"partial", kN * 4, true}},
          .entries = {entry},
          .accumulations = {{kN + 6, ir::DType::F32}, {3, ir::DType::F64}}};
}

Program make_cpu_program() {
  Entry rows{.symbol = "rows", .kind = EntryKind::Parallel};
  rows.parallel = {.extent = kN, .grain = 16};
  rows.is_called = false;
  Entry product{.symbol = "product", .kind = EntryKind::Blas};
  product.blas = {.a = "x", .b = "w", .c = "scratch", .dtype = "f32", .batch = 3};
  product.blas.m = kN;
  product.blas.a_row_stride = kN;
  product.blas.b_col_stride = 1;
  product.blas.panel_rows = 64;
  product.blas.epilogue = "rows";
  return {.backend = Backend::Cpu,
          .sources = {{"product.ll", "llvm", "no newline at the end"}, {"empty.ll", "llvm", ""}},
          .workspaces = {},
          .entries = {rows, product},
          .accumulations = {}};
}

}  // namespace

TEST_CASE("launches survive printing and parsing") {
  const Program program = make_cuda_program();

  const Program again = parse_program(to_string(program));

  CHECK(to_string(again) == to_string(program));
  CHECK(again.backend == Backend::Cuda);
  CHECK(again.sources[0].text == program.sources[0].text);
  CHECK(again.workspaces[0].size_bytes == kN * 4);
  CHECK(again.workspaces[0].zeroed);
  const Entry& entry = again.entries[0];
  CHECK(entry.arguments.size() == 6);
  CHECK(entry.arguments[4].param == "alpha");
  CHECK(entry.arguments[4].dtype == DType::BF16);
  CHECK(entry.arguments[1].expr == kN * 2 + 1);
  CHECK(entry.arguments[2].dimension == 1);
  const TensorMapRecipe& map = entry.arguments[5].tensor_map;
  CHECK(map.dtype == DType::BF16);
  CHECK(map.extents == std::vector<ir::IndexExpr>{64, kN, 3});
  CHECK(map.strides[0].factor == kN * 2);
  CHECK(map.strides[0].dimension == -1);
  CHECK(map.strides[1].dimension == 1);
  CHECK(map.box == std::vector<std::int64_t>{64, 128, 1});
  CHECK(map.element_strides == std::vector<std::int64_t>{1, 2, 1});
  CHECK(map.swizzle_bytes == 128);
  CHECK(map.l2_promotion_bytes == 256);
  CHECK(map.is_nan_outside);
  CHECK(again.accumulations.size() == 2);
  CHECK(again.accumulations[0].longest_chain == kN + 6);
  CHECK(again.accumulations[1].dtype == ir::DType::F64);
  CHECK(entry.launch.grid[0] == ir::floor_div(kN + 127, 128));
  CHECK(entry.launch.block[0] == 256);
  CHECK(entry.launch.cluster[0] == 2);
  CHECK(entry.launch.dependent_launch);
}

TEST_CASE("parallel loops and matrix products survive printing and parsing") {
  const Program program = make_cpu_program();

  const Program again = parse_program(to_string(program));

  CHECK(to_string(again) == to_string(program));
  CHECK(again.backend == Backend::Cpu);
  CHECK(again.sources[0].text == "no newline at the end");
  CHECK(again.sources[1].text.empty());
  CHECK(again.entries[0].parallel.extent == kN);
  CHECK(again.entries[0].parallel.grain == 16);
  CHECK_FALSE(again.entries[0].is_called);
  const BlasRecipe& blas = again.entries[1].blas;
  CHECK(blas.a == "x");
  CHECK(blas.batch == ir::IndexExpr(3));
  CHECK(blas.a_row_stride == kN);
  CHECK(blas.panel_rows == 64);
  CHECK(blas.epilogue == "rows");
}

TEST_CASE("a text that is no program is a user error") {
  CHECK_THROWS_AS(parse_program(""), UserError);
  CHECK_THROWS_AS(parse_program("[]"), UserError);
  CHECK_THROWS_AS(parse_program("{\"backend\": \"cpu\"}"), UserError);
  CHECK_THROWS_WITH_AS(parse_program("{\"backend\": \"tpu\"}"),
                       "program text: found 'tpu', one of cuda, cpu is needed", UserError);
}

TEST_CASE("every cut of a program's text is a user error, never a crash") {
  const std::string text = to_string(make_cuda_program());
  const std::size_t last = text.rfind('}');

  for (std::size_t size = 0; size <= last; size += 7) {
    CAPTURE(size);
    CHECK_THROWS_AS(parse_program(text.substr(0, size)), UserError);
  }
}
