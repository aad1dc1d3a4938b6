// The Graph that is being traced, and how operands enter it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ir/graph.h"
#include "sinter/tensor.h"

namespace sinter::dsl {

/// Shared by all Tensors of one trace; `graph` grows as the operator's body runs.
class Trace {
 public:
  explicit Trace(std::string name) : graph(std::move(name)) {}
  ir::Graph graph;
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

/// The trace that the operands belong to: all to the same. UserError where none is a Tensor.
std::shared_ptr<Trace> trace_of(std::initializer_list<const Operand*> operands);
/// The operand as a value; a literal becomes a constant of `dtype`.
ir::Value value_of(Trace& trace, const Operand& operand, DType dtype);
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

/// The dimension that two of an expression become, neither the number 1; a number before an
/// expression. Nullopt where they never are equal; where that depends on the sizes, broadcast_value to
/// the result makes it a check of each call.
std::optional<ir::Dim> unify_dims(const ir::Dim& a, const ir::Dim& b);
/// NumPy's rule with named dimensions. UserError at `location` where the shapes never fit.
ir::Shape broadcast_shapes(const ir::Shape& a, const ir::Shape& b, const SourceLocation& location);
/// `value` broadcast to `shape`; itself where it has that shape.
ir::Value broadcast_value(ir::Graph& graph, ir::Value value, const ir::Shape& shape,
                          const SourceLocation& location);
/// `axis` counted from the front, in [0, rank). UserError at `location` otherwise.
std::int64_t normalize_axis(int axis, int rank, const SourceLocation& location);

ir::Shape to_shape(const std::vector<Dim>& dims);

}  // namespace sinter::dsl
