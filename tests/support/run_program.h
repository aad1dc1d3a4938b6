// Runs a program and catches what it prints.
#pragma once

#include <string>
#include <vector>

namespace sinter::tests {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal where it was killed
  std::string out;
  std::string err;
};

/// Runs `words` with these extra environment variables ("NAME=value"); waits for the end.
ProgramResult run_program(const std::vector<std::string>& words,
                          const std::vector<std::string>& environment = {});

/// The same for the `sinter` beside the running test.
ProgramResult run_sinter(std::vector<std::string> arguments,
                         const std::vector<std::string>& environment = {});

/// Folder of the running test's executable.
std::string program_folder();

/// A new empty folder, removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  /// Writes a file in it and returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

}  // namespace sinter::tests
