// A program that offers the `sinter` tool with its own operators: here it runs a task that names
// an operator of the library beside it.
#include <string>
#include <vector>

#include "sinter/tool.h"

int main(int argc, char** argv) {
  if (argc > 1) return sinter::tool_main(argc, argv);
  const std::string program = argv[0];
  std::string library = program.substr(0, program.rfind('/')) + "/lib05_operator_library.so";
  std::vector<std::string> words = {"sinter", "run", "examples/05_operator_library/task.yaml",
                                    "--ops", library};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  return sinter::tool_main(static_cast<int>(arguments.size()), arguments.data());
}
