// Graph: the tensor level. SSA nodes in an append-only arena; views are nodes; a node may have
// several results. A rank-0 Graph of Scalar operators is a Function (see Reducer).
//
// Text form (print.h, parse.h); locations are trailing comments, outside equality, hash and key:
//
//   graph residual_projection(%x: f32[batch, 2560], %r: f32[batch, 2560], %w: f32[2560, 2560]) {
//     %0: f32[batch, 2560] = matmul(%x, %w) {precision: split}  // op.cpp:12
//     %1: f32[batch, 2560] = add(%0, %r)
//     return %1
//   }
#pragma once

#include <string>
#include <vector>

#include "ir/attributes.h"
#include "ir/op.h"
#include "ir/value.h"
#include "sinter/error.h"

namespace sinter::ir {

struct Type {
  DType dtype = DType::F32;
  Shape shape;
  friend bool operator==(const Type&, const Type&) = default;
};
std::string to_string(const Type& type);

struct Node {
  Op op = Op::None;
  std::vector<Value> operands;
  Attributes attributes;
  std::vector<Type> results;
  SourceLocation location;
};

class Graph {
 public:
  explicit Graph(std::string name = "graph") : name_(std::move(name)) {}

  /// Appends an input; names are unique (UserError).
  Value add_parameter(const std::string& name, Type type, SourceLocation location = {});
  /// Appends a rank-0 input whose value each call takes from host memory (attribute host).
  Value add_host_scalar(const std::string& name, DType dtype, SourceLocation location = {});
  /// Appends a rank-0 constant.
  Value add_constant(Literal literal, SourceLocation location = {});
  /// Appends a node; its result types are inferred from operands and attributes. A wrong dtype,
  /// shape or attribute is a UserError at `location`.
  Value add(Op op, std::vector<Value> operands, Attributes attributes = {},
            SourceLocation location = {});
  /// Names what the graph returns, in order; replaces earlier outputs.
  void set_outputs(std::vector<Value> outputs);
  void set_name(std::string name) { name_ = std::move(name); }

  const std::string& name() const { return name_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& node(NodeId id) const;
  const Node& node(Value value) const { return node(value.node); }
  const Type& type(Value value) const;
  /// Ids of the parameter nodes, in order.
  const std::vector<NodeId>& parameters() const { return parameters_; }
  const std::string& parameter_name(NodeId id) const;
  bool is_host_scalar(NodeId parameter) const;
  const std::vector<Value>& outputs() const { return outputs_; }

 private:
  std::string name_;
  std::vector<Node> nodes_;
  std::vector<NodeId> parameters_;
  std::vector<Value> outputs_;
};

/// Same name, parameters (in order), other nodes (in order), attributes, types and outputs; how
/// parameters and other nodes interleave does not count, nor do locations.
bool operator==(const Graph& a, const Graph& b);

/// Result types of `op` on operands of `types`. UserError at `location` where they do not fit.
/// Rules: infer.cpp.
std::vector<Type> infer_types(Op op, const std::vector<Type>& types, const Attributes& attributes,
                              const SourceLocation& location);

}  // namespace sinter::ir
