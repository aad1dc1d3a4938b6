// Collects functions into the one LLVM source of a Program, with an entry for each.
#pragma once

#include <map>
#include <set>
#include <string>

#include "codegen/config.h"
#include "codegen/llvm/function_writer.h"
#include "codegen/program.h"
#include "ir/kernel.h"

namespace sinter::codegen::llvm {

class ProgramWriter {
 public:
  /// `kernel` outlives the writer.
  ProgramWriter(const ir::Kernel& kernel, const Config& config);

  /// A symbol for the kernel's entry number `part`; "sinter_" keeps users' names apart from those of
  /// library functions that LLVM would recognize.
  std::string symbol(const std::string& part = "") const;
  /// Adds the function as an entry over [0, extent). Not called: only by another entry's recipe.
  void add_parallel(const FunctionWriter& function, ir::IndexExpr extent, std::int64_t grain,
                    bool is_called = true);
  void add_entry(Entry entry) { program_.entries.push_back(std::move(entry)); }
  void add_workspace(Workspace workspace) { program_.workspaces.push_back(std::move(workspace)); }
  /// How a fold of the kernel, by node, is added up; the longest chain of all that are told for it
  /// counts.
  void add_chain(ir::NodeId fold, const ir::IndexExpr& roundings);
  void add_chains(const std::map<ir::NodeId, ir::IndexExpr>& chains);
  Program finish();

 private:
  const ir::Kernel& kernel_;
  std::string name_;
  Program program_;
  std::map<ir::NodeId, ir::IndexExpr> chains_;
  support::TextWriter text_;
  std::set<std::string> declarations_;
};

}  // namespace sinter::codegen::llvm
