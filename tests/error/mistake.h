// What a mistake in an operator's body says, and whether it names the user's line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinter/sinter.h"

namespace sinter::tests {

using Tensors = std::vector<Tensor>;

/// The message of the UserError that tracing `body` on parameters a, b, c, ... of these types throws,
/// without the place that it begins with; "no error" where there is none. The place must be in the
/// statement of the test that calls this, which is at most four lines long.
std::string message_of(const std::vector<TensorSpec>& specs,
                       const std::function<Result(const Tensors&)>& body,
                       const char* file = __builtin_FILE(), int line = __builtin_LINE());

}  // namespace sinter::tests
