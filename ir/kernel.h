// Kernel: the index level, one fused kernel. SSA values, each with its domain: the axes it varies
// over (an implicit loop nest; a value is used at any larger domain without a word). Views are
// gone, folded into index maps. Every schedule and both backends read this form.
//
// Text form (print.h, parse.h):
//
//   kernel softmax {
//     axis i: m
//     axis j: n
//     in x: f32[m, n]
//     out y: f32[m, n]
//     host alpha: f32                                   (an input of rank 0 in host memory)
//     %0: f32 (i, j) = load() {param: x, map: [i, j]}
//     %1: f32 (i) = reduce(%0) {axes: [j], reducer: maximum}
//     %2: f32 (i, j) = sub(%0, %1)
//     %3: f32 (i, j) = exp(%2)
//     %4: f32 (i) = reduce(%3) {axes: [j], reducer: add}
//     %5: f32 (i, j) = div(%3, %4)
//     store(%5) {param: y, map: [i, j]}
//   }
//
//   op        domain of the result
//   load      axes of map and where, and the domains of values in them; `where`: all >= 0
//   index     axes of map[0]
//   constant  none
//   scalar    union of the operands' domains
//   reduce    union of the operands' domains, less attribute axes; a value may be used before and
//             after a reduction over the same axis (softmax above)
//   contract  the same, for two operands
//   scan      union of the operands' domains (which hold attribute axis)
//   store     union of the operand's domain and the axes of map and where: the loops it stands in;
//             no result. Two iterations never store to one element
#pragma once

#include <string>
#include <vector>

#include "ir/attributes.h"
#include "ir/mode.h"
#include "ir/value.h"
#include "sinter/error.h"

namespace sinter::ir {

/// A named loop 0 <= axis < extent. Extents mention sizes only.
struct Axis {
  std::string name;
  Dim extent;
  friend bool operator==(const Axis&, const Axis&) = default;
};

enum class ParamRole : std::uint8_t { In, Out };

/// A tensor that the kernel reads or writes. Strides are not its business: see Facts.
struct KernelParam {
  std::string name;
  DType dtype = DType::F32;
  Shape shape;
  ParamRole role = ParamRole::In;
  /// An input of rank 0 whose value the caller has in host memory; GPUs get it by value.
  bool is_host = false;
  friend bool operator==(const KernelParam&, const KernelParam&) = default;
};

struct KernelNode {
  Op op = Op::None;
  std::vector<Value> operands;
  Attributes attributes;
  std::vector<DType> results;  // none for store
  std::vector<AxisId> domain;  // sorted
  SourceLocation location;
};

class Kernel {
 public:
  explicit Kernel(std::string name = "kernel", Mode mode = Mode::Default)
      : name_(std::move(name)), mode_(mode) {}

  AxisId add_axis(const std::string& name, Dim extent);
  /// Index into params(), for attribute Param.
  std::int64_t add_param(KernelParam param);
  /// Appends a node; result types and domain are inferred (infer_kernel.cpp). InternalError where
  /// operands do not fit: Kernels are made by us.
  Value add(Op op, std::vector<Value> operands, Attributes attributes = {},
            SourceLocation location = {});
  // Short forms of add.
  Value constant(Literal literal);
  Value load(std::int64_t param, Shape map, Shape where = {}, std::optional<Literal> outside = {});
  Value index(IndexExpr expr);
  std::vector<Value> reduce(std::vector<Value> operands, std::vector<AxisId> axes, Reducer reducer);
  /// Accumulates in `accumulator` (attribute DType), the result's type.
  Value contract(Value a, Value b, std::vector<AxisId> axes, DType accumulator,
                 Precision precision = Precision::Split);
  std::vector<Value> scan(std::vector<Value> operands, AxisId axis, Reducer reducer,
                          bool exclusive = false, bool reverse = false);
  void store(Value value, std::int64_t param, Shape map, Shape where = {});

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  Mode mode() const { return mode_; }
  const std::vector<Axis>& axes() const { return axes_; }
  const std::vector<KernelParam>& params() const { return params_; }
  const std::vector<KernelNode>& nodes() const { return nodes_; }
  const KernelNode& node(Value value) const;
  const KernelNode& node(NodeId id) const;
  DType dtype(Value value) const;
  const std::vector<AxisId>& domain(Value value) const { return node(value).domain; }
  /// For simplify() and friends.
  AxisExtent axis_extent() const;
  /// Ids of the store nodes, in order.
  std::vector<NodeId> stores() const;

 private:
  std::string name_;
  Mode mode_;
  std::vector<Axis> axes_;
  std::vector<KernelParam> params_;
  std::vector<KernelNode> nodes_;
};

/// Locations do not count.
bool operator==(const Kernel& a, const Kernel& b);

}  // namespace sinter::ir
