// Standard input, output and error of the program.
#pragma once

namespace sinter::tools {

/// Opens /dev/null for each of them that the parent closed, so that no other file gets its number
/// and with it what is printed. Standard output is then one that cannot be written: printing to
/// nobody is an error that tool_main reports. Called first in main, before any file is open.
void hold_standard_files();

}  // namespace sinter::tools
