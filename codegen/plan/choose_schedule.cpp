#include "codegen/plan/choose_schedule.h"

#include <fmt/format.h>

#include <set>

#include "ir/facts.h"
#include "support/check.h"

namespace sinter::codegen {

namespace {

using Sizes = std::map<std::string, std::int64_t>;

/// Sizes of all symbols of the kernel: those stated, else the default.
Sizes complete_sizes(const ir::Kernel& kernel, const Sizes& stated) {
  std::set<std::string> names;
  for (const ir::Axis& axis : kernel.axes()) names.merge(ir::sizes_of(axis.extent));
  for (const ir::KernelParam& param : kernel.params()) {
    for (const ir::Dim& dim : param.shape) names.merge(ir::sizes_of(dim));
  }
  for (const ir::KernelNode& node : kernel.nodes()) {
    for (const ir::Attribute& attribute : node.attributes.list()) {
      const auto* shape = std::get_if<ir::Shape>(&attribute.value);
      if (shape == nullptr) continue;
      for (const ir::IndexExpr& index : *shape) names.merge(ir::sizes_of(index));
    }
  }
  Sizes sizes = stated;
  for (const std::string& name : names) sizes.try_emplace(name, kDefaultSize);
  return sizes;
}

/// A call with dense tensors at aligned addresses.
ir::CallFacts usual_call(const ir::Kernel& kernel, const Sizes& sizes) {
  ir::CallFacts call;
  call.sizes = sizes;
  ir::IndexBindings bindings;
  bindings.sizes = sizes;
  for (const ir::KernelParam& param : kernel.params()) {
    ir::BoundTensor tensor;
    tensor.param = param.name;
    tensor.address = 4096;
    for (const ir::Dim& dim : param.shape) tensor.extents.push_back(evaluate(dim, bindings));
    tensor.strides = ir::contiguous_strides(tensor.extents);
    call.tensors.push_back(std::move(tensor));
  }
  return call;
}

/// The best class that holds for the call; the last always does.
ir::Facts class_of(const Schedule& schedule, const ir::Kernel& kernel, const ir::CallFacts& call) {
  for (const ir::Facts& facts : schedule.classes(kernel)) {
    if (!ir::find_mismatch(facts, call)) return facts;
  }
  return {};
}

}  // namespace

ScheduleChoice choose_schedule(const ir::Kernel& kernel, const Target& target,
                               std::span<const Schedule> schedules, const Sizes& sizes) {
  const Sizes complete = complete_sizes(kernel, sizes);
  const ir::CallFacts call = usual_call(kernel, complete);
  ScheduleChoice choice;
  for (const Schedule& schedule : schedules) {
    if (const auto reason = schedule.refuses(kernel, target)) {
      if (!choice.refusal.empty()) choice.refusal += "; ";
      choice.refusal += fmt::format("{}: {}", schedule.name, *reason);
      continue;
    }
    const ir::Facts facts = class_of(schedule, kernel, call);
    const auto candidates = schedule.candidates(kernel, facts, target, complete);
    support::check(!candidates.empty(), "schedule {} accepts {} but has no candidate for it",
                   schedule.name, kernel.name());
    const double predicted_us = candidates.front().predicted_us;
    if (choice.schedule != nullptr && choice.predicted_us <= predicted_us) continue;
    choice.schedule = &schedule;
    choice.predicted_us = predicted_us;
  }
  return choice;
}

}  // namespace sinter::codegen
