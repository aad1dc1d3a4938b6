// Mistakes planted in the kernels of a plan, to see whether sn::check finds them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/kernel.h"
#include "sinter/check.h"

namespace sinter::tests {

struct Mutant {
  std::string_view name;
  /// The kernel with the mistake; nullopt where there is no place for it.
  std::optional<ir::Kernel> (*plant)(const ir::Kernel& kernel);
};
std::span<const Mutant> all_mutants();

/// `graph` compiled with the mistake in its first kernel that has a place for it; nullopt where none has.
std::optional<Executable> compile_mutant(const std::string& graph, const Device& device,
                                         const Mutant& mutant);

/// An operator that mutants are planted in, in text form.
struct MutantHost {
  std::string name;
  std::string graph;
};
std::span<const MutantHost> mutant_hosts();

/// Mutants that were checked.
struct MutantTally {
  int count = 0;
  /// Those that no family of inputs catches, a line each.
  std::string survivors;
  /// For each mutant the families that catch it.
  std::string table;

  void add(const std::string& name, const Executable& mutant);
};

/// Every operator of mutant_hosts with every one of all_mutants.
MutantTally check_mutants(const Device& device);

}  // namespace sinter::tests
