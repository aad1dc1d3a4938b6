// The disk cache never hands out what was not stored under the key, and never stops the work.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "runtime/cache/disk_cache.h"
#include "tests/support/run_program.h"

using sinter::runtime::DiskCache;
using sinter::tests::TemporaryFolder;

namespace {

std::string only_file(const std::string& folder) {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    REQUIRE(found.empty());
    found = entry.path().string();
  }
  return found;
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("what is stored is found under its key only") {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());

  cache.store("key", std::string("pay\0load", 8));

  CHECK(cache.find("key") == std::string("pay\0load", 8));
  CHECK(!cache.find("kez"));
  CHECK(!cache.find(""));
}

TEST_CASE("trap D03: a truncated or changed entry is removed and is a miss") {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  for (const bool is_cut : {true, false}) {
    cache.store("key", "a payload of some length");
    const std::string path = only_file(folder.path());
    if (is_cut) {
      std::filesystem::resize_file(path, std::filesystem::file_size(path) - 3);
    } else {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(-2, std::ios::end);
      file.put('X');
    }

    CHECK(!cache.find("key"));
    CHECK(!std::filesystem::exists(path));
  }
}

TEST_CASE("trap D10: an entry under another key's name is a miss, not a wrong answer") {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  cache.store("one", "payload of one");
  const std::string one = only_file(folder.path());
  const TemporaryFolder other_folder;
  const DiskCache other(other_folder.path());
  other.store("two", "payload of two");

  std::filesystem::copy_file(one, only_file(other_folder.path()),
                             std::filesystem::copy_options::overwrite_existing);

  CHECK(!other.find("two"));
}

TEST_CASE("trap D12: a folder that cannot be made, or that anybody may write to, is left alone") {
  const TemporaryFolder folder;
  const DiskCache blocked(folder.write("file", "") + "/cache");
  blocked.store("key", "payload");
  CHECK(!blocked.find("key"));

  const std::string open_folder = folder.path() + "/open";
  std::filesystem::create_directory(open_folder);
  ::chmod(open_folder.c_str(), 0777);
  DiskCache(open_folder).store("key", "payload");
  CHECK(std::filesystem::is_empty(open_folder));
}

TEST_CASE("the folder is made for its owner only, whatever the umask") {
  const TemporaryFolder folder;
  const mode_t before = ::umask(0);

  DiskCache(folder.path() + "/a/cache/").store("key", "payload");
  ::umask(before);

  CHECK(mode_of(folder.path() + "/a/cache") == 0700);
  CHECK(DiskCache(folder.path() + "/a/cache").find("key") == "payload");
}

TEST_CASE("a folder that a group may write to is left alone unless the group is private") {
  const TemporaryFolder folder;
  constexpr gid_t kForeignGroup = 54321;  // needs root, as in containers
  const bool is_foreign =
      ::chown(folder.path().c_str(), static_cast<uid_t>(-1), kForeignGroup) == 0;
  ::chmod(folder.path().c_str(), 0770);

  DiskCache(folder.path()).store("key", "payload");

  if (is_foreign) {
    CHECK(std::filesystem::is_empty(folder.path()));
    ::chmod(folder.path().c_str(), 0750);
    DiskCache(folder.path()).store("key", "payload");
  }
  CHECK(mode_of(folder.path()) == (is_foreign ? 0750 : 0770));
}

TEST_CASE("pipes, folders and links in place of an entry are misses, and do not block") {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  cache.store("key", "payload");
  const std::string path = only_file(folder.path());
  const std::string kept = folder.path() + "-kept";
  std::filesystem::rename(path, kept);

  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK(!cache.find("key"));
  cache.store("key", "payload");  // takes the pipe's place
  CHECK(cache.find("key") == "payload");

  std::filesystem::remove(path);
  std::filesystem::create_symlink(kept, path);
  CHECK(!cache.find("key"));

  std::filesystem::remove(path);
  std::filesystem::create_directories(path + "/inside");
  CHECK(!cache.find("key"));
  CHECK_NOTHROW(cache.store("key", "payload"));
  CHECK(!cache.find("key"));
  std::filesystem::remove(kept);
}

TEST_CASE("trap D12: without a folder nothing is kept") {
  const DiskCache cache("");
  cache.store("key", "payload");
  CHECK(!cache.find("key"));
}
