// The `sinter` program.
#include "sinter/tool.h"

int main(int argc, char** argv) { return sinter::tool_main(argc, argv); }
