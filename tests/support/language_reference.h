// The page on operators, docs/operators.md, from ops.def, attributes.def and ops.examples.
#pragma once

#include <string>

#include "tests/support/operator_table.h"

namespace sinter::tests {

/// The whole page; runs every example on the CPU.
std::string make_language_reference(const OperatorTable& table);

/// What the table lacks or has too much of, one line each: operators that a user can write without an entry,
/// entries without formula, C++ or example, optional attributes of which it does not say what holds where
/// they are not given, examples of other operators. Empty where it is whole.
std::string table_faults(const OperatorTable& table);

}  // namespace sinter::tests
