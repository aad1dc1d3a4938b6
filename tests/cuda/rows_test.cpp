// The schedule rows without a GPU: which rows it keeps where, and that its kernels compile without local
// memory on every generation.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "codegen/schedule.h"
#include "tests/support/compiled_config.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

using codegen::Candidate;
using codegen::Config;

const codegen::Target kHopper = codegen::make_cuda_target("sm_90a");

std::vector<Candidate> candidates_of(const ir::Kernel& kernel, const codegen::Target& target,
                                     std::size_t facts_class = 0) {
  const codegen::Schedule& rows = cuda_schedule("rows");
  const auto classes = rows.classes(kernel);
  return rows.candidates(kernel, classes.at(facts_class), target, {});
}

std::string softmax(const std::string& dtype, const std::string& length) {
  return fmt::format(
      "graph softmax(%x: {0}[m, {1}]) {{\n"
      "  %0: {0}[m, {1}] = softmax(%x) {{axis: 1}}\n  return %0\n}}\n",
      dtype, length);
}

std::string residual_norm(const std::string& dtype, const std::string& length) {
  return fmt::format(
      "graph norm(%x: {0}[m, {1}], %r: {0}[m, {1}], %w: {0}[{1}]) {{\n"
      "  %0: {0}[m, {1}] = add(%x, %r)\n"
      "  %1: {0}[m, {1}] = rms_norm(%0, %w) {{axes: [1]}}\n  return %0, %1\n}}\n",
      dtype, length);
}

void check_compiled(const ir::Kernel& kernel, const std::string& arch, std::size_t facts_class,
                    std::size_t most) {
  const codegen::Target target = codegen::make_cuda_target(arch);
  const codegen::Schedule& rows = cuda_schedule("rows");
  const ir::Facts facts = rows.classes(kernel).at(facts_class);
  const auto candidates = rows.candidates(kernel, facts, target, {});
  for (std::size_t c = 0; c < std::min(most, candidates.size()); ++c) {
    check_config_compiles(rows, kernel, facts, candidates[c].config, arch);
  }
}

/// What is generated for the first class.
std::string best_text(const std::string& graph) {
  const ir::Kernel kernel = fused_kernel(graph);
  const codegen::Schedule& rows = cuda_schedule("rows");
  const Config config = candidates_of(kernel, kHopper).front().config;
  return rows.emit(kernel, rows.classes(kernel).front(), config, kHopper).sources.front().text;
}

}  // namespace

TEST_CASE("rows of many lengths compile without local memory on every generation") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  for (const std::string& arch : {std::string("sm_80"), std::string("sm_90a")}) {
    for (const char* length : {"100", "2560", "50257", "131072"}) {
      CAPTURE(length);
      check_compiled(fused_kernel(softmax("bf16", length)), arch, 0, 2);
      check_compiled(fused_kernel(residual_norm("bf16", length)), arch, 0, 2);
    }
    check_compiled(fused_kernel(softmax("f32", "32768")), arch, 0, 2);
    check_compiled(fused_kernel(residual_norm("f32", "8192")), arch, 0, 2);
  }
}

TEST_CASE("every config of a row that several blocks can share compiles without local memory") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  check_compiled(fused_kernel(residual_norm("bf16", "16384")), "sm_90a", 0, 100);
}

TEST_CASE("what is loaded behind the first reduction is there in later passes, too") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  const ir::Kernel kernel = fused_kernel(
      "graph shared(%x: bf16[m, 2560], %w: bf16[2560]) {\n"
      "  %0: f32[m, 2560] = cast(%x) {dtype: f32}\n"
      "  %1: f32[m] = max(%0) {axes: [1]}\n"
      "  %10: f32[m, 1] = reshape(%1) {shape: [m, 1]}\n"
      "  %2: f32[m, 2560] = broadcast(%10) {shape: [m, 2560]}\n"
      "  %3: f32[m, 2560] = sub(%0, %2)\n"
      "  %4: f32[2560] = cast(%w) {dtype: f32}\n"
      "  %5: f32[m, 2560] = broadcast(%4) {shape: [m, 2560]}\n"
      "  %6: f32[m, 2560] = add(%3, %5)\n"
      "  %7: f32[m] = sum(%6) {axes: [1]}\n"
      "  %11: f32[m, 1] = reshape(%7) {shape: [m, 1]}\n"
      "  %8: f32[m, 2560] = broadcast(%11) {shape: [m, 2560]}\n"
      "  %9: f32[m, 2560] = add(%5, %8)\n  return %9\n}\n");
  const auto is_grouped = [](const Candidate& one) {
    return one.config.at("keeps") == 1 && one.config.at("items") > 2;
  };
  const auto candidates = candidates_of(kernel, kHopper);
  CHECK(std::any_of(candidates.begin(), candidates.end(), is_grouped));
  check_compiled(kernel, "sm_90a", 0, 100);
}

