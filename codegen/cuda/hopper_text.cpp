#include "codegen/cuda/hopper_text.h"

#include <fmt/format.h>

#include "support/check.h"

namespace sinter::codegen::cuda {
namespace {

constexpr const char* kBarrierFunctions = R"(
struct alignas(64) TensorMap {
  u64 words[16];
};

inline void arrive(u32 barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

inline void arrive_at(u32 barrier, u32 rank) {
  asm volatile(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
      "}" ::"r"(barrier), "r"(rank) : "memory");
}

inline void wait_all_blocks() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
})";

std::string coordinates(int rank, int first) {
  std::string text;
  for (int d = 0; d < rank; ++d) text += fmt::format("{}%{}", d == 0 ? "" : ", ", first + d);
  return text;
}

std::string coordinate_parameters(int rank) {
  return rank == 2 ? "int x, int y" : "int x, int y, int z";
}

std::string coordinate_operands(int rank) {
  return rank == 2 ? "\"r\"(x), \"r\"(y)" : "\"r\"(x), \"r\"(y), \"r\"(z)";
}

}  // namespace

std::string barrier_functions() { return std::string(kBarrierFunctions).substr(1); }

std::string tile_load_function(int rank, bool multicast) {
  const int barrier = 2 + rank;
  const std::string name = multicast ? "multicast" : "load";
  const std::string mask = multicast ? fmt::format(", %{}", barrier + 2) : "";
  return fmt::format(
      "inline void {0}_tile_{1}d(u32 destination, const TensorMap& map, {2}, u32 barrier,\n"
      "                         u64 policy{3}) {{\n"
      "  asm volatile(\n"
      "      \"cp.async.bulk.tensor.{1}d.shared::cluster.global.mbarrier::complete_tx::bytes\"\n"
      "      \"{4}.L2::cache_hint [%0], [%1, {{{5}}}], [%{6}]{7}, %{8};\"\n"
      "      ::\"r\"(destination), \"l\"(&map), {9}, \"r\"(barrier), \"l\"(policy){10}\n"
      "      : \"memory\");\n"
      "}}",
      name, rank, coordinate_parameters(rank), multicast ? ", u16 mask" : "",
      multicast ? ".multicast::cluster" : "", coordinates(rank, 2), barrier, mask, barrier + 1,
      coordinate_operands(rank), multicast ? ", \"h\"(mask)" : "");
}

std::string tile_store_function(int rank) {
  return fmt::format(
      "inline void store_tile_{0}d(u32 source, const TensorMap& map, {1}, u64 policy) {{\n"
      "  asm volatile(\n"
      "      \"cp.async.bulk.tensor.{0}d.global.shared::cta.bulk_group.L2::cache_hint\"\n"
      "      \" [%0, {{{2}}}], [%1], %{3};\\n\"\n"
      "      \"cp.async.bulk.commit_group;\"\n"
      "      ::\"l\"(&map), \"r\"(source), {4}, \"l\"(policy)\n"
      "      : \"memory\");\n"
      "}}",
      rank, coordinate_parameters(rank), coordinates(rank, 2), rank + 2, coordinate_operands(rank));
}

std::string product_functions(std::int64_t n, ir::DType dtype, OperandLines a, OperandLines b) {
  support::check(dtype == ir::DType::BF16 || dtype == ir::DType::F16, "wgmma: operands of type {}",
                 to_string(dtype));
  const std::int64_t registers = n / 2;
  std::string names, operands;
  for (std::int64_t i = 0; i < registers; ++i) {
    const bool breaks = i % 8 == 0;
    names += fmt::format("{}%{}", i == 0 ? "" : breaks ? ",\"\n      \" " : ", ", i);
    operands += fmt::format("{}\"+f\"(d[{}])", i == 0 ? "" : breaks ? ",\n        " : ", ", i);
  }
  const std::string type = dtype == ir::DType::BF16 ? "bf16" : "f16";
  return fmt::format(
      "inline void multiply(float (&d)[{0}], u64 a, u64 b, int accumulates) {{\n"
      "  asm volatile(\n"
      "      \"{{\\n\"\n"
      "      \".reg .pred accumulates;\\n\"\n"
      "      \"setp.ne.b32 accumulates, %{1}, 0;\\n\"\n"
      "      \"wgmma.mma_async.sync.aligned.m64n{2}k16.f32.{3}.{3}\"\n"
      "      \" {{{4}}},\"\n"
      "      \" %{0}, %{5}, accumulates, 1, 1, {6}, {7};\\n\"\n"
      "      \"}}\"\n"
      "      : {8}\n"
      "      : \"l\"(a), \"l\"(b), \"r\"(accumulates));\n"
      "}}\n\n"
      "inline void finish_products(float (&d)[{0}]) {{\n"
      "  asm volatile(\"wgmma.wait_group.sync.aligned 0;\"\n"
      "      : {8}\n"
      "      :: \"memory\");\n"
      "}}",
      registers, registers + 2, n, type, names, registers + 1, a == OperandLines::Outer ? 1 : 0,
      b == OperandLines::Outer ? 1 : 0, operands);
}

}  // namespace sinter::codegen::cuda
