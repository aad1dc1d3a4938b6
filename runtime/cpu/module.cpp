// Objects through the module's C interface.
#include "runtime/cpu/module.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <variant>

#include "runtime/cpu/blas.h"
#include "runtime/cpu/jit_module.h"
#include "support/check.h"

namespace sinter::runtime {

namespace {

/// Line number at the head of "12:5: message"; 0 where there is none.
int line_of(const std::string& message) {
  int line = 0;
  const auto [end, code] = std::from_chars(message.data(), message.data() + message.size(), line);
  const bool has_line = code == std::errc() && end < message.data() + message.size() && *end == ':';
  return has_line ? line : 0;
}

/// The lines around `line`, numbered, the line itself marked.
std::string excerpt(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string excerpt;
  int number = 0;
  for (std::string content; std::getline(lines, content);) {
    ++number;
    if (std::abs(number - line) > 4) continue;
    excerpt += fmt::format("\n{} {:5} | {}", number == line ? ">" : " ", number, content);
  }
  return excerpt;
}

const codegen::Source& only_source(const codegen::Program& program) {
  support::check(program.sources.size() == 1 && program.sources[0].language == "llvm",
                 "a CPU program has one LLVM source, this has {} sources", program.sources.size());
  return program.sources[0];
}

/// Entries in order, with the places of their arguments.
class CpuBoundProgram final : public BoundProgram {
 public:
  CpuBoundProgram(const codegen::Program& program,
                  const std::map<std::string, CpuFunction>& functions, const SlotFinder& finder,
                  const SinterCpuJitApi& jit, ThreadPool& pool)
      : jit_(jit), pool_(pool) {
    for (const codegen::Entry& entry : program.entries) {
      if (entry.kind != codegen::EntryKind::Parallel) continue;
      entries_[entry.symbol] = {functions.at(entry.symbol), finder.find_all(entry),
                                finder.flatten(entry.parallel.extent), entry.parallel.grain};
    }
    for (const codegen::Entry& entry : program.entries) {
      if (!entry.is_called) continue;
      switch (entry.kind) {
        case codegen::EntryKind::Parallel: steps_.emplace_back(&entries_.at(entry.symbol)); break;
        case codegen::EntryKind::Blas:
          steps_.emplace_back(make_blas_step(entry, finder, entries_));
          break;
        case codegen::EntryKind::Launch:
          support::throw_internal("{} is a GPU launch", entry.symbol);
      }
    }
  }

  void launch(StreamHandle, const CallArguments& call) override {
    for (const auto& step : steps_) {
      if (const auto* entry = std::get_if<const CpuEntry*>(&step)) {
        run_parallel(**entry, call, pool_);
      } else {
        run_blas(std::get<BlasStep>(step), call, jit_, pool_);
      }
    }
  }

 private:
  const SinterCpuJitApi& jit_;
  ThreadPool& pool_;
  std::map<std::string, CpuEntry> entries_;  // Parallel, by symbol
  std::vector<std::variant<const CpuEntry*, BlasStep>> steps_;
};

}  // namespace

Binary compile_cpu_program(const SinterCpuJitApi& jit, const codegen::Program& program,
                           const codegen::Target& target) {
  const codegen::Source& source = only_source(program);
  std::size_t size = 0;
  char* error = nullptr;
  void* object = jit.compile(source.text.c_str(), source.text.size(), target.arch.c_str(),
                             target.features.c_str(), &size, &error);
  if (object == nullptr) {
    const std::string message = take_text(jit, error);
    const int line = line_of(message);
    support::throw_compile("LLVM {} cannot compile {}: {}{}", jit.llvm_version, source.name,
                           message, line > 0 ? excerpt(source.text, line) : "\n" + source.text);
  }
  Binary binary{std::string(static_cast<const char*>(object), size), ""};
  jit.free_object(object);
  return binary;
}

CpuProgram::CpuProgram(const SinterCpuJitApi& jit, ThreadPool& pool, codegen::Program program,
                       const Binary& binary)
    : LoadedProgram(program.workspaces), jit_(jit), pool_(pool), program_(std::move(program)) {
  char* error = nullptr;
  loaded_ = jit.load(binary.bytes.data(), binary.bytes.size(), &error);
  if (loaded_ == nullptr) {
    support::throw_runtime("LLVM cannot load the object of {}: {}", only_source(program_).name,
                           take_text(jit, error));
  }
  for (const codegen::Entry& entry : program_.entries) {
    if (entry.kind != codegen::EntryKind::Parallel) continue;
    void* function = jit.find(loaded_, entry.symbol.c_str(), &error);
    if (function == nullptr) {
      const std::string message = take_text(jit, error);
      jit.unload(loaded_);
      support::throw_runtime("the object of {} has no {}: {}", only_source(program_).name,
                             entry.symbol, message);
    }
    functions_[entry.symbol] = reinterpret_cast<CpuFunction>(function);
  }
}

CpuProgram::~CpuProgram() { jit_.unload(loaded_); }

std::unique_ptr<BoundProgram> CpuProgram::bind(const ir::CallNames& names) {
  return std::make_unique<CpuBoundProgram>(program_, functions_, SlotFinder(workspaces(), names),
                                           jit_, pool_);
}

}  // namespace sinter::runtime
