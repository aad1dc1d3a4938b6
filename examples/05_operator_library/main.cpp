// A program that offers the `sinter` tool with its own operators: here it runs a task that names
// an operator of the library beside it.
#include <filesystem>
#include <string>
#include <vector>

#include "sinter/tool.h"

int main(int argc, char** argv) {
  if (argc > 1) return sinter::tool_main(argc, argv);
  const auto beside_program = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::filesystem::path beside_source = std::filesystem::path(__FILE__).parent_path();
  std::vector<std::string> words = {"sinter", "run", beside_source / "task.yaml", "--ops",
                                    beside_program / "lib05_operator_library.so"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  return sinter::tool_main(static_cast<int>(arguments.size()), arguments.data());
}
