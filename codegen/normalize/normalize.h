// Graph -> Graph passes, run in the order of one table. The driver alone runs, verifies, dumps and
// times.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "ir/graph.h"
#include "ir/mode.h"

namespace sinter::codegen {

/// Where narrow floats are rounded: at casts and outputs only, or at every node (to match unfused
/// code bit for bit).
enum class Rounding : std::uint8_t { Outputs, Each };

struct NormalizeOptions {
  ir::Mode mode = ir::Mode::Default;
  Rounding rounding = Rounding::Outputs;
  /// Called after each pass that changed the graph.
  std::function<void(std::string_view pass, const ir::Graph& graph, double time_us)> observe;
  /// Names of optional passes to leave out (SINTER_DISABLE_PASSES; read by the caller).
  std::vector<std::string> disabled;
};

struct Pass {
  std::string_view name;
  ir::Graph (*run)(const ir::Graph& graph, const NormalizeOptions& options);
  bool optional;
  std::string_view why;  // why it stands where it stands
};

std::span<const Pass> normalize_passes();
/// Names of those that can be left out, each once.
std::vector<std::string> optional_passes();

/// Afterwards: no composites; narrow floats occur only as parameters, results of casts and outputs
/// (all arithmetic is in f32 or wider); constants folded; equal nodes unified; no dead nodes.
ir::Graph normalize(const ir::Graph& graph, const NormalizeOptions& options = {});

}  // namespace sinter::codegen
