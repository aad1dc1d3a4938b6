// See write_file.h.
#include "tools/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "support/check.h"

namespace sinter::tools {

namespace {

/// Only what is missing or a regular file is replaced by a rename; a device or pipe is written to.
bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

[[noreturn]] void refuse_path(const std::string& path, int error) {
  support::throw_runtime("cannot write '{}': {}", path, std::strerror(error));
}

}  // namespace

void check_writable(const std::string& path) {
  if (is_special(path)) {  // not opened, as a pipe may wait for its reader
    if (std::filesystem::is_directory(path)) refuse_path(path, EISDIR);
    if (::access(path.c_str(), W_OK) != 0) refuse_path(path, errno);
    return;
  }
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) refuse_path(path, errno);
  ::close(file);
  ::unlink(temporary.c_str());
}

void write_file(const std::string& path, std::initializer_list<std::string_view> pieces) {
  const bool is_written_to = is_special(path);
  std::string temporary = path + ".XXXXXX";
  const int file =
      is_written_to ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC) : ::mkstemp(temporary.data());
  if (file < 0) refuse_path(path, errno);
  bool is_good = true;
  for (std::string_view rest : pieces) {
    while (is_good && !rest.empty()) {
      const ssize_t written = ::write(file, rest.data(), rest.size());
      is_good = written > 0;
      if (is_good) rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  int error = errno;
  if (is_good && !is_written_to) {
    is_good = ::fchmod(file, 0644) == 0 && ::fsync(file) == 0;
    error = errno;
  }
  is_good = ::close(file) == 0 && is_good;
  if (is_good && (is_written_to || ::rename(temporary.c_str(), path.c_str()) == 0)) return;
  if (is_good) error = errno;
  if (!is_written_to) ::unlink(temporary.c_str());
  refuse_path(path, error);
}

}  // namespace sinter::tools
