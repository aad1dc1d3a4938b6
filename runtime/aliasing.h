// Which outputs may share memory with which inputs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codegen/plan/plan.h"
#include "ir/facts.h"
#include "ir/graph.h"

namespace sinter::runtime {

/// The rule of one planned operator, worked out once.
class AliasRules {
 public:
  AliasRules(const ir::Graph& graph, const codegen::Plan& plan);

  /// UserError where an output overlaps an input or another output, unless the result cannot depend
  /// on it: the same elements (address, shape, strides), and the plan is one kernel that reads each
  /// element of that input only to write the same element of that output.
  void check(std::span<const ir::TensorLayout> inputs,
             std::span<const ir::TensorLayout> outputs) const;

 private:
  struct Tensor {
    std::string name;  // of an input
    ir::DType dtype;
  };
  std::string operator_name_;
  std::vector<Tensor> inputs_;
  std::vector<Tensor> outputs_;
  std::vector<bool> is_elementwise_;  // by output, then input
};

}  // namespace sinter::runtime
