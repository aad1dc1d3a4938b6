// Tensor maps without a GPU: what the engine demands, what a class has to promise, and that a kernel
// which uses one compiles.
#include "runtime/cuda/tensor_map.h"

#include <doctest/doctest.h>

#include "codegen/cuda/tensor_map_facts.h"
#include "runtime/cuda/nvrtc.h"
#include "sinter/error.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"
#include "tests/support/tensor_map_program.h"

namespace sinter::tests {
namespace {

using runtime::TensorMapValues;

/// bf16[300, 4096], a box of 64 columns and 128 rows.
TensorMapValues good_values() {
  TensorMapValues values;
  values.dtype = ir::DType::BF16;
  values.rank = 2;
  values.address = 0x7000'0000'0010;
  values.extents = {4096, 300};
  values.strides_bytes = {8192};
  values.box = {64, 128};
  values.element_strides = {1, 1};
  values.swizzle_bytes = 128;
  values.l2_promotion_bytes = 256;
  return values;
}

template <typename Change>
std::string trouble_of(const Change& change) {
  TensorMapValues values = good_values();
  change(values);
  return runtime::find_tensor_map_trouble(values).value_or("");
}

struct Matrix {
  std::int64_t sizes[2];  // rows, columns
  std::int64_t strides[2];
  std::uint64_t address = 0x1000;
};

const ir::CallNames kNames = {{"rows", "columns"}, {"x", "y"}};

TensorMapValues values_of(const codegen::Program& program, const Matrix& matrix) {
  const codegen::Entry& entry = program.entries[0];
  const runtime::SlotFinder finder(program.workspaces, kNames);
  const auto step = runtime::make_tensor_map_step(entry.arguments[0],
                                                  finder.find_address(entry.symbol, "x"), finder);
  const ir::TensorLayout tensors[] = {{matrix.address, matrix.sizes, matrix.strides},
                                      {0x2000, matrix.sizes, matrix.strides}};
  return runtime::evaluate_tensor_map(step, {matrix.sizes, tensors, {}});
}

}  // namespace

TEST_CASE("what the engine takes has no trouble") {
  CHECK(trouble_of([](TensorMapValues&) {}) == "");
  CHECK(trouble_of([](TensorMapValues& v) { v.extents[0] = std::int64_t{1} << 32; }) == "");
  CHECK(trouble_of([](TensorMapValues& v) { v.swizzle_bytes = 0, v.box = {256, 256}; }) == "");
  CHECK(sizeof(runtime::CudaTensorMap) == 128);
  CHECK(alignof(runtime::CudaTensorMap) == 64);
}

TEST_CASE("each demand on address, extents and strides is checked") {
  CHECK(trouble_of([](TensorMapValues& v) { v.rank = 6; }) == "rank 6, 1 to 5 are possible");
  CHECK(trouble_of([](TensorMapValues& v) { v.address = 0x18; }) ==
        "address 0x18, a multiple of 16 is needed");
  CHECK(trouble_of([](TensorMapValues& v) { v.extents[1] = 0; }) ==
        "extent 0 of dimension 1, 1 to 2^32 are possible");
  CHECK(trouble_of([](TensorMapValues& v) { v.extents[0] = (std::int64_t{1} << 32) + 1; }) ==
        "extent 4294967297 of dimension 0, 1 to 2^32 are possible");
  for (const std::int64_t stride :
       {std::int64_t{8200}, std::int64_t{0}, std::int64_t{-16}, std::int64_t{1} << 40}) {
    CHECK(trouble_of([&](TensorMapValues& v) { v.strides_bytes[0] = stride; }) ==
          "stride of " + std::to_string(stride) +
              " bytes of dimension 1, a multiple of 16 below 2^40 is needed");
  }
}

TEST_CASE("each demand on box, swizzle and fill is checked") {
  CHECK(trouble_of([](TensorMapValues& v) { v.box[1] = 257; }) ==
        "box extent 257 of dimension 1, 1 to 256 are possible");
  CHECK(trouble_of([](TensorMapValues& v) { v.box[0] = 12; }) ==
        "a box with 24 bytes innermost, a multiple of 16 is needed");
  CHECK(trouble_of([](TensorMapValues& v) { v.swizzle_bytes = 64; }) ==
        "a box with 128 bytes innermost for a swizzle of 64");
  CHECK(trouble_of([](TensorMapValues& v) { v.swizzle_bytes = 96; }) ==
        "a swizzle of 96 bytes, 0, 32, 64 or 128 are possible");
  CHECK(trouble_of([](TensorMapValues& v) { v.l2_promotion_bytes = 32; }) ==
        "an L2 promotion of 32 bytes, 0, 64, 128 or 256 are possible");
  CHECK(trouble_of([](TensorMapValues& v) { v.element_strides[1] = 9; }) ==
        "element stride 9 of dimension 1, 1 to 8 are possible");
  CHECK(trouble_of([](TensorMapValues& v) {
          v.dtype = ir::DType::I16;
          v.is_nan_outside = true;
        }) == "NaN outside of i16, which the engine has for f16, bf16, f32 and f64");
}

TEST_CASE("a call's sizes, strides and address become the map's numbers") {
  const codegen::Program program = make_tensor_map_program(128);

  const TensorMapValues values = values_of(program, {{70, 37}, {40, 1}});

  CHECK(values.address == 0x1000);
  CHECK(values.extents[0] == 37);
  CHECK(values.extents[1] == 70);
  CHECK(values.strides_bytes[0] == 160);
  CHECK(values.box[0] == kTileColumns);
  CHECK(values.element_strides[1] == 1);
  CHECK(runtime::find_tensor_map_trouble(values) == std::nullopt);
  CHECK(values == values_of(program, {{70, 37}, {40, 1}}));
  CHECK_FALSE(values == values_of(program, {{70, 37}, {44, 1}}));
}

TEST_CASE(
    "calls that keep a class's promises have no trouble, those that don't take another class") {
  const codegen::Program program = make_tensor_map_program(0);
  const ir::Facts promised = codegen::cuda::tensor_map_facts(program.entries[0].arguments[0]);
  CHECK(ir::to_string(promised) ==
        "{1 <= columns <= 4294967296, 1 <= rows <= 4294967296, stride(x, 0) = 4*k, align(x) = 16}");
  const ir::FlatFacts facts(promised, kNames);
  const Matrix matrices[] = {{{70, 37}, {40, 1}},   {{70, 37}, {37, 1}}, {{70, 37}, {-40, 1}},
                             {{0, 37}, {40, 1}},    {{1, 37}, {37, 1}},  {{70, 37}, {0, 1}},
                             {{70, 37}, {40, 1}, 8}};
  for (const Matrix& matrix : matrices) {
    const ir::TensorLayout tensors[] = {{matrix.address, matrix.sizes, matrix.strides},
                                        {0x2000, matrix.sizes, matrix.strides}};
    const bool has_trouble =
        runtime::find_tensor_map_trouble(values_of(program, matrix)).has_value();
    CHECK(facts.hold(matrix.sizes, tensors) == !has_trouble);
  }
}

TEST_CASE("strides that follow from sizes make facts about sizes") {
  codegen::Argument argument{.kind = codegen::ArgumentKind::TensorMap, .param = "w"};
  const ir::IndexExpr n = ir::IndexExpr::size("n");
  argument.tensor_map.dtype = ir::DType::BF16;
  argument.tensor_map.extents = {64, 512, ir::floor_div(n, 64)};
  argument.tensor_map.strides = {{.factor = n}, {.factor = 64}};

  CHECK(ir::to_string(codegen::cuda::tensor_map_facts(argument)) ==
        "{n % 8 = 0, 1 <= n <= 137438953471, 1 <= floor(n / 64) <= 4294967296, align(w) = 16}");
}

TEST_CASE("recipes that are no map are ours to avoid") {
  codegen::Program program = make_tensor_map_program(0);
  program.entries[0].arguments[0].tensor_map.box = {32};
  CHECK_THROWS_AS(values_of(program, {{70, 37}, {40, 1}}), InternalError);
  program.entries[0].arguments[0].tensor_map.extents = {};
  CHECK_THROWS_AS(values_of(program, {{70, 37}, {40, 1}}), InternalError);
}

TEST_CASE("a map that the engine does not take, or a driver without maps, is an error") {
  const runtime::DriverApi old_driver;
  TensorMapValues values = good_values();

  CHECK_THROWS_WITH_AS(
      runtime::encode_tensor_map(old_driver, values, "x"),
      "the CUDA driver has no function 'cuTensorMapEncodeTiled': 12.0 or newer is needed",
      EnvironmentError);
  values.address = 4;
  CHECK_THROWS_AS(runtime::encode_tensor_map(old_driver, values, "x"), InternalError);
}

TEST_CASE("a kernel that copies through a tensor map compiles for sm_90a") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  for (const int swizzle_bytes : {0, 128}) {
    const codegen::Program program = make_tensor_map_program(swizzle_bytes);

    const runtime::CubinAndLog compiled = runtime::compile_to_cubin(program.sources[0], "sm_90a");

    CHECK(compiled.log == "");
    CHECK(!compiled.cubin.empty());
  }
}

}  // namespace sinter::tests
