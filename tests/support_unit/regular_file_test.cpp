// Reading of regular files, and the refusal of everything else without waiting.
#include "support/regular_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "tests/support/run_program.h"

namespace sinter::support {

using tests::TemporaryFolder;

TEST_CASE("a regular file is read whole or in pieces") {
  const TemporaryFolder folder;
  RegularFile file(folder.write("file", "0123456789"));

  std::array<char, 3> piece{};
  CHECK(file.trouble().empty());
  CHECK(file.size_bytes() == 10);
  CHECK(file.read(piece, 4));
  CHECK(std::string(piece.data(), 3) == "456");
  CHECK_FALSE(file.read(piece, 8));
  CHECK(file.read_all() == "0123456789");
}

TEST_CASE("pipes, sockets, folders and devices are refused without waiting") {
  const TemporaryFolder folder;
  const std::string pipe = folder.path() + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string socket_path = folder.path() + "/s";
  const int socket_file = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket_path.c_str(), sizeof(address.sun_path) - 1);
  REQUIRE(::bind(socket_file, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);

  CHECK(RegularFile(pipe).trouble() == "it is a pipe, not a regular file");
  CHECK(RegularFile(socket_path).trouble() == "it is a socket, not a regular file");
  CHECK(RegularFile(folder.path()).trouble() == "it is a folder, not a regular file");
  CHECK(RegularFile("/dev/zero").trouble() == "it is a device, not a regular file");
  ::close(socket_file);
}

TEST_CASE("links are followed unless that is refused; what is missing is told apart") {
  const TemporaryFolder folder;
  folder.write("file", "text");
  const std::string link = folder.path() + "/link";
  REQUIRE(::symlink("file", link.c_str()) == 0);

  CHECK(RegularFile(link).read_all() == "text");
  const RegularFile refused(link, RegularFile::Links::Refuse);
  CHECK(refused.trouble() == "it is a symbolic link, not a regular file");
  CHECK_FALSE(refused.is_missing());
  CHECK(RegularFile(folder.path() + "/none").is_missing());
  CHECK(RegularFile(std::string("/dev/null\0x", 11)).trouble() == "Invalid argument");
}

}  // namespace sinter::support
