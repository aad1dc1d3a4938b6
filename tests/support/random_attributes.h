// Random attributes that fit an operator, as its rules name them.
#pragma once

#include "ir/attributes.h"
#include "ir/op.h"
#include "tests/support/random.h"

namespace sinter::tests {

/// A value for the attribute of an operator on an operand of this shape.
ir::AttributeValue draw_attribute(ir::AttributeName name, const ir::Shape& shape, Random& random);

/// All attributes that `op` needs, and some of those that it may have.
ir::Attributes draw_attributes(ir::Op op, const ir::Shape& shape, Random& random);

/// Some of the dimensions, at least one where there is any.
std::vector<std::int64_t> draw_axes(const ir::Shape& shape, Random& random);

/// Windows over some of the dimensions.
ir::Attributes draw_windows(const ir::Shape& shape, Random& random);

}  // namespace sinter::tests
