// The operators that the `sinter` program brings along.
#pragma once

namespace sinter::tools {

/// They register themselves when the program starts; calling this keeps the linker from dropping
/// the file that defines them.
void register_builtin_operators();

}  // namespace sinter::tools
