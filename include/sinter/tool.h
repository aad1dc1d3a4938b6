// The `sinter` program as a function, for programs that bring their own operators.
#pragma once

namespace sinter {

/// Runs `sinter <subcommand> ...` with the operators registered in this program. Returns the
/// documented exit code; never throws.
int tool_main(int argc, char** argv);

}  // namespace sinter
