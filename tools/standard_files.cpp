// open() gives the lowest free number, so in ascending order each gets its own.
#include "tools/standard_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace sinter::tools {

void hold_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) >= 0 || errno != EBADF) continue;
    // Not O_CLOEXEC: programs that this one starts need the number as well.
    ::open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace sinter::tools
