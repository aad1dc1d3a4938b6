// The text of a module: what it computes as a comment, functions, declarations.
#include "codegen/llvm/program_writer.h"

#include <sstream>

#include "ir/text.h"

namespace sinter::codegen::llvm {

ProgramWriter::ProgramWriter(const ir::Kernel& kernel, const Config& config)
    : kernel_(kernel), name_(make_identifier(kernel.name())) {
  program_.backend = Backend::Cpu;
  text_.line("; {} in mode {}", to_string(config), ir::to_string(kernel.mode()));
  std::istringstream lines(ir::to_string(kernel, {.locations = false}));
  for (std::string line; std::getline(lines, line);) text_.line("; {}", line);
}

std::string ProgramWriter::symbol(const std::string& part) const {
  return "sinter_" + name_ + (part.empty() ? "" : "_" + part);
}

void ProgramWriter::add_parallel(const FunctionWriter& function, ir::IndexExpr extent,
                                 std::int64_t grain, bool is_called) {
  text_.blank();
  function.finish(text_);
  declarations_.insert(function.declarations().begin(), function.declarations().end());
  Entry entry;
  entry.symbol = function.symbol();
  entry.kind = EntryKind::Parallel;
  entry.arguments = function.arguments();
  entry.parallel.extent = std::move(extent);
  entry.parallel.grain = grain;
  entry.is_called = is_called;
  program_.entries.push_back(std::move(entry));
}

void ProgramWriter::add_chain(ir::NodeId fold, const ir::IndexExpr& roundings) {
  const auto [place, is_new] = chains_.try_emplace(fold, roundings);
  if (!is_new) place->second = ir::max(place->second, roundings);
}

void ProgramWriter::add_chains(const std::map<ir::NodeId, ir::IndexExpr>& chains) {
  for (const auto& [fold, roundings] : chains) add_chain(fold, roundings);
}

Program ProgramWriter::finish() {
  for (const auto& [fold, roundings] : chains_) {
    program_.accumulations.push_back(
        {roundings, ir::compute_dtype(kernel_.node(fold).results.front())});
  }
  if (!declarations_.empty()) text_.blank();
  for (const std::string& declaration : declarations_) text_.line("{}", declaration);
  program_.sources.push_back({name_ + ".ll", "llvm", text_.text()});
  return program_;
}

}  // namespace sinter::codegen::llvm
