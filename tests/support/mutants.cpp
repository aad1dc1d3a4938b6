// Kernels are copied node by node; a mutant changes the attributes or operands of some, or the axes.
#include "tests/support/mutants.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <map>

#include "codegen/plan/plan.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "runtime/executable_impl.h"

namespace sinter::tests {

using ir::AttributeName;
using ir::AxisId;
using ir::DType;
using ir::IndexExpr;
using ir::Kernel;
using ir::KernelNode;
using ir::Literal;
using ir::Op;
using ir::Shape;
using ir::Value;

namespace {

/// A node on its way into the copy: its operands are values of the copy already.
struct CopiedNode {
  Kernel& copy;
  KernelNode node;
};
/// Changes `node`, or adds nodes of its own and gives the value that stands for it.
using NodeEdit = std::function<std::optional<Value>(CopiedNode& at)>;
using AxisEdit = std::function<ir::Dim(AxisId axis, const ir::Dim& extent)>;

Kernel copy_kernel(const Kernel& kernel, const NodeEdit& edit_node,
                   const AxisEdit& edit_axis = {}) {
  Kernel copy(kernel.name(), kernel.mode());
  for (AxisId axis = 0; axis < kernel.axes().size(); ++axis) {
    const ir::Axis& original = kernel.axes()[axis];
    copy.add_axis(original.name, edit_axis ? edit_axis(axis, original.extent) : original.extent);
  }
  for (const ir::KernelParam& param : kernel.params()) copy.add_param(param);
  std::map<Value, Value> made;
  for (ir::NodeId id = 0; id < kernel.nodes().size(); ++id) {
    CopiedNode at{copy, kernel.node(id)};
    for (Value& operand : at.node.operands) operand = made.at(operand);
    std::optional<Value> replaced;
    if (edit_node) replaced = edit_node(at);
    const Value value =
        replaced ? *replaced
                 : copy.add(at.node.op, at.node.operands, at.node.attributes, at.node.location);
    for (std::uint32_t r = 0; r < kernel.node(id).results.size(); ++r) {
      made[{id, r}] = {value.node, replaced ? value.result : r};
    }
  }
  return copy;
}

bool is_fold(const KernelNode& node) {
  return node.op == Op::Reduce || node.op == Op::Contract || node.op == Op::Scan;
}

AxisId folded_axis(const KernelNode& node) {
  if (node.op == Op::Scan) {
    return static_cast<AxisId>(node.attributes.get<std::int64_t>(AttributeName::Axis));
  }
  return static_cast<AxisId>(
      node.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes).at(0));
}

/// One axis shorter by `count`.
Kernel with_shorter_axis(const Kernel& kernel, AxisId shorter, std::int64_t count) {
  return copy_kernel(kernel, {}, [&](AxisId axis, const ir::Dim& extent) {
    return axis == shorter ? extent - ir::Dim(count) : extent;
  });
}

template <std::int64_t kCount>
std::optional<Kernel> shorten_fold(const Kernel& kernel) {
  for (const KernelNode& node : kernel.nodes()) {
    if (is_fold(node)) return with_shorter_axis(kernel, folded_axis(node), kCount);
  }
  return std::nullopt;
}

/// The last eight rows of the result are not computed.
std::optional<Kernel> drop_tile(const Kernel& kernel) {
  const KernelNode& store = kernel.node(kernel.stores().at(0));
  if (store.domain.empty()) return std::nullopt;
  return with_shorter_axis(kernel, store.domain.front(), 8);
}

/// Edits the value that each store writes, where it is a float.
Kernel with_stored(const Kernel& kernel,
                   const std::function<Value(Kernel& copy, Value value)>& edit) {
  return copy_kernel(kernel, [&](CopiedNode& at) -> std::optional<Value> {
    if (at.node.op == Op::Store) {
      Value& value = at.node.operands[0];
      if (ir::is_float(at.copy.dtype(value))) value = edit(at.copy, value);
    }
    return std::nullopt;
  });
}

Value add_cast(Kernel& kernel, Value value, DType dtype) {
  return kernel.add(Op::Cast, {value}, {{AttributeName::DType, dtype}});
}
Value add_bitcast(Kernel& kernel, Value value, DType dtype) {
  return kernel.add(Op::Bitcast, {value}, {{AttributeName::DType, dtype}});
}

/// The f32 value that a store's narrow value is rounded from, or the value itself.
Value before_rounding(const Kernel& kernel, Value value) {
  const KernelNode& node = kernel.node(value);
  const bool is_cast = node.op == Op::Cast && kernel.dtype(node.operands[0]) == DType::F32;
  return is_cast ? node.operands[0] : value;
}

std::optional<Kernel> scale(const Kernel& kernel) {
  return with_stored(kernel, [](Kernel& copy, Value value) {
    const DType dtype = copy.dtype(value);
    Value wide = before_rounding(copy, value);
    const DType compute = ir::compute_dtype(copy.dtype(wide));
    if (copy.dtype(wide) != compute) wide = add_cast(copy, wide, compute);
    const Value factor = copy.constant(ir::make_literal(compute, 1 + 0x1p-9));
    const Value scaled = copy.add(Op::Mul, {wide, factor});
    return dtype == compute ? scaled : add_cast(copy, scaled, dtype);
  });
}

std::optional<Kernel> truncate_cast(const Kernel& kernel) {
  bool is_planted = false;
  Kernel copy = with_stored(kernel, [&](Kernel& made, Value value) {
    const Value wide = before_rounding(made, value);
    if (made.dtype(value) != DType::BF16 || made.dtype(wide) != DType::F32) return value;
    is_planted = true;
    const Value bits = add_bitcast(made, wide, DType::U32);
    const Value mask = made.constant(ir::make_integer_literal(DType::U32, 0xffff0000));
    const Value kept = made.add(Op::And, {bits, mask});
    return add_cast(made, add_bitcast(made, kept, DType::F32), DType::BF16);
  });
  return is_planted ? std::optional(std::move(copy)) : std::nullopt;
}

/// Edits the attributes of each store.
Kernel with_store_attributes(const Kernel& kernel,
                             const std::function<void(ir::Attributes& attributes)>& edit) {
  return copy_kernel(kernel, [&](CopiedNode& at) -> std::optional<Value> {
    if (at.node.op == Op::Store) edit(at.node.attributes);
    return std::nullopt;
  });
}

std::optional<Kernel> swap_rows(const Kernel& kernel) {
  return with_store_attributes(kernel, [](ir::Attributes& attributes) {
    Shape map = attributes.get<Shape>(AttributeName::Map);
    // 0 -> 1, 1 -> 0, others stay.
    const IndexExpr row = map.at(0);
    map[0] = row + max(IndexExpr(1) - row, IndexExpr(0)) -
             max(min(row, IndexExpr(2) - row), IndexExpr(0));
    attributes.set(AttributeName::Map, map);
  });
}

/// The first element of the result is not stored.
std::optional<Kernel> leave_stale(const Kernel& kernel) {
  return with_store_attributes(kernel, [](ir::Attributes& attributes) {
    IndexExpr sum(-1);
    for (const IndexExpr& index : attributes.get<Shape>(AttributeName::Map)) sum = sum + index;
    Shape where = attributes.get_or<Shape>(AttributeName::Where, {});
    where.push_back(sum);
    attributes.set(AttributeName::Where, where);
  });
}

/// (a, b) -> a + b rounded to bf16.
ir::Reducer bf16_sum() {
  auto function = std::make_shared<ir::Graph>("bf16_sum");
  const Value a = function->add_parameter("a", {DType::F32, {}});
  const Value b = function->add_parameter("b", {DType::F32, {}});
  const Value sum = function->add(Op::Add, {a, b});
  const Value narrow = function->add(Op::Cast, {sum}, {{AttributeName::DType, DType::BF16}});
  function->set_outputs({function->add(Op::Cast, {narrow}, {{AttributeName::DType, DType::F32}})});
  return {Op::None, function, {ir::make_literal(DType::F32, 0)}};
}

std::optional<Kernel> narrow_accumulator(const Kernel& kernel) {
  bool is_planted = false;
  Kernel copy = copy_kernel(kernel, [&](CopiedNode& at) -> std::optional<Value> {
    const bool is_sum = at.node.op == Op::Contract ||
                        (at.node.op == Op::Reduce &&
                         at.node.attributes.get<ir::Reducer>(AttributeName::Reducer).op == Op::Add);
    if (!is_sum || at.node.results.at(0) != DType::F32) return std::nullopt;
    is_planted = true;
    std::vector<Value> wide;
    for (const Value operand : at.node.operands) {
      const bool is_wide = at.copy.dtype(operand) == DType::F32;
      wide.push_back(is_wide ? operand : add_cast(at.copy, operand, DType::F32));
    }
    const Value term = wide.size() == 2 ? at.copy.add(Op::Mul, wide) : wide[0];
    const auto axes = at.node.attributes.get<std::vector<std::int64_t>>(AttributeName::Axes);
    return at.copy.reduce({term}, {axes.begin(), axes.end()}, bf16_sum()).at(0);
  });
  return is_planted ? std::optional(std::move(copy)) : std::nullopt;
}

/// The last operand reads one element, or one row, for all: as if its last stride were 0.
std::optional<Kernel> drop_stride(const Kernel& kernel) {
  std::optional<std::int64_t> last;
  for (const KernelNode& node : kernel.nodes()) {
    if (node.op != Op::Load) continue;
    const Shape map = node.attributes.get<Shape>(AttributeName::Map);
    if (!map.empty() && !map.back().as_constant()) {
      last = node.attributes.get<std::int64_t>(AttributeName::Param);
    }
  }
  if (!last) return std::nullopt;
  return copy_kernel(kernel, [&](CopiedNode& at) -> std::optional<Value> {
    if (at.node.op == Op::Load &&
        at.node.attributes.get<std::int64_t>(AttributeName::Param) == *last) {
      Shape map = at.node.attributes.get<Shape>(AttributeName::Map);
      map.back() = floor_div(map.back(), IndexExpr(std::int64_t{1} << 40));
      at.node.attributes.set(AttributeName::Map, map);
    }
    return std::nullopt;
  });
}

constexpr std::array kMutants = {Mutant{"last term of a fold dropped", shorten_fold<1>},
                                 Mutant{"k-step of 16 dropped", shorten_fold<16>},
                                 Mutant{"last rows dropped", drop_tile},
                                 Mutant{"scaled by 1 + 2^-9", scale},
                                 Mutant{"truncating cast", truncate_cast},
                                 Mutant{"two rows swapped", swap_rows},
                                 Mutant{"one element stale", leave_stale},
                                 Mutant{"bf16 accumulator", narrow_accumulator},
                                 Mutant{"broadcast stride", drop_stride}};

/// The first schedule of the device that takes it.
const codegen::Schedule* schedule_for(const Kernel& kernel, const codegen::Target& target) {
  for (const codegen::Schedule& schedule : codegen::schedules_of(target.backend)) {
    if (!schedule.refuses(kernel, target)) return &schedule;
  }
  return nullptr;
}

}  // namespace

