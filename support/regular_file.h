// Reading of files that somebody else named or made.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sinter::support {

/// A regular file, open for reading. Anything else (a pipe, socket, device or folder) is refused at
/// once: opening never waits, and reading always comes to an end.
class RegularFile {
 public:
  enum class Links { Follow, Refuse };

  /// `path` is relative to the open folder `folder` where one is given.
  explicit RegularFile(const std::string& path, Links links = Links::Follow, int folder = kHere);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  /// Empty where the file is open, else the reason: "No such file or directory", "it is a pipe, not
  /// a regular file". Reads that fail set it, too.
  const std::string& trouble() const { return trouble_; }
  bool is_missing() const { return is_missing_; }
  /// As it was when the file was opened.
  std::size_t size_bytes() const { return size_bytes_; }

  /// Fills `data` from byte `offset` on. False where the file ends before, or cannot be read.
  bool read(std::span<char> data, std::size_t offset);
  /// All of it; empty where there is trouble.
  std::string read_all();

 private:
  void open(const std::string& path, Links links, int folder);

  static constexpr int kHere = -100;  // AT_FDCWD
  int file_ = -1;
  bool is_missing_ = false;
  std::size_t size_bytes_ = 0;
  std::string trouble_;
};

}  // namespace sinter::support
