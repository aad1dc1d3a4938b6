// The Graph that is being traced, and how operands enter it.
#pragma once

#include <memory>
#include <vector>

#include "ir/graph.h"
#include "sinter/tensor.h"

namespace sinter::dsl {

/// Shared by all Tensors of one trace; `graph` grows as the operator's body runs.
class Trace {
 public:
  /// `owner` is how messages call what is traced: "operator scaled".
  Trace(std::string name, std::string owner) : graph(std::move(name)), owner(std::move(owner)) {}
  ir::Graph graph;
  std::string owner;
};

/// The trace of the body that runs on this thread. UserError at `location` outside of any.
const std::shared_ptr<Trace>& current_trace(const SourceLocation& location);

/// Makes `trace` the current one for its lifetime.
class TraceScope {
 public:
  explicit TraceScope(std::shared_ptr<Trace> trace);
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  std::shared_ptr<Trace> previous_;
};

/// UserError at `location`, which names both bodies, unless `trace` is the current one: a Tensor was kept
/// and used outside of the body that made it.
void check_current(const std::shared_ptr<Trace>& trace, const SourceLocation& location);

/// The current trace, to which all operands have to belong. UserError where none is a Tensor.
std::shared_ptr<Trace> trace_of(std::initializer_list<const Operand*> operands);
/// The operand as a value; a literal becomes a constant of `dtype`.
ir::Value value_of(Trace& trace, const Operand& operand, DType dtype);
/// The literal operand in `dtype`. UserError where it is a tensor, or not representable.
ir::Literal literal_of(const Operand& operand, DType dtype, const char* function);
/// The tensor operand. UserError where it is a literal.
const Tensor& require_tensor(const Operand& operand, const char* function);
/// Its value.
inline ir::Value to_value(const Tensor& tensor) { return {tensor.node(), tensor.result()}; }

/// Appends a node on explicit operands.
Tensor add_node(const std::shared_ptr<Trace>& trace, ir::Op op, std::vector<ir::Value> operands,
                ir::Attributes attributes, const SourceLocation& location);
/// Appends an elementwise node: literals take the dtype of the first Tensor from operand
/// `dtype_from` on, shapes are broadcast to one.
Tensor add_pointwise(ir::Op op, std::initializer_list<const Operand*> operands,
                     ir::Attributes attributes = {}, std::size_t dtype_from = 0);

/// A tensor as an operand of the expression at `location`.
inline Operand operand_at(const Tensor& tensor, const SourceLocation& location) {
  return {tensor, location.file.c_str(), location.line};
}
/// Its type and its shape as the Graph has them.
inline const ir::Type& type_of(const Tensor& tensor) {
  return tensor.trace()->graph.type(to_value(tensor));
}
inline const ir::Shape& shape_of(const Tensor& tensor) { return type_of(tensor).shape; }

/// `axis` counted from the front, in [0, rank). UserError at `location` otherwise.
std::int64_t normalize_axis(int axis, int rank, const SourceLocation& location);
/// The same for a place between dimensions of a tensor of this rank, where a new one comes in: 0 to rank.
std::int64_t normalize_new_axis(int axis, int rank, const SourceLocation& location);

/// The axes counted from the front, sorted; all of them where none are given. UserError at `location`
/// where one is no dimension or stands twice.
std::vector<std::int64_t> reduced_axes(const Tensor& tensor, const std::vector<int>& axes,
                                       const SourceLocation& location);
/// The reduction `op` over the axes; with `keep` they stay, with extent 1.
Tensor reduce(ir::Op op, const Operand& a, const std::vector<int>& axes, bool keep,
              ir::Attributes attributes = {});

ir::Shape to_shape(const std::vector<Dim>& dims);

}  // namespace sinter::dsl
