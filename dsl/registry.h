// What of the registry of operators is no user's business.
#pragma once

namespace sinter::dsl {

/// UserError with the places where two operators of this program and its libraries have one name.
void check_operator_names();

}  // namespace sinter::dsl
