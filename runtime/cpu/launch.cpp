// Slots are 64-bit numbers or addresses, in the order of the entry's arguments.
#include "runtime/cpu/launch.h"

#include "support/check.h"

namespace sinter::runtime {

CpuCall::CpuCall(const CallBindings& bindings) : bindings_(bindings) {
  sizes_.sizes = bindings.facts.sizes;
}

std::int64_t CpuCall::evaluate(const ir::IndexExpr& expr) const {
  return ir::evaluate(expr, sizes_);
}

const ir::BoundTensor* CpuCall::find_tensor(const std::string& name) const {
  for (const ir::BoundTensor& tensor : bindings_.facts.tensors) {
    if (tensor.param == name) return &tensor;
  }
  return nullptr;
}

std::uint64_t CpuCall::address(const std::string& name) const {
  if (const ir::BoundTensor* tensor = find_tensor(name)) return tensor->address;
  const auto workspace = bindings_.workspaces.find(name);
  support::check(workspace != bindings_.workspaces.end(), "the call binds no {}", name);
  return reinterpret_cast<std::uint64_t>(workspace->second);
}

std::vector<std::uint64_t> CpuCall::slots(const codegen::Entry& entry,
                                          const std::map<std::string, std::uint64_t>& extra) const {
  std::vector<std::uint64_t> slots;
  for (const codegen::Argument& argument : entry.arguments) {
    switch (argument.kind) {
      case codegen::ArgumentKind::Pointer: slots.push_back(address(argument.param)); break;
      case codegen::ArgumentKind::Workspace: {
        const auto found = extra.find(argument.param);
        slots.push_back(found != extra.end() ? found->second : address(argument.param));
        break;
      }
      case codegen::ArgumentKind::Size:
        slots.push_back(static_cast<std::uint64_t>(evaluate(argument.expr)));
        break;
      case codegen::ArgumentKind::Stride: {
        const ir::BoundTensor* tensor = find_tensor(argument.param);
        support::check(tensor != nullptr, "the call binds no tensor {}", argument.param);
        const auto dimension = static_cast<std::size_t>(argument.dimension);
        slots.push_back(static_cast<std::uint64_t>(tensor->strides.at(dimension)));
        break;
      }
      case codegen::ArgumentKind::Scalar:
        support::throw_internal("{} wants a value, where the CPU takes pointers", entry.symbol);
      case codegen::ArgumentKind::TensorMap:
        support::throw_internal("{} wants a tensor map, which the CPU has not", entry.symbol);
    }
  }
  return slots;
}

void run_parallel(const CpuEntry& entry, const CpuCall& call, ThreadPool& pool) {
  const std::vector<std::uint64_t> slots = call.slots(*entry.entry);
  const codegen::ParallelRecipe& recipe = entry.entry->parallel;
  pool.parallel_for(
      call.evaluate(recipe.extent), recipe.grain,
      [&](std::int64_t begin, std::int64_t end) { entry.function(slots.data(), begin, end); });
}

}  // namespace sinter::runtime
