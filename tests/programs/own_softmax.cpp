// A program that offers the `sinter` tool with an operator whose name is a built-in's.
#include "sinter/sinter.h"
#include "sinter/tool.h"

SINTER_OP(softmax, (sinter::Tensor x)) { return sinter::exp(x); }

int main(int argc, char** argv) { return sinter::tool_main(argc, argv); }
