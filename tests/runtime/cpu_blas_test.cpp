// Matrix products by BLAS on the CPU, with what is fused around them.
#include <doctest/doctest.h>

#include "ir/text.h"
#include "tests/support/cpu_kernel.h"

namespace sinter::tests {

namespace {

/// y = epilogue(x @ w), both operands of `dtype`.
std::string product_text(const std::string& dtype, const std::string& x_map,
                         const std::string& w_map, const std::string& epilogue) {
  const std::string x_shape = x_map == "i, k" ? "m, l" : "l, m";
  const std::string w_shape = w_map == "k, j" ? "l, n" : "n, l";
  std::string text = "kernel product {\n  axis i: m\n  axis j: n\n  axis k: l\n";
  text += "  in x: " + dtype + "[" + x_shape + "]\n  in w: " + dtype + "[" + w_shape + "]\n";
  text += "  in r: f32[m, n]\n  out y: f32[m, n]\n";
  text += "  %x: " + dtype + " (i, k) = load() {param: x, map: [" + x_map + "]}\n";
  text += "  %w: " + dtype + " (j, k) = load() {param: w, map: [" + w_map + "]}\n";
  text += "  %p: f32 (i, j) = contract(%x, %w) {axes: [k], dtype: f32, precision: split}\n";
  return text + epilogue + "  store(%y) {param: y, map: [i, j]}\n}";
}

const std::string kPlain =
    "  %0: f32 (i, j) = load() {param: r, map: [i, j]}\n"
    "  %y: f32 (i, j) = add(%p, %0)\n";
const std::string kRelu =
    "  %0: f32 = constant() {value: 0.0: f32}\n"
    "  %y: f32 (i, j) = maximum(%p, %0)\n";

const CpuRun kBlas = {"blas", -1, {}, true};

}  // namespace

TEST_CASE("a product with a residual, in every storage order and type") {
  for (const char* dtype : {"f32", "bf16", "f16"}) {
    for (const char* x_map : {"i, k", "k, i"}) {
      for (const char* w_map : {"k, j", "j, k"}) {
        for (const std::string& epilogue : {kPlain, kRelu}) {
          check_cpu_kernel(product_text(dtype, x_map, w_map, epilogue),
                           {{"m", 37}, {"n", 29}, {"l", 43}}, kBlas, 1e-6);
        }
      }
    }
  }
}

TEST_CASE("products of any layout, with sizes of zero and one") {
  const std::string text = product_text("f32", "i, k", "k, j", kPlain);
  CpuRun run = kBlas;
  for (const CpuLayout layout :
       {CpuLayout::Dense, CpuLayout::Padded, CpuLayout::Transposed, CpuLayout::Reversed}) {
    run.layouts = {{"x", layout}, {"w", layout}, {"y", layout}};
    check_cpu_kernel(text, {{"m", 20}, {"n", 5}, {"l", 7}}, run, 1e-6);
  }
  for (const char* size : {"m", "n", "l"}) {
    for (const std::int64_t extent : {0, 1}) {
      std::map<std::string, std::int64_t> sizes = {{"m", 3}, {"n", 4}, {"l", 5}};
      sizes[size] = extent;
      check_cpu_kernel(text, sizes, kBlas, 1e-6);
    }
  }
}

TEST_CASE("a batched product, one operand shared, written in its own order") {
  check_cpu_kernel(R"(kernel batched {
    axis b: 3
    axis h: 2
    axis i: m
    axis j: n
    axis k: l
    in x: f64[3, m, 2, l]
    in w: f64[2, n, l]
    out y: f64[3, 2, m, n]
    out z: f64[3, m, 2, n]
    %0: f64 (b, h, i, k) = load() {param: x, map: [b, i, h, k]}
    %1: f64 (h, j, k) = load() {param: w, map: [h, j, k]}
    %2: f64 (b, h, i, j) = contract(%0, %1) {axes: [k], dtype: f64, precision: ieee}
    %3: f64 (b, h, i, j) = neg(%2)
    store(%2) {param: y, map: [b, h, i, j]}
    store(%3) {param: z, map: [b, i, h, j]}
  })",
                   {{"m", 5}, {"n", 6}, {"l", 7}}, kBlas, 1e-12);
}

