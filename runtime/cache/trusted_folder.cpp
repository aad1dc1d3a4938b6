// Owner, mode and group of a folder.
#include "runtime/cache/trusted_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace sinter::runtime {

namespace {

// Whether only this user is in the group: it is his primary one and has his name, which is how
// systems with private groups make them.
bool is_private_group(gid_t group) {
  std::array<char, 16384> buffer{};
  passwd user{};
  passwd* found_user = nullptr;
  if (::getpwuid_r(::geteuid(), &user, buffer.data(), buffer.size(), &found_user) != 0)
    return false;
  if (!found_user || user.pw_gid != group) return false;
  const std::string name = user.pw_name;
  ::group row{};
  ::group* found_group = nullptr;
  if (::getgrgid_r(group, &row, buffer.data(), buffer.size(), &found_group) != 0) return false;
  if (!found_group || name != row.gr_name) return false;
  for (char** member = row.gr_mem; *member; ++member) {
    if (name != *member) return false;
  }
  return true;
}

}  // namespace

TrustedFolder::TrustedFolder(const std::string& path) {
  file_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file_ < 0) {
    is_missing_ = errno == ENOENT;
    trouble_ = fmt::format("cannot open folder {}: {}", path, std::strerror(errno));
    return;
  }
  // An entry is code that will run: others must not be able to plant one.
  struct stat status {};
  if (::fstat(file_, &status) != 0) {
    trouble_ = fmt::format("cannot look at folder {}: {}", path, std::strerror(errno));
  } else if (status.st_uid != ::geteuid()) {
    trouble_ = fmt::format("folder {} belongs to another user", path);
  } else if (status.st_mode & S_IWOTH) {
    trouble_ = fmt::format("folder {} is writable for everybody (mode {:o}); chmod 700 it", path,
                           status.st_mode & 07777);
  } else if ((status.st_mode & S_IWGRP) && !is_private_group(status.st_gid)) {
    trouble_ = fmt::format("folder {} is writable for a group (mode {:o}); chmod 700 it", path,
                           status.st_mode & 07777);
  }
}

TrustedFolder::~TrustedFolder() {
  if (file_ >= 0) ::close(file_);
}

std::string make_private_folder(const std::string& path) {
  std::error_code code;
  const std::filesystem::path above = std::filesystem::path(path + "/").parent_path().parent_path();
  if (!above.empty()) std::filesystem::create_directories(above, code);
  if (!code && (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST)) return {};
  return fmt::format("cannot make folder {}: {}", path,
                     code ? code.message() : std::strerror(errno));
}

}  // namespace sinter::runtime
