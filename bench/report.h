// Results as a table, as JSON and as an exit code.
#pragma once

#include <string>

#include "bench/result.h"
#include "tools/exit_code.h"

namespace sinter::bench {

std::string to_text(const CaseResult& result);
/// Schema "sinter.bench 1.0.0": fingerprint and cases; what is not known is null.
std::string to_json(const BenchResult& result);

/// Adds the figures of scripts/torch_peer.py's JSON to the cases and modes of the same names. UserError
/// where the text is none of its.
void merge_torch(BenchResult& result, const std::string& json_text);

/// WrongResult where an output is wrong or a share implausible, else the code of the first case that failed, else
/// Inconclusive where a timing of Sinter's is,
/// or more than 2 comparisons of kernels with themselves saw a difference.
tools::ExitCode exit_code_of(const BenchResult& result);

}  // namespace sinter::bench
