// Folders that hold code: nobody but their owner may be able to put something there.
#pragma once

#include <string>

namespace sinter::runtime {

/// A folder, held open so that it stays the same one from the check to the use.
class TrustedFolder {
 public:
  explicit TrustedFolder(const std::string& path);
  ~TrustedFolder();
  TrustedFolder(const TrustedFolder&) = delete;
  TrustedFolder& operator=(const TrustedFolder&) = delete;

  /// For openat and its kin.
  int file() const { return file_; }
  bool is_missing() const { return is_missing_; }
  /// Empty where it can be used: it belongs to this user, and nobody else may write to it, but for a
  /// group that is the user's private one. Else the reason, with what to do.
  const std::string& trouble() const { return trouble_; }

 private:
  int file_ = -1;
  bool is_missing_ = false;
  std::string trouble_;
};

/// Makes the folder with mode 0700, and what lies above it as the umask says. Empty, or what failed.
std::string make_private_folder(const std::string& path);

}  // namespace sinter::runtime
