// Which attributes a node of a Graph must have and may have.
#pragma once

#include <string>
#include <vector>

#include "ir/attributes.h"

namespace sinter::ir {

struct AttributeRule {
  AttributeName name;
  bool required;
};

/// Sorted by name.
std::vector<AttributeRule> graph_attributes(Op op);
/// "axes (needed), correction", or "none": the attributes of `op`, for messages.
std::string attributes_text(Op op);
/// Whether the value has the type that attributes of this name have (the table in attributes.h).
bool has_attribute_type(AttributeName name, const AttributeValue& value);
/// "a shape", "a list of integers", ...: the type that attributes of this name have.
std::string_view attribute_type_text(AttributeName name);

}  // namespace sinter::ir
