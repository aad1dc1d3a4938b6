// The disk cache never hands out what was not stored under the key, and never stops the work.
#include <doctest/doctest.h>
#include <sys/stat.h>

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

}  // namespace

TEST_CASE("what is stored is found under its key only") {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());

  cache.store("key", std::string("pay\0load", 8));

  CHECK(cache.find("key") == std::string("pay\0load", 8));
  CHECK(!cache.find("kez"));
  CHECK(!cache.find(""));
}

TEST_CASE("a truncated or changed entry is removed and is a miss") {
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

TEST_CASE("an entry under another key's name is a miss, not a wrong answer") {
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

TEST_CASE("a folder that cannot be made, or that anybody may write to, is left alone") {
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

TEST_CASE("without a folder nothing is kept") {
  const DiskCache cache("");
  cache.store("key", "payload");
  CHECK(!cache.find("key"));
}
