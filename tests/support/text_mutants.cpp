#include "tests/support/text_mutants.h"

#include <fmt/format.h>

#include <regex>

#include "codegen/plan/plan.h"
#include "ir/text.h"
#include "runtime/executable_impl.h"
#include "support/check.h"

namespace sinter::tests {

namespace {

constexpr const char* kLongProduct =
    "graph long_product(%x: bf16[256, 1536], %w: bf16[1536, 256], %r: bf16[256, 256]) {\n"
    "  %0: bf16[256, 256] = matmul(%x, %w)\n"
    "  %1: bf16[256, 256] = add(%0, %r)\n"
    "  return %1\n}\n";
constexpr const char* kLongRows =
    "graph long_rows(%x: bf16[16, 16384]) {\n"
    "  %0: bf16[16, 16384] = softmax(%x) {axis: 1}\n"
    "  return %0\n}\n";

constexpr const char* kLongScan =
    "graph long_scan(%x: f32[262144]) {\n"
    "  %0: f32[262144] = cumsum(%x) {axis: 0}\n"
    "  return %0\n}\n";

/// The copy of the addend's tile starts a millisecond late, when the products have long been added up.
TextEdit late_addend() {
  return {R"((load_tile_\dd\([^;]*addend_map))", "__nanosleep(1000000);\n        $1"};
}

std::vector<TextMutant> make_text_mutants() {
  std::vector<TextMutant> mutants = {
      {"k-step of 16 dropped", kLongProduct, {{R"(multiply\(\w+, a \+ 6,[^;]*;)", ""}}},
      {"sums not cleared", kLongProduct, {{"step != 0\\);", "1);"}}},
      {"no barrier", kLongRows, {{R"(__syncthreads\(\);)", ""}}},
      {"no barrier between the warps of a scan",
       kLongScan,
       {{R"(__syncthreads\(\);)", ""}},
       false,
       true},
      {"no wait for the parts ahead", kLongScan, {{R"(while \(word >> 32 == 0\) [^;]*;)", ""}}},
      {"control: nothing planted", kLongProduct, {}, true},
      {"control: late addend", kLongProduct, {late_addend()}, true},
  };
  const auto add_hanging = [&](const char* name, std::vector<TextEdit> edits) {
    mutants.push_back({name, kLongProduct, std::move(edits), false, true});
  };
  add_hanging("no wait for a full stage", {{R"(wait\(full [^;]*;)", ""}});
  add_hanging("no wait for an empty stage", {{R"(wait\(empty [^;]*;)", ""}});
  add_hanging("stages never given back", {{R"(arrive\(empty [^;]*;)", ";"}});
  add_hanging("no bytes expected", {{R"(expect_bytes\(arrived[^;]*;)", ""}});
  add_hanging("no wait for the addend's tile", {late_addend(), {R"(wait\(loaded [^;]*;)", ""}});
  add_hanging("no wait for the results", {{R"(wait\(ready [^;]*;)", ""}});
  return mutants;
}

/// What emit_edited needs: it is a function without state. One thread at a time.
struct EditedEmission {
  const codegen::Schedule* schedule = nullptr;
  const TextMutant* mutant = nullptr;
};
EditedEmission emission;

codegen::Program emit_edited(const ir::Kernel& kernel, const ir::Facts& facts,
                             const codegen::Config& config, const codegen::Target& target) {
  codegen::Program program = emission.schedule->emit(kernel, facts, config, target);
  // Other classes may lack the place; the best one has it.
  return edit_program(program, *emission.mutant).value_or(program);
}

}  // namespace

std::span<const TextMutant> all_text_mutants() {
  static const std::vector<TextMutant> mutants = make_text_mutants();
  return mutants;
}

const TextMutant& find_text_mutant(const std::string& name) {
  std::vector<std::string> names;
  for (const TextMutant& mutant : all_text_mutants()) {
    if (mutant.name == name) return mutant;
    names.push_back(mutant.name);
  }
  support::throw_user("there is no mutant '{}', one of '{}' is needed", name,
                      fmt::join(names, "', '"));
}

std::optional<codegen::Program> edit_program(codegen::Program program, const TextMutant& mutant) {
  for (const TextEdit& edit : mutant.edits) {
    bool has_place = false;
    for (codegen::Source& source : program.sources) {
      std::string edited =
          std::regex_replace(source.text, std::regex(edit.pattern), edit.replacement);
      has_place = has_place || edited != source.text;
      source.text = std::move(edited);
    }
    if (!has_place) return std::nullopt;
  }
  return program;
}

std::optional<Executable> compile_mutant(const Device& device, const TextMutant& mutant) {
  static codegen::Schedule edited_schedule;
  bool has_place = false;
  const auto edit = [&](codegen::Plan& plan) {
    codegen::PlannedKernel& planned = plan.kernels.at(0);
    const auto classes = planned.schedule->classes(planned.kernel);
    const auto generated =
        runtime::generate_kernel(planned, classes.front(), device.impl().target(), {});
    has_place = edit_program(generated.program, mutant).has_value();
    emission = {planned.schedule, &mutant};
    edited_schedule = *planned.schedule;
    edited_schedule.emit = emit_edited;
    planned.schedule = &edited_schedule;
  };
  Executable executable(std::make_shared<runtime::ExecutableImpl>(ir::parse_graph(mutant.graph),
                                                                  device, CompileOptions{}, edit));
  if (!has_place) return std::nullopt;
  executable.impl().compile_first_variants();
  return executable;
}

}  // namespace sinter::tests
