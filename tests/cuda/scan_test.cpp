// The schedule scan without a GPU: what it takes, which form serves which sizes, and that its kernels compile
// without local memory on every generation.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "codegen/schedule.h"
#include "ir/text.h"
#include "support/options.h"
#include "tests/support/compiled_config.h"
#include "tests/support/kernel_files.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

using codegen::Candidate;
using codegen::Config;

std::string cumulative(const std::string& scan, const std::string& in, const std::string& out,
                       const std::string& shape, const std::string& attributes) {
  return fmt::format(
      "graph g(%x: {1}[{3}]) {{\n  %0: {2}[{3}] = {0}(%x) {{{4}}}\n  return %0\n}}\n", scan, in,
      out, shape, attributes);
}

std::string rows_of(const std::string& dtype, const std::string& shape) {
  return cumulative("cumsum", dtype, dtype, shape, "axis: 1");
}

std::string scan_refusal_of(const ir::Kernel& kernel) {
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  return cuda_schedule("scan").refuses(kernel, target).value_or("accepted");
}

std::vector<Candidate> scans_of(const ir::Kernel& kernel, std::size_t facts_class = 0) {
  const codegen::Schedule& scan = cuda_schedule("scan");
  return scan.candidates(kernel, scan.classes(kernel).at(facts_class),
                         codegen::make_cuda_target("sm_90a"), {});
}

Config best_scan_of(const std::string& text) { return scans_of(fused_kernel(text)).front().config; }

/// The best config of each form that the class has, the very best first.
std::vector<Config> forms_of(const std::vector<Candidate>& candidates) {
  std::vector<Config> forms;
  const auto form = [](const Config& config) {
    return std::array{config.at("team") == config.at("threads"), config.at("once") != 0,
                      config.at("blocks") > 0};
  };
  for (const Candidate& candidate : candidates) {
    const bool is_new = std::none_of(forms.begin(), forms.end(), [&](const Config& one) {
      return form(one) == form(candidate.config);
    });
    if (is_new) forms.push_back(candidate.config);
  }
  return forms;
}

void check_scan_compiles(const std::string& text) {
  const ir::Kernel kernel = fused_kernel(text);
  const codegen::Schedule& schedule = cuda_schedule("scan");
  const auto classes = schedule.classes(kernel);
  CAPTURE(text);
  for (const std::string& arch : test_architectures()) {
    const codegen::Target target = codegen::make_cuda_target(arch);
    for (const ir::Facts& facts : {classes.front(), classes.back()}) {
      std::vector<Config> configs = forms_of(schedule.candidates(kernel, facts, target, {}));
      if (arch != "sm_90a") configs.resize(1);
      for (const Config& config : configs) {
        check_config_compiles(schedule, kernel, facts, config, arch);
      }
    }
  }
}

}  // namespace

