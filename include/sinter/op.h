// Operators as the user writes them: a name, parameter names, and a C++ function over Tensors.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sinter/dim.h"
#include "sinter/error.h"

namespace sinter {

class Tensor;
namespace ir {
class Graph;
}

/// An operator: what SINTER_OP defines. Tracing it with parameter types gives a Graph.
struct Operator {
  std::string name;
  std::vector<std::string> parameters;
  /// Those of the parameters that are host scalars (sn::Scalar).
  std::vector<std::string> host_scalars;
  std::function<std::vector<Tensor>(const std::vector<Tensor>&)> body;
  SourceLocation location;
  /// Instead of a body, for an operator that is made from another one (gradient.h): its Graph for types
  /// of `parameters`. Further parameters follow from those.
  std::function<ir::Graph(const std::vector<TensorSpec>&)> derive = {};

  /// The Graph for parameters of these types; types of derived parameters may be left out. UserError
  /// where number or types do not fit or the body misuses them.
  ir::Graph trace(const std::vector<TensorSpec>& specs) const;
};

/// Every operator that SINTER_OP defined in this program and in loaded operator libraries, by name.
const std::vector<const Operator*>& registered_operators();
/// Makes the operator known by its name, as SINTER_OP does. Two places with one name: find_operator refuses it.
const Operator& register_operator(Operator op);
/// UserError with the nearest name where there is none of this name, with both places where there are two.
const Operator& find_operator(const std::string& name);
/// Loads a shared library whose SINTER_OPs register themselves. UserError where it can't, or a name is taken.
void load_operators(const std::string& path);

}  // namespace sinter
