// See write_file.h.
#include "tools/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "support/check.h"

namespace sinter::tools {

void write_file(const std::string& path, std::initializer_list<std::string_view> pieces) {
  // Only what is missing or a regular file is replaced by a rename; a device or pipe is written to.
  struct stat status {};
  const bool is_special = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  std::string temporary = path + ".XXXXXX";
  const int file =
      is_special ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC) : ::mkstemp(temporary.data());
  if (file < 0) support::throw_runtime("cannot write '{}': {}", path, std::strerror(errno));
  bool is_good = true;
  for (std::string_view rest : pieces) {
    while (is_good && !rest.empty()) {
      const ssize_t written = ::write(file, rest.data(), rest.size());
      is_good = written > 0;
      if (is_good) rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  int error = errno;
  if (is_good && !is_special) {
    is_good = ::fchmod(file, 0644) == 0 && ::fsync(file) == 0;
    error = errno;
  }
  is_good = ::close(file) == 0 && is_good;
  if (is_good && (is_special || ::rename(temporary.c_str(), path.c_str()) == 0)) return;
  if (is_good) error = errno;
  if (!is_special) ::unlink(temporary.c_str());
  support::throw_runtime("cannot write '{}': {}", path, std::strerror(error));
}

}  // namespace sinter::tools