TEST_CASE("kernels with one scan are taken, with something ahead and behind and several outputs") {
  CHECK(scan_refusal_of(fused_kernel(rows_of("f32", "64, n"))) == "accepted");
  CHECK(scan_refusal_of(fused_kernel(R"(graph g(%x: bf16[m, n], %y: f32[m, n]) {
    %0: f32[m, n] = cast(%x) {dtype: f32}
    %1: f32[m, n] = mul(%0, %y)
    %2: f32[m, n] = cumsum(%1) {axis: 0, exclusive: true}
    %3: f32[m, n] = div(%2, %y)
    return %1, %2, %3
  })")) == "accepted");
}

TEST_CASE("reductions, several scans and other orders are for others") {
  const auto refusal = [](const std::string& text) {
    return scan_refusal_of(ir::parse_kernel(text));
  };
  const std::string head =
      "kernel k {\n  axis i: m\n  axis j: n\n  in x: f32[m, n]\n  out y: f32[m, n]\n"
      "  %0: f32 (i, j) = load() {param: x, map: [i, j]}\n";
  const std::string tail = "  store(%2) {param: y, map: [i, j]}\n}\n";
  const std::string scan = "  %1: f32 (i, j) = scan(%0) {axis: j, reducer: add}\n";

  CHECK(refusal(head + "  %2: f32 (i, j) = neg(%0)\n" + tail) == "it has no scan");
  CHECK(refusal(head + scan + "  %2: f32 (i, j) = scan(%1) {axis: i, reducer: add}\n" + tail) ==
        "it has more than one scan, or reduces as well");
  const std::string strict = "kernel k {\n  mode strict\n" + head.substr(head.find("  axis i"));
  CHECK(refusal(strict + scan + "  %2: f32 (i, j) = neg(%1)\n" + tail) ==
        "strict mode fixes the order of its scan");
  CHECK(refusal(strict + "  %1: f32 (i, j) = scan(%0) {axis: j, reducer: maximum}\n" +
                "  %2: f32 (i, j) = neg(%1)\n" + tail) == "accepted");
}

TEST_CASE("rows are moved in vectors, also where they begin anywhere") {
  const Config whole = best_scan_of(rows_of("bf16", "8192, 8192"));
  CHECK(whole.at("vector") == 8);
  CHECK(whole.at("shifted") == 0);
  CHECK(whole.at("blocks") == 0);
  const Config odd = best_scan_of(rows_of("bf16", "8192, 50257"));
  CHECK(odd.at("vector") == 8);
  CHECK(odd.at("shifted") == 1);
  const ir::Kernel kernel = fused_kernel(rows_of("f32", "m, n"));
  const auto classes = cuda_schedule("scan").classes(kernel);
  CHECK(classes.size() <= 16);
  CHECK(classes.back() == ir::Facts());
  CHECK(scans_of(kernel, classes.size() - 1).front().config.at("vector") == 1);
}

TEST_CASE("short rows are had by parts of a warp, few long ones by all blocks") {
  const Config shortest = best_scan_of(rows_of("f32", "4194304, 32"));
  CHECK(shortest.at("team") <= 8);
  CHECK(shortest.at("once") == 1);
  CHECK(best_scan_of(cumulative("cumsum", "f32", "f32", "67108864", "axis: 0")).at("blocks") > 0);
  CHECK(best_scan_of(rows_of("f32", "16, 4194304")).at("blocks") > 0);
  CHECK(best_scan_of(rows_of("f32", "1024, 65536")).at("blocks") == 0);
}

TEST_CASE("many columns are walked down alone, fewer by the threads of a block") {
  const auto columns = [](const std::string& shape) {
    return best_scan_of(cumulative("cumsum", "f32", "f32", shape, "axis: 0"));
  };
  const Config few = columns("8192, 8192");
  CHECK(few.at("columns") == 1);
  CHECK(few.at("team") < few.at("threads"));
  const Config many = columns("64, 1048576");
  CHECK(many.at("team") == many.at("threads"));
}

TEST_CASE("a running sum of rows in parts, for the reader") {
  const codegen::Schedule& schedule = cuda_schedule("scan");
  const ir::Kernel kernel = fused_kernel(rows_of("bf16", "m, n"));
  const codegen::Target target = codegen::make_cuda_target("sm_90a");
  const ir::Facts facts = schedule.classes(kernel).at(4);
  const Config config{"scan",
                      {{"columns", 0},
                       {"threads", 256},
                       {"team", 256},
                       {"items", 2},
                       {"run", 8},
                       {"once", 0},
                       {"blocks", 528},
                       {"vector", 8},
                       {"shifted", 0}}};
  const std::string path = "tests/cuda/golden/cumsum_parts.cu";

  const std::string text = schedule.emit(kernel, facts, config, target).sources.at(0).text;
  if (support::option_integer(support::Option::UpdateGolden) == 1) {
    std::ofstream(path, std::ios::binary) << text;
  }
  std::stringstream golden;
  golden << std::ifstream(path, std::ios::binary).rdbuf();
  CHECK(golden.str() == text);
}

TEST_CASE("running sums of every width compile without local memory on every generation") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  check_scan_compiles(rows_of("f32", "m, n"));
  check_scan_compiles(rows_of("bf16", "8192, 8192"));
  check_scan_compiles(rows_of("bf16", "8192, 8191"));
  check_scan_compiles(rows_of("f64", "m, 1000"));
  check_scan_compiles(cumulative("cumsum", "i32", "i64", "m, n", "axis: 1"));
  check_scan_compiles(cumulative("cumprod", "i64", "i64", "m, 65536", "axis: 1"));
}

TEST_CASE(
    "scans from the end, exclusive, of several accumulators and of columns compile likewise") {
  if (const std::string why = why_no_nvrtc(); !why.empty()) return skip(why);
  check_scan_compiles(
      cumulative("cumsum", "bf16", "bf16", "m, n", "axis: 1, exclusive: true, reverse: true"));
  check_scan_compiles(cumulative("logcumsumexp", "f32", "f32", "m, n", "axis: 1"));
  check_scan_compiles(cumulative("logcumsumexp", "bf16", "bf16", "m, n", "axis: 0"));
  check_scan_compiles(cumulative("cummax", "f32", "f32", "m, n", "axis: 0, reverse: true"));
  check_scan_compiles(cumulative("cumsum", "i32", "i64", "b, m, n", "axis: 1, exclusive: true"));
}

}  // namespace sinter::tests
