// Probes of the CPU: LLVM text that the worker threads share, and OpenBLAS for products.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/profile/probe.h"

namespace sinter::runtime {

namespace {

using codegen::ArgumentKind;
using ir::DType;

constexpr std::int64_t kChains = 12;  // of multiply-adds at once: latency 4, two a clock
constexpr std::int64_t kSteps = 1 << 16;
constexpr std::int64_t kItemsOfThread = 4;

codegen::Program make_cpu_program(std::string text) {
  codegen::Program program;
  program.backend = codegen::Backend::Cpu;
  program.sources.push_back({"probe.ll", "llvm", std::move(text)});
  return program;
}

codegen::Entry parallel_entry(const char* symbol, std::int64_t extent) {
  codegen::Entry entry;
  entry.symbol = symbol;
  entry.kind = codegen::EntryKind::Parallel;
  entry.parallel.extent = extent;
  return entry;
}

/// Every item is kSteps times kChains multiply-adds of vectors; the loop over items is around it.
std::string fma_text(const std::string& type, std::int64_t lanes) {
  const std::string vector = fmt::format("<{} x {}>", lanes, type);
  const std::string fma = fmt::format("@llvm.fma.v{}{}", lanes, type == "float" ? "f32" : "f64");
  std::string starts, phis, body, total;
  for (std::int64_t c = 0; c < kChains; ++c) {
    starts += fmt::format(
        "  %at{0} = getelementptr {2}, ptr %data, i64 {1}\n"
        "  %start{0} = load {2}, ptr %at{0}, align 4\n",
        c, c + 2, vector);
    phis +=
        fmt::format("  %sum{0} = phi {1} [ %start{0}, %items ], [ %next{0}, %steps ]\n", c, vector);
    body += fmt::format("  %next{0} = call {1} {2}({1} %sum{0}, {1} %x, {1} %y)\n", c, vector, fma);
    const std::string before = c == 1 ? "%next0" : fmt::format("%total{}", c - 1);
    if (c > 0) total += fmt::format("  %total{} = fadd {} {}, %next{}\n", c, vector, before, c);
  }
  return fmt::format(R"(
declare {vector} {fma}({vector}, {vector}, {vector})

define void @probe(ptr %arguments, i64 %begin, i64 %end) {{
entry:
  %data = load ptr, ptr %arguments, align 8
  %out.slot = getelementptr i64, ptr %arguments, i64 1
  %out = load ptr, ptr %out.slot, align 8
  %x = load {vector}, ptr %data, align 4
  %at.y = getelementptr {vector}, ptr %data, i64 1
  %y = load {vector}, ptr %at.y, align 4
{starts}  br label %items
items:
  %item = phi i64 [ %begin, %entry ], [ %item.next, %items.end ]
  br label %steps
steps:
  %step = phi i64 [ 0, %items ], [ %step.next, %steps ]
{phis}{body}  %step.next = add i64 %step, 1
  %goes_on = icmp slt i64 %step.next, {steps}
  br i1 %goes_on, label %steps, label %steps.end
steps.end:
{total}  %one = extractelement {vector} %total{last}, i64 0
  %is_magic = fcmp oeq {type} %one, 1234567.0
  br i1 %is_magic, label %store, label %items.end
store:
  store {type} %one, ptr %out, align 8
  br label %items.end
items.end:
  %item.next = add i64 %item, 1
  %has_more = icmp slt i64 %item.next, %end
  br i1 %has_more, label %items, label %done
done:
  ret void
}}
)",
                     fmt::arg("vector", vector), fmt::arg("fma", fma), fmt::arg("type", type),
                     fmt::arg("starts", starts), fmt::arg("phis", phis), fmt::arg("body", body),
                     fmt::arg("steps", kSteps), fmt::arg("total", total),
                     fmt::arg("last", kChains - 1));
}

ArithmeticProbe fma_probe(const codegen::Target& target, Arithmetic arithmetic, DType dtype) {
  const std::int64_t lanes = target.vector_bytes / static_cast<std::int64_t>(size_bytes(dtype));
  const std::int64_t items = target.units * kItemsOfThread;
  codegen::Program program =
      make_cpu_program(fma_text(dtype == DType::F32 ? "float" : "double", lanes));
  codegen::Entry entry = parallel_entry("probe", items);
  entry.arguments = {{.kind = ArgumentKind::Pointer, .param = "data"},
                     {.kind = ArgumentKind::Pointer, .param = "out"}};
  program.entries.push_back(entry);
  return {arithmetic, "fma", dtype, std::move(program),
          2.0 * static_cast<double>(items * kSteps * kChains * lanes)};
}

/// A panel of 128 rows for each thread, and matrices that fit into the probe's data.
ArithmeticProbe blas_probe(const codegen::Target& target, Arithmetic arithmetic, DType dtype) {
  constexpr std::int64_t kWidth = 512;
  constexpr std::int64_t kPanel = 128;
  const auto room = kProbeDataBytes / (kWidth * static_cast<std::int64_t>(size_bytes(dtype)));
  const std::int64_t rows = std::min(kPanel * std::max(target.units, 4), room);
  codegen::Program program = make_cpu_program("define void @nothing() {\n  ret void\n}\n");
  codegen::Entry entry;
  entry.symbol = "product";
  entry.kind = codegen::EntryKind::Blas;
  codegen::BlasRecipe& recipe = entry.blas;
  recipe.a = recipe.b = "data";
  recipe.c = "out";
  recipe.dtype = to_string(dtype);
  recipe.m = rows;
  recipe.n = recipe.k = kWidth;
  recipe.a_row_stride = recipe.b_row_stride = kWidth;
  recipe.a_col_stride = recipe.b_col_stride = 1;
  recipe.panel_rows = kPanel;
  program.entries.push_back(entry);
  return {arithmetic, "BLAS", dtype, std::move(program),
          2.0 * static_cast<double>(rows * kWidth * kWidth)};
}

}  // namespace

