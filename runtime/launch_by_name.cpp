// A single launch whose arguments are given by name, for programs that are not part of a plan.
#include "runtime/device_impl.h"
#include "support/check.h"

namespace sinter::runtime {

void LoadedProgram::launch(StreamHandle stream, const CallBindings& call) {
  ir::CallNames names;
  std::vector<std::int64_t> sizes;
  std::vector<ir::TensorLayout> tensors;
  std::vector<void*> workspaces;
  for (const auto& [name, size] : call.facts.sizes) {
    names.sizes.push_back(name);
    sizes.push_back(size);
  }
  for (const ir::BoundTensor& tensor : call.facts.tensors) {
    names.tensors.push_back(tensor.param);
    tensors.push_back(tensor.layout());
  }
  for (const codegen::Workspace& workspace : workspaces_) {
    const auto found = call.workspaces.find(workspace.name);
    support::check(found != call.workspaces.end(), "the call binds no workspace {}",
                   workspace.name);
    workspaces.push_back(found->second);
  }
  bind(names)->launch(stream, {sizes, tensors, workspaces});
}

}  // namespace sinter::runtime