std::span<const Mutant> all_mutants() { return kMutants; }

std::optional<Executable> compile_mutant(const std::string& graph, const Device& device,
                                         const Mutant& mutant) {
  bool is_planted = false;
  const auto edit = [&](codegen::Plan& plan) {
    for (codegen::PlannedKernel& planned : plan.kernels) {
      std::optional<Kernel> mutated;
      if (!is_planted) mutated = mutant.plant(planned.kernel);
      if (!mutated) continue;
      ir::verify_kernel(*mutated);
      const codegen::Schedule* schedule = schedule_for(*mutated, device.impl().target());
      if (schedule == nullptr) continue;
      planned.kernel = std::move(*mutated);
      planned.schedule = schedule;
      is_planted = true;
    }
  };
  Executable executable(std::make_shared<runtime::ExecutableImpl>(ir::parse_graph(graph), device,
                                                                  CompileOptions{}, edit));
  return is_planted ? std::optional(std::move(executable)) : std::nullopt;
}

std::span<const MutantHost> mutant_hosts() {
  static const std::vector<MutantHost> hosts = {
      {"product and residual, bf16",
       "graph task_bf16(%x: bf16[192, 320], %w: bf16[320, 128], %r: bf16[192, 128]) {\n"
       "  %0: bf16[192, 128] = matmul(%x, %w)\n"
       "  %1: bf16[192, 128] = add(%0, %r)\n"
       "  return %1\n}\n"},
      {"product and residual, f32",
       "graph task_f32(%x: f32[96, 160], %w: f32[160, 64], %r: f32[96, 64]) {\n"
       "  %0: f32[96, 64] = matmul(%x, %w)\n"
       "  %1: f32[96, 64] = add(%0, %r)\n"
       "  return %1\n}\n"},
      {"softmax, bf16",
       "graph softmax_bf16(%x: bf16[64, 512]) {\n"
       "  %0: bf16[64, 512] = softmax(%x) {axis: 1}\n"
       "  return %0\n}\n"},
      {"rms norm with weight, bf16",
       "graph rms(%x: bf16[64, 512], %w: bf16[512]) {\n"
       "  %0: bf16[64, 512] = rms_norm(%x, %w) {axes: [1], epsilon: 1e-05}\n"
       "  return %0\n}\n"},
      {"x + y tanh(z), f32",
       "graph pointwise(%x: f32[128, 96], %y: f32[128, 96], %z: f32[96]) {\n"
       "  %0: f32[96] = tanh(%z)\n"
       "  %1: f32[128, 96] = broadcast(%0) {shape: [128, 96]}\n"
       "  %2: f32[128, 96] = mul(%y, %1)\n"
       "  %3: f32[128, 96] = add(%x, %2)\n"
       "  return %3\n}\n"},
      {"column sum, f32",
       "graph column_sum(%x: f32[256, 96]) {\n"
       "  %0: f32[96] = reduce(%x) {axes: [0], reducer: add}\n"
       "  return %0\n}\n"},
  };
  return hosts;
}

void MutantTally::add(const std::string& name, const Executable& mutant) {
  ++count;
  const CheckReport report = check(mutant);
  std::string catchers;
  for (const CheckCase& one : report.cases) {
    if (!one.passed) catchers += fmt::format(" {}", to_string(one.family));
  }
  table += fmt::format("{:<58}{}\n", name, catchers.empty() ? " NOT CAUGHT" : catchers);
  if (report.passed) survivors += name + "\n";
}

MutantTally check_mutants(const Device& device) {
  MutantTally tally;
  for (const MutantHost& host : mutant_hosts()) {
    for (const Mutant& mutant : all_mutants()) {
      const auto executable = compile_mutant(host.graph, device, mutant);
      if (executable) tally.add(fmt::format("{}: {}", host.name, mutant.name), *executable);
    }
  }
  return tally;
}

}  // namespace sinter::tests