std::vector<ArithmeticProbe> cpu_arithmetic_probes(const codegen::Target& target) {
  return {fma_probe(target, Arithmetic::F64, DType::F64),
          fma_probe(target, Arithmetic::F32, DType::F32),
          blas_probe(target, Arithmetic::ProductF64, DType::F64),
          blas_probe(target, Arithmetic::ProductF32, DType::F32)};
}

codegen::Program cpu_copy_probe(std::int64_t bytes_read, std::int64_t bytes_written, int each) {
  const std::int64_t reads = bytes_read / 32;
  const std::int64_t writes = bytes_written / 32;
  const std::int64_t block = std::int64_t{each} * 1024 / 32;
  const std::int64_t blocks =
      std::max<std::int64_t>((std::max(reads, writes) + block - 1) / block, 1);
  const std::string text = fmt::format(R"(
declare i64 @llvm.smin.i64(i64, i64)

define void @copy(ptr %arguments, i64 %begin, i64 %end) {{
entry:
  %from = load ptr, ptr %arguments, align 8
  %to.slot = getelementptr i64, ptr %arguments, i64 1
  %to = load ptr, ptr %to.slot, align 8
  %read.first = mul i64 %begin, {block_reads}
  %read.all = mul i64 %end, {block_reads}
  %read.end = call i64 @llvm.smin.i64(i64 %read.all, i64 {reads})
  %write.first = mul i64 %begin, {block_writes}
  %write.all = mul i64 %end, {block_writes}
  %write.end = call i64 @llvm.smin.i64(i64 %write.all, i64 {writes})
  br label %both
both:
  %r = phi i64 [ %read.first, %entry ], [ %r.next, %both.body ]
  %w = phi i64 [ %write.first, %entry ], [ %w.next, %both.body ]
  %sum = phi <4 x i64> [ zeroinitializer, %entry ], [ %sum.next, %both.body ]
  %has.read = icmp slt i64 %r, %read.end
  %has.write = icmp slt i64 %w, %write.end
  %has.both = and i1 %has.read, %has.write
  br i1 %has.both, label %both.body, label %reads
both.body:
  %from.r = getelementptr <4 x i64>, ptr %from, i64 %r
  %value = load <4 x i64>, ptr %from.r, align 16
  %to.w = getelementptr <4 x i64>, ptr %to, i64 %w
  store <4 x i64> %value, ptr %to.w, align 16
  %sum.next = xor <4 x i64> %sum, %value
  %r.next = add i64 %r, 1
  %w.next = add i64 %w, 1
  br label %both
reads:
  %r2 = phi i64 [ %r, %both ], [ %r2.next, %reads.body ]
  %sum2 = phi <4 x i64> [ %sum, %both ], [ %sum2.next, %reads.body ]
  %has.read2 = icmp slt i64 %r2, %read.end
  br i1 %has.read2, label %reads.body, label %writes
reads.body:
  %from.r2 = getelementptr <4 x i64>, ptr %from, i64 %r2
  %value2 = load <4 x i64>, ptr %from.r2, align 16
  %sum2.next = xor <4 x i64> %sum2, %value2
  %r2.next = add i64 %r2, 1
  br label %reads
writes:
  %w2 = phi i64 [ %w, %reads ], [ %w2.next, %writes.body ]
  %has.write2 = icmp slt i64 %w2, %write.end
  br i1 %has.write2, label %writes.body, label %finish
writes.body:
  %to.w2 = getelementptr <4 x i64>, ptr %to, i64 %w2
  store <4 x i64> %sum2, ptr %to.w2, align 16
  %w2.next = add i64 %w2, 1
  br label %writes
finish:
  %one = extractelement <4 x i64> %sum2, i64 0
  %is_magic = icmp eq i64 %one, 1234567890123456789
  br i1 %is_magic, label %store, label %done
store:
  store i64 %one, ptr %to, align 8
  br label %done
done:
  ret void
}}
)",
                                       fmt::arg("reads", reads), fmt::arg("writes", writes),
                                       fmt::arg("block_reads", (reads + blocks - 1) / blocks),
                                       fmt::arg("block_writes", (writes + blocks - 1) / blocks));
  codegen::Program program = make_cpu_program(text);
  codegen::Entry entry = parallel_entry("copy", blocks);
  entry.arguments = {{.kind = ArgumentKind::Pointer, .param = "from"},
                     {.kind = ArgumentKind::Pointer, .param = "to"}};
  program.entries.push_back(entry);
  return program;
}

}  // namespace sinter::runtime
