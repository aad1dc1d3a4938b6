// The kernel cache on disk: one self-contained file an entry, never trusted without a check.
//
//   bytes 0-7     "SINTERC1"
//   bytes 8-15    length of the key, little-endian
//   bytes 16-23   length of the payload
//   bytes 24-55   hash of key and payload, hexadecimal
//   then          key, payload
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinter::runtime {

/// An entry is code that will run. So the folder is made for its owner only (mode 0700), and one that
/// exists is used only where it belongs to this user and nobody else may write to it (a group may
/// where it is the user's private one); entries that are no regular files are not read.
///
/// Safe with several processes on one folder: entries are written to a temporary file, synced and
/// renamed. Trouble with the disk is never an error: one warning, then work goes on without it.
class DiskCache {
 public:
  /// An empty folder: nothing is kept.
  explicit DiskCache(std::string folder) : folder_(std::move(folder)) {}

  /// The payload stored under exactly this key. A damaged entry is removed, with a warning.
  std::optional<std::string> find(std::string_view key) const;
  void store(std::string_view key, std::string_view payload) const;
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

/// The folder that SINTER_CACHE_DIR, XDG_CACHE_HOME and HOME give; empty for none.
std::string default_cache_folder();

}  // namespace sinter::runtime
