// argmax and argmin along rows, without a GPU: what they cost an element, and that their kernels compile.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "codegen/schedule.h"
#include "ir/define/positions.h"
#include "tests/support/compiled_config.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

const codegen::Target kH200 = codegen::make_cuda_target("sm_90a");

ir::Kernel argmax_kernel(const std::string& dtype, const std::string& length) {
  return fused_kernel(
      fmt::format("graph g(%x: {0}[m, {1}]) {{\n"
                  "  %0: i64[m] = argmax(%x) {{axis: 1}}\n  return %0\n}}\n",
                  dtype, length));
}

/// An argmax of a computed value beside a sum and the maximum.
ir::Kernel mixed_kernel(const std::string& dtype, const std::string& length) {
  return fused_kernel(
      fmt::format("graph g(%x: {0}[m, {1}], %y: {0}[m, {1}]) {{\n"
                  "  %0: {0}[m, {1}] = mul(%x, %y)\n"
                  "  %1: i64[m] = argmin(%0) {{axis: 1}}\n"
                  "  %2: {0}[m] = sum(%0) {{axes: [1]}}\n"
                  "  %3: {0}[m] = max(%x) {{axes: [1]}}\n  return %1, %2, %3\n}}\n",
                  dtype, length));
}

/// For every class in vectors: what the best config gives.
std::vector<std::string> vector_texts(const ir::Kernel& kernel) {
  const codegen::Schedule& rows = cuda_schedule("rows");
  std::vector<std::string> texts;
  for (const ir::Facts& facts : rows.classes(kernel)) {
    const auto config = rows.candidates(kernel, facts, kH200, {}).front().config;
    if (config.at("vector") == 1) continue;
    texts.push_back(rows.emit(kernel, facts, config, kH200).sources.front().text);
  }
  REQUIRE(!texts.empty());
  return texts;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_configs_compile(const ir::Kernel& kernel) {
  const codegen::Schedule& rows = cuda_schedule("rows");
  const ir::Facts facts = rows.classes(kernel).front();
  const auto candidates = rows.candidates(kernel, facts, kH200, {});
  for (std::size_t c = 0; c < candidates.size(); c += 6) {
    check_config_compiles(rows, kernel, facts, candidates[c].config, "sm_90a");
  }
}

}  // namespace

TEST_CASE("rows find the place of the largest in vectors, whatever the dtype") {
  for (const char* dtype : {"bf16", "f16", "f32", "f64", "f8e4m3", "f8e5m2", "i8", "u8", "i16",
                            "u16", "i32", "u32", "i64", "u64"}) {
    for (const char* length : {"4096", "4097", "n"}) {
      CAPTURE(dtype);
      CAPTURE(length);
      for (const std::string& text : vector_texts(argmax_kernel(dtype, length))) {
        CHECK(holds(text, " kept_reduce_"));
      }
    }
  }
}

TEST_CASE("indices along a row whose length is a number have 32 bits") {
  for (const std::string& text : vector_texts(argmax_kernel("bf16", "4096"))) {
    CHECK(holds(text, "float& acc0, i32& acc1, float element0, i32 element1"));
  }
  for (const std::string& text : vector_texts(argmax_kernel("bf16", "n"))) {
    CHECK(holds(text, "float& acc0, i64& acc1, float element0, i64 element1"));
  }
}

TEST_CASE("an element of the row costs its extremum, a vector the fold") {
  for (const std::string& text : vector_texts(argmax_kernel("f32", "4096"))) {
    const std::size_t element = text.find("extreme = maximum_f32(extreme, x_0);");
    const std::size_t fold = text.find("(reduce_3_0, reduce_3_1, extreme, begin);");
    REQUIRE(element != std::string::npos);
    REQUIRE(fold != std::string::npos);
    // Behind the loop over the vector's elements.
    CHECK(holds(text.substr(element, fold - element), "    }\n"));
    CHECK_FALSE(holds(text, "(reduce_3_0, reduce_3_1, x_0,"));
  }
}

TEST_CASE("places in rows compile without local memory, alone and beside other reductions") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  for (const char* length : {"1024", "1001", "50257", "n"}) {
    CAPTURE(length);
    check_configs_compile(argmax_kernel("bf16", length));
    check_configs_compile(mixed_kernel("f32", length));
  }
  check_configs_compile(argmax_kernel("i8", "4096"));
  check_configs_compile(argmax_kernel("f64", "1026"));
  check_configs_compile(mixed_kernel("bf16", "262144"));
}

TEST_CASE("only reducers that tell ties and NaN apart as argmax does are taken for it") {
  using ir::DType;
  using ir::Op;
  CHECK(ir::position_extremum(ir::position_reducer(Op::Maximum, DType::F32, DType::I32)) ==
        Op::Maximum);
  CHECK(ir::position_extremum(ir::position_reducer(Op::Minimum, DType::U8, DType::I64)) ==
        Op::Minimum);
  // A user's, for which NaN never wins.
  const ir::Kernel users = read_kernel("argmax");
  for (const ir::KernelNode& node : users.nodes()) {
    if (node.op != Op::Reduce) continue;
    const auto& reducer = node.attributes.get<ir::Reducer>(ir::AttributeName::Reducer);
    CHECK(ir::position_extremum(reducer) == std::nullopt);
  }
}

}  // namespace sinter::tests
