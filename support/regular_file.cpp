// O_NONBLOCK keeps the opening of a pipe from waiting for a writer; it does nothing to regular files.
#include "support/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sinter::support {

namespace {

/// Empty for a regular file.
std::string refuse_kind(mode_t mode) {
  const char* kind = S_ISDIR(mode)    ? "a folder"
                     : S_ISFIFO(mode) ? "a pipe"
                     : S_ISSOCK(mode) ? "a socket"
                     : S_ISLNK(mode)  ? "a symbolic link"
                                      : "a device";
  return S_ISREG(mode) ? std::string() : fmt::format("it is {}, not a regular file", kind);
}

}  // namespace

RegularFile::RegularFile(const std::string& path, Links links, int folder) {
  static_assert(kHere == AT_FDCWD);
  open(path, links, folder);
}

void RegularFile::open(const std::string& path, Links links, int folder) {
  if (path.find('\0') != std::string::npos) {  // would be the path of another file
    trouble_ = std::strerror(EINVAL);
    return;
  }
  const bool follows = links == Links::Follow;
  const auto fail = [&] {
    is_missing_ = errno == ENOENT;
    trouble_ = std::strerror(errno);
  };
  // Looked at first, as opening alone can have effects on a device; and again once it is open.
  struct stat status {};
  if (::fstatat(folder, path.c_str(), &status, follows ? 0 : AT_SYMLINK_NOFOLLOW) != 0) {
    return fail();
  }
  trouble_ = refuse_kind(status.st_mode);
  if (!trouble_.empty()) return;
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  file_ = ::openat(folder, path.c_str(), kFlags | (follows ? 0 : O_NOFOLLOW));
  if (file_ < 0 || ::fstat(file_, &status) != 0) return fail();
  trouble_ = refuse_kind(status.st_mode);
  size_bytes_ = static_cast<std::size_t>(status.st_size);
}

RegularFile::~RegularFile() {
  if (file_ >= 0) ::close(file_);
}

bool RegularFile::read(std::span<char> data, std::size_t offset) {
  if (!trouble_.empty()) return false;
  while (!data.empty()) {
    const ssize_t got = ::pread(file_, data.data(), data.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) trouble_ = std::strerror(errno);
    if (got <= 0) return false;
    data = data.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::size_t>(got);
  }
  return true;
}

std::string RegularFile::read_all() {
  std::string text(size_bytes_, '\0');
  if (read(text, 0)) return text;
  if (trouble_.empty()) trouble_ = "it became shorter while it was read";
  return {};
}

}  // namespace sinter::support
