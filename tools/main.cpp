// The `sinter` program.
#include "sinter/tool.h"
#include "tools/standard_files.h"

int main(int argc, char** argv) {
  sinter::tools::hold_standard_files();
  return sinter::tool_main(argc, argv);
}
