// Measures the error of an elementary function, compiled for a device, against MPFR.
#pragma once

#include <span>
#include <string>

#include "sinter/device.h"
#include "tests/support/ulp_inputs.h"

namespace sinter::tests {

/// The largest error over some inputs, in units of the last place (mpfr_reference.h), and where it is.
struct WorstUlp {
  std::uint64_t inputs = 0;
  double error = -1;
  std::vector<double> operands;
  double result = 0;

  void add(double its_error, std::span<const double> its_operands, double its_result);
  void merge(const WorstUlp& other);
};

/// One line of the table.
struct UlpRow {
  ir::Op op;
  ir::DType dtype;
  /// Of lgamma and digamma at x < 0, whose error counts beside the terms of the reflection.
  bool is_reflected = false;
  double stated = 0;
  WorstUlp worst;

  bool is_within() const { return worst.error <= stated; }
};

/// The rows, one or two, of results that somebody computed: the first `count` of each list.
std::vector<UlpRow> judge_results(const FunctionCase& c, ir::DType dtype,
                                  const std::vector<Numbers>& operands, const Numbers& results,
                                  std::size_t count, int threads);

struct UlpRun {
  Device device;
  /// Inputs of f32 a function; see UlpInputs.
  std::uint64_t count = 10'000'000;
  std::uint64_t seed = 1;
  /// That compare.
  int threads = 1;
};

/// Compiles the function, runs it over all its inputs and judges the results.
std::vector<UlpRow> measure_ulp(const FunctionCase& c, ir::DType dtype, const UlpRun& run);

/// The heading and one row of the table, in Markdown.
std::string ulp_heading();
std::string to_string(const UlpRow& row);

/// All elementary functions, those with expansions first.
std::vector<FunctionCase> all_function_cases();

}  // namespace sinter::tests
