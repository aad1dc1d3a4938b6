// Chunks of inputs run on the device one after the other; the comparison is spread over threads.
#include "tests/support/ulp_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "sinter/compile.h"
#include "tests/support/mpfr_reference.h"

namespace sinter::tests {

using ir::DType;

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 19;

/// Of inputs of both kinds: ordinary ones, and those below 0 of functions with a reflection.
struct Judgement {
  WorstUlp ordinary;
  WorstUlp reflected;
};

Judgement judge_slice(const FunctionCase& c, DType dtype, const std::vector<Numbers>& operands,
                      const Numbers& results, std::size_t first, std::size_t last) {
  Judgement judgement;
  std::vector<double> x(operands.size());
  for (std::size_t i = first; i < last; ++i) {
    for (std::size_t o = 0; o < x.size(); ++o) x[o] = operands[o].at(i);
    const double y = results.at(i);
    if (c.has_reflection && x[0] < 0) {
      const double beside = reflection_terms(c.op, x[0], y);
      judgement.reflected.add(ulp_error(c.op, dtype, x, y, beside), x, y);
    } else {
      judgement.ordinary.add(ulp_error(c.op, dtype, x, y), x, y);
    }
  }
  return judgement;
}

void merge_rows(std::vector<UlpRow>& rows, const std::vector<UlpRow>& more) {
  if (rows.empty()) {
    rows = more;
    return;
  }
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r].worst.merge(more[r].worst);
}

std::string graph_text(const FunctionCase& c, DType dtype) {
  const bool is_binary = ir::info(c.op).arity == 2;
  const std::string type = fmt::format("{}[n]", to_string(dtype));
  return fmt::format("graph ulp(%x: {0}{1}) {{\n  %0: {0} = {2}(%x{3})\n  return %0\n}}\n", type,
                     is_binary ? ", %y: " + type : "", ir::to_string(c.op),
                     is_binary ? ", %y" : "");
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

}  // namespace

void WorstUlp::add(double its_error, std::span<const double> its_operands, double its_result) {
  ++inputs;
  if (its_error <= error) return;
  error = its_error;
  operands.assign(its_operands.begin(), its_operands.end());
  result = its_result;
}

void WorstUlp::merge(const WorstUlp& other) {
  const std::uint64_t all_inputs = inputs + other.inputs;
  if (other.error > error) *this = other;
  inputs = all_inputs;
}

std::vector<UlpRow> judge_results(const FunctionCase& c, DType dtype,
                                  const std::vector<Numbers>& operands, const Numbers& results,
                                  std::size_t count, int threads) {
  const auto slices = static_cast<std::size_t>(std::max(threads, 1));
  std::vector<Judgement> judgements(slices);
  {
    std::vector<std::jthread> workers;
    for (std::size_t s = 0; s < slices; ++s) {
      workers.emplace_back([&, s] {
        judgements[s] =
            judge_slice(c, dtype, operands, results, count * s / slices, count * (s + 1) / slices);
      });
    }
  }
  std::vector<UlpRow> rows{{c.op, dtype, false, stated_ulp(c, dtype), {}}};
  if (c.has_reflection) rows.push_back({c.op, dtype, true, stated_ulp(c, dtype, true), {}});
  for (const Judgement& judgement : judgements) {
    rows[0].worst.merge(judgement.ordinary);
    if (c.has_reflection) rows[1].worst.merge(judgement.reflected);
  }
  return rows;
}

std::vector<UlpRow> measure_ulp(const FunctionCase& c, DType dtype, const UlpRun& run) {
  UlpInputs inputs(c, dtype, run.count, run.seed);
  const std::size_t chunk = std::min<std::uint64_t>(kChunk, inputs.size());
  const auto arity = static_cast<std::size_t>(ir::info(c.op).arity);
  std::vector<Numbers> operands(arity, Numbers(dtype, chunk));
  Numbers results(dtype, chunk);
  const std::size_t chunk_bytes = results.size_bytes_of(chunk);

  const Executable function = compile_text(graph_text(c, dtype), run.device);
  const Stream stream = run.device.make_stream();
  std::vector<Buffer> buffers;
  std::vector<TensorView> views;
  for (std::size_t i = 0; i <= arity; ++i) {
    Buffer& buffer = buffers.emplace_back(run.device.allocate(chunk_bytes));
    views.push_back(buffer.view(dtype, {static_cast<std::int64_t>(chunk)}));
  }
  std::vector<UlpRow> rows;
  while (const std::size_t count = inputs.fill(operands)) {
    for (std::size_t i = 0; i < arity; ++i) buffers[i].copy_in(operands[i].data(), chunk_bytes);
    function.run(stream, std::span(views).first(arity), std::span(views).last(1));
    stream.synchronize();
    buffers[arity].copy_out(results.data(), chunk_bytes);
    merge_rows(rows, judge_results(c, dtype, operands, results, count, run.threads));
  }
  return rows;
}

std::string ulp_heading() {
  return "| function | type | inputs | largest ulp | where | stated | |\n"
         "|---|---|---|---|---|---|---|\n";
}

std::string to_string(const UlpRow& row) {
  std::string where;
  for (const double x : row.worst.operands)
    where += fmt::format("{}{:a}", where.empty() ? "" : ", ", x);
  if (!row.is_within()) where += fmt::format(" gives {:a}", row.worst.result);
  return fmt::format("| {}{} | {} | {} | {:.5f} | {} | {:.6g} | {} |\n", ir::to_string(row.op),
                     row.is_reflected ? ", x < 0" : "", to_string(row.dtype),
                     with_commas(row.worst.inputs), row.worst.error, where, row.stated,
                     row.is_within() ? "ok" : "FAIL");
}

std::vector<FunctionCase> all_function_cases() {
  std::vector<FunctionCase> cases(std::begin(kFunctionCases), std::end(kFunctionCases));
  cases.insert(cases.end(), std::begin(kRoundedOnceCases), std::end(kRoundedOnceCases));
  return cases;
}

}  // namespace sinter::tests