TEST_CASE("a convolution is a product of windows") {
  check_cpu_kernel(R"(kernel conv2d {
    axis b: batch
    axis f: 8
    axis oy: floor((height + 1) / 2)
    axis ox: floor((width + 1) / 2)
    axis c: 4
    axis ry: 3
    axis rx: 3
    in x: f32[batch, 4, height, width]
    in w: f32[8, 4, 3, 3]
    in bias: f32[8]
    out y: f32[batch, 8, floor((height + 1) / 2), floor((width + 1) / 2)]
    %0: f32 (b, oy, ox, c, ry, rx) = load() {param: x, map: [b, c, 2*oy + 3*ry - 4, 2*ox + 3*rx - 4],
      where: [2*oy + 3*ry - 4, height - 1 - (2*oy + 3*ry - 4),
              2*ox + 3*rx - 4, width - 1 - (2*ox + 3*rx - 4)], outside: 0.0: f32}
    %1: f32 (f, c, ry, rx) = load() {param: w, map: [f, c, ry, rx]}
    %2: f32 (b, f, oy, ox) = contract(%0, %1) {dtype: f32, axes: [c, ry, rx], precision: ieee}
    %3: f32 (f) = load() {param: bias, map: [f]}
    %4: f32 (b, f, oy, ox) = add(%2, %3)
    store(%4) {param: y, map: [b, f, oy, ox]}
  })",
                   {{"batch", 2}, {"height", 9}, {"width", 11}}, kBlas, 1e-6);
}

TEST_CASE("rows gathered by index feed a product") {
  const ir::Kernel kernel = ir::parse_kernel(R"(kernel gathered {
    axis i: tokens
    axis j: n
    axis k: width
    in rows: i32[tokens]
    in table: f16[vocabulary, width]
    in w: f16[width, n]
    out y: f16[tokens, n]
    %0: i32 (i) = load() {param: rows, map: [i]}
    %1: f16 (i, k) = load() {param: table, map: [%0, k], where: [%0, vocabulary - 1 - %0], outside: 0.0: f16}
    %2: f16 (j, k) = load() {param: w, map: [k, j]}
    %3: f32 (i, j) = contract(%1, %2) {axes: [k], dtype: f32, precision: split}
    %4: f16 (i, j) = cast(%3) {dtype: f16}
    store(%4) {param: y, map: [i, j]}
  })");
  const std::map<std::string, std::int64_t> sizes = {
      {"tokens", 21}, {"n", 10}, {"width", 33}, {"vocabulary", 7}};

  check_cpu_kernel(kernel, sizes, random_inputs(kernel, sizes, 2), kBlas, 2e-3);
}

TEST_CASE("more rows than one panel, and few rows with many columns") {
  for (const char* dtype : {"f32", "bf16"}) {
    check_cpu_kernel(product_text(dtype, "i, k", "j, k", kPlain), {{"m", 3}, {"n", 300}, {"l", 9}},
                     kBlas, 1e-6);
  }
  check_cpu_kernel(product_text("f32", "i, k", "k, j", kPlain), {{"m", 1100}, {"n", 3}, {"l", 2}},
                   kBlas, 1e-6);
}

TEST_CASE("blas leaves strict mode and odd contractions to others") {
  const codegen::Schedule& blas = cpu_schedule("blas");
  const codegen::Target target = codegen::make_cpu_target();
  std::string text = product_text("f32", "i, k", "k, j", kPlain);

  CHECK_FALSE(blas.refuses(ir::parse_kernel(text), target).has_value());
  text.insert(text.find("  axis i"), "  mode strict\n");
  CHECK(blas.refuses(ir::parse_kernel(text), target) == "strict mode fixes the order of sums");
}

}  // namespace sinter::tests