TEST_CASE(
    "a row is kept by as many threads as it has vectors, by a cluster where one block is too "
    "small") {
  const auto has = [](const std::vector<Candidate>& candidates, const auto& is_wanted) {
    return std::any_of(candidates.begin(), candidates.end(),
                       [&](const Candidate& one) { return is_wanted(one.config); });
  };
  const auto keeps = [](const Config& config) { return config.at("keeps") == 1; };
  const auto is_cluster = [&](const Config& config) {
    return keeps(config) && config.at("blocks") > 1;
  };

  // 320 vectors: no power of two.
  CHECK(has(candidates_of(fused_kernel(residual_norm("bf16", "2560")), kHopper),
            [](const Config& config) { return config.at("threads") == 320; }));
  const ir::Kernel longest = fused_kernel(softmax("f32", "262144"));
  CHECK(has(candidates_of(longest, kHopper), is_cluster));
  const auto ampere = codegen::make_cuda_target("sm_80");
  CHECK_FALSE(has(candidates_of(longest, ampere), keeps));
  CHECK_FALSE(has(candidates_of(fused_kernel(softmax("f32", "16777216")), kHopper), keeps));
}

TEST_CASE(
    "rows of odd length are moved in vectors, from anywhere; views that begin elsewhere are not") {
  const auto first = [](const std::string& text) {
    return candidates_of(fused_kernel(text), kHopper).front().config;
  };
  const Config odd = first(softmax("bf16", "50257"));
  CHECK(odd.at("vector") == 8);
  CHECK(odd.at("shifted") == 1);
  const Config even = first(softmax("bf16", "50256"));
  CHECK(even.at("vector") == 8);
  CHECK(even.at("shifted") == 0);
  // The class behind those of vectors.
  const ir::Kernel kernel = fused_kernel(softmax("bf16", "50257"));
  const auto classes = cuda_schedule("rows").classes(kernel);
  CHECK(classes.back() == ir::Facts());
  CHECK(candidates_of(kernel, kHopper, classes.size() - 1).front().config.at("vector") == 1);
}

TEST_CASE("lanes without elements load without a branch where the row is never empty") {
  const auto text_of = [](const std::string& length) {
    return best_text(residual_norm("bf16", length));
  };
  const std::string clamp = "const idx first = is_full ? wanted : 0;";
  const std::string branch = "if (first < length) {";
  CHECK(text_of("5000").find(clamp) != std::string::npos);
  CHECK(text_of("5000").find(branch) == std::string::npos);
  // n may be 0.
  CHECK(text_of("n").find(clamp) == std::string::npos);
  CHECK(text_of("n").find(branch) != std::string::npos);
  // Only the last item may have lanes without elements.
  CHECK(text_of("5000").find("const bool is_full = item < 3 || wanted < length;") !=
        std::string::npos);
  // Rows that begin anywhere: whole vectors in the same way, and what lies beside them one by one.
  const std::string odd = text_of("50257");
  CHECK(odd.find("const idx first = is_full ? wanted : head;") != std::string::npos);
  CHECK(odd.find("if (edge < edges) {") != std::string::npos);
  CHECK(odd.find("if (first") == std::string::npos);
  CHECK(text_of("50256").find("edge") == std::string::npos);
}

TEST_CASE("exponentials of bf16 are made again, those of f32 are kept") {
  const auto text_of = [](const std::string& dtype) { return best_text(softmax(dtype, "4096")); };
  CHECK(text_of("bf16").find("kept_") == std::string::npos);
  // The compiler must not see that they are the same.
  CHECK(text_of("bf16").find("asm volatile(\"\" : \"+f\"(") != std::string::npos);
  CHECK(text_of("f32").find("kept_") != std::string::npos);
  CHECK(text_of("f32").find("asm volatile(\"\"") == std::string::npos);
}

TEST_CASE("a tensor with the name of the loop over groups of vectors gets another one") {
  const std::string text = best_text(
      "graph g(%x: bf16[4096, 16384], %group: bf16[16384]) {\n"
      "  %0: bf16[4096, 16384] = rms_norm(%x, %group) {axes: [1]}\n  return %0\n}\n");
  CHECK(text.find("for (int group = 0;") != std::string::npos);
  CHECK(text.find("const bf16* group_2,") != std::string::npos);
}

}  // namespace sinter::tests
